/** Texts of the rows that a gateway lists, for requests that name what exists. */
import { type GraphQLSchema, getNamedType, isLeafType, isObjectType, isRequiredArgument } from 'graphql'
import { isObject } from '../support/hostile.ts'
import type { Requestable } from '../support/sign-in.ts'

/** Every text in the first rows of every list. A list of groups that is refused as too wide has none. */
export async function listedTexts(
  gateway: Requestable,
  schema: GraphQLSchema,
  rows: number,
): Promise<string[]> {
  const read = (query: string) =>
    textsOf(gateway, query).catch((error: unknown) => {
      if (String(error).includes('"AGGREGATE_TOO_WIDE"')) return []
      throw error
    })
  const texts = await Promise.all(listQueries(schema, rows).map(read))
  return texts.flat()
}

/** Every text of an answer. */
export async function textsOf(gateway: Requestable, query: string): Promise<string[]> {
  return textsIn(await ask(gateway, query))
}

function listQueries(schema: GraphQLSchema, rows: number): string[] {
  const fields = Object.values(schema.getQueryType()?.getFields() ?? {})
  return fields.flatMap(({ name, type, args }) => {
    const connection = getNamedType(type)
    if (!isObjectType(connection) || args.some(isRequiredArgument)) return []
    const nodes = connection.getFields().nodes
    const row = nodes && getNamedType(nodes.type)
    if (!isObjectType(row)) return []
    const leaves = Object.values(row.getFields()).filter(
      (field) => isLeafType(getNamedType(field.type)) && !field.args.some(isRequiredArgument),
    )
    return [
      `{ ${name}(first: ${rows}) { nodes { ${leaves.map((leaf) => leaf.name).join(' ')} } pageInfo { endCursor } } }`,
    ]
  })
}

async function ask(gateway: Requestable, query: string): Promise<unknown> {
  const response = await gateway.request('/api/v1/graphql', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  const answer: unknown = await response.json()
  if (!isObject(answer) || answer.errors) throw new Error(`${query}: ${JSON.stringify(answer)}`)
  return answer.data
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
