/** Refusals in the API's description, so that tests can show that each has a case. */
import { z } from 'zod'
import type { Requestable } from './sign-in.ts'

/** Where a request is valid, and what it asks for is refused. */
const REFUSALS = ['403', '409', '422'] as const

const described = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        operationId: z.string(),
        responses: z.record(z.string(), z.object({ description: z.string() })),
      }),
    ),
  ),
})

/** The codes of the 403, 409 and 422 of every operation that has any, each list in alphabetical order. */
export async function describedRefusals(app: Requestable): Promise<Record<string, string[]>> {
  const { paths } = described.parse(await (await app.request('/api/v1/openapi.json')).json())
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  const refusals = operations.map(({ operationId, responses }) => {
    const texts = REFUSALS.map((status) => responses[status]?.description ?? '')
    return [operationId, texts.flatMap(codesIn).toSorted()] as const
  })
  return Object.fromEntries(refusals.filter(([, codes]) => codes.length > 0))
}

function codesIn(description: string): string[] {
  return [...description.matchAll(/`([A-Z_]+)`/g)].map(([, code = '']) => code)
}
