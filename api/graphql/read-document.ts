/** Reads of REST that a document of ours selects: the formats of GraphQL, in one statement. */
import { parse } from 'graphql'
import type { Labels } from '../../deployments/labels.ts'
import type { FinalizedThrough } from '../projection/snapshot.ts'
import { compile } from './compile/compile.ts'
import type { GraphqlContext } from './context.ts'
import { schema } from './schema.ts'
import { toShape } from './shape.ts'

/**
 * @param query every field of it has SQL
 * @returns reads its data. @throws as `readStatement`; what has no JSON, such as an object without its row, is an error of the database
 */
export function createDocumentReader<Data>(query: string) {
  const document = parse(query)
  return async (
    { readStatement, labels }: Pick<GraphqlContext, 'readStatement'> & { labels: Labels },
    variableValues: Readonly<Record<string, unknown>>,
  ): Promise<{ data: Data; finalizedThrough: FinalizedThrough }> => {
    const shape = toShape({ schema, document, variableValues })
    const reading = shape && compile(shape, labels)
    if (!reading) throw new Error(`no statement reads ${query}`)
    const { text, finalizedThrough } = await readStatement(reading, true)
    return { data: JSON.parse(text), finalizedThrough }
  }
}
