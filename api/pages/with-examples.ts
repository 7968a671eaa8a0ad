/** The description of the API with examples that can be sent as they are. */
import type { Described, DescribedOperation } from './described.ts'
import { bodyExamples, parameterExamples, type Samples } from './reference-examples.ts'

/** Copies the description, with a value for each required parameter and for each body that a sample fits. */
export function withExamples<Document extends Described>(document: Document, samples: Samples): Document {
  const copy = structuredClone(document)
  for (const { get, post } of Object.values(copy.paths ?? {})) {
    for (const operation of [get, post]) if (operation) fill(operation, samples)
  }
  return copy
}

function fill(
  { operationId = '', parameters = [], requestBody }: DescribedOperation,
  samples: Samples,
): void {
  const values = parameterExamples(samples, operationId)
  for (const parameter of parameters) {
    if (isRequired(parameter) && Object.hasOwn(values, parameter.name))
      parameter.example = values[parameter.name]
  }
  const json = requestBody && 'content' in requestBody ? requestBody.content['application/json'] : undefined
  if (!json || SIGNED.includes(operationId)) return
  json.example = bodyExamples(samples)[operationId] ?? {}
}

/** The body is what a wallet signs over a nonce. */
const SIGNED = ['verifySignIn']

type Named = { name: string; required?: boolean; example?: unknown }

function isRequired(parameter: object): parameter is Named {
  return 'required' in parameter && parameter.required === true && 'name' in parameter
}
