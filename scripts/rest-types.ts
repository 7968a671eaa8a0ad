/**
 * TypeScript types of the REST API from its OpenAPI document. A string with the pattern of a scalar has the type of the
 * scalar.
 */
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import { describeApi } from '../api/openapi/openapi.ts'
import { describedApp } from './described-app.ts'
import { ABI_TYPE, NARROWER } from './typed-data-types.ts'

/** By the pattern of a string. */
const SCALARS: Readonly<Record<string, string>> = {
  '^0x[0-9a-f]{40}$': 'Address',
  '^0x[0-9a-fA-F]{40}$': 'Address',
  '^0x[0-9a-f]{64}$': 'Hash',
  '^0x[0-9a-fA-F]{64}$': 'Hash',
  '^0x(?:[0-9a-fA-F]{2})+$': 'Hex',
  '^0x([0-9a-fA-F]{2})*$': 'Hex',
  '^0x(0|[1-9a-f][0-9a-f]*)$': 'Hex',
  '^(0|[1-9][0-9]*)$': 'Integer',
}

/** Schemas of amounts, which have the pattern of any integer. */
const AMOUNTS = /\/schemas\/(Money|SharePrice)$/

/** Member of a schema that names its type here. */
const TYPE = 'x-client-type'

const IMPORTS = `import type { Hex } from 'viem'
import type { Address, Amount, Hash, Integer } from '../scalars.ts'
import type { ${[...Object.values(NARROWER).map(({ typedData }) => typedData), ABI_TYPE].sort().join(', ')} } from './typed-data.ts'

`

export async function restTypes(): Promise<string> {
  const document = JSON.stringify(describeApi(describedApp()), narrow)
  const types = await openapiTS(document, {
    defaultNonNullable: false,
    transform: (schema, { path }) => scalarOf(schema, path),
  })
  return IMPORTS + astToString(types)
}

/** Gives each component that `NARROWER` lists its narrower fields. */
function narrow(name: string, value: unknown): unknown {
  if (name === 'abi') return { [TYPE]: ABI_TYPE }
  const narrower = Object.entries(NARROWER).find(([component]) => component === name)?.[1]
  if (!narrower || !isSchema(value) || !isSchema(value.properties)) return value
  return { ...value, properties: { ...value.properties, typedData: { [TYPE]: narrower.typedData } } }
}

function scalarOf(schema: object, path = ''): ts.TypeNode | undefined {
  if (TYPE in schema && typeof schema[TYPE] === 'string') return reference(schema[TYPE])
  if (!('pattern' in schema) || typeof schema.pattern !== 'string') return undefined
  const scalar = AMOUNTS.test(path) ? 'Amount' : SCALARS[schema.pattern]
  return scalar === undefined ? undefined : reference(scalar)
}

function reference(name: string): ts.TypeNode {
  return ts.factory.createTypeReferenceNode(name)
}

function isSchema(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
