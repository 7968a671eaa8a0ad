/** An operation answered in one statement, and by its resolvers. */
import {
  buildASTSchema,
  type DocumentNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
  parse,
  printSchema,
  visit,
} from 'graphql'
import { answerInOneStatement } from '../../api/graphql/answer.ts'
import { NO_COST } from '../../api/graphql/bounds.ts'
import { hasSql } from '../../api/graphql/compile/fields.ts'
import { startOperation } from '../../api/graphql/context.ts'
import { runOnOneSnapshot, tryMeasure } from '../../api/graphql/run.ts'
import { schema } from '../../api/graphql/schema.ts'
import { textOf } from '../../api/graphql/text-result.ts'
import type { PooledDb } from '../../api/projection/database.ts'
import { createStatementReader } from '../../api/projection/read-statement.ts'
import { openSnapshot } from '../../api/projection/snapshot.ts'
import type { Reading } from '../../api/projection/statement.ts'
import { loadLabels } from '../../deployments/labels.ts'

const LABELS = loadLabels(31_337)

/** The texts of both answers, in one form of JSON; `inSql` is undefined for an operation that has no statement. */
export type BothAnswers = { inSql: string | undefined; resolved: string }

/** Makes the answers of an operation that is within its bounds; undefined for any other. */
export function createBothWays(db: PooledDb) {
  const readStatement = createStatementReader()
  /** As the gateway keeps them: its statements are kept with the documents. */
  const documents = new Map<string, DocumentNode>()
  const limits = {
    deadlineMs: 600_000,
    abort: { signal: new AbortController().signal, cancel: async () => {} },
    requestId: 'test',
  }
  return async (
    query: string,
    variableValues: Record<string, unknown> = {},
  ): Promise<BothAnswers | undefined> => {
    const document = documents.get(query) ?? parse(query)
    documents.set(query, document)
    const args = { schema, document, variableValues }
    const bounded = tryMeasure(args)
    if ('errors' in bounded) return undefined
    const read = {
      labels: LABELS,
      readStatement: (reading: Reading) => readStatement(db, reading, limits),
    }
    const answer = await answerInOneStatement(args, read, bounded)
    const operation = startOperation(() => openSnapshot(db))
    // The cost of a document that was measured before, and of a new one.
    const measured = tryMeasure({ ...args, document: parse(query) })
    const resolved = await runOnOneSnapshot(
      { ...args, contextValue: { operation, labels: LABELS } },
      operation,
      'errors' in measured ? NO_COST : measured.cost,
    )
    return { inSql: answer && JSON.stringify(JSON.parse(textOf(answer))), resolved: JSON.stringify(resolved) }
  }
}

const CONNECTION = /(Connection|Edge|PageInfo)$/

/** Fields that can be in an operation of one statement, as `Type.field`, sorted. */
export function fieldsWithSql(): string[] {
  const found = new Map<GraphQLObjectType, string[]>()
  const query = schema.getQueryType()
  if (query) collect(query, found)
  return [...found.entries()]
    .flatMap(([{ name }, fields]) => fields.map((field) => `${name}.${field}`))
    .sort()
}

function collect(type: GraphQLObjectType, found: Map<GraphQLObjectType, string[]>): void {
  if (found.has(type)) return
  const fields = Object.values(type.getFields()).filter(
    (field) => CONNECTION.test(type.name) || hasSql(type, field),
  )
  found.set(
    type,
    fields.map(({ name }) => name),
  )
  for (const field of fields) {
    const target = getNamedType(field.type)
    if (isObjectType(target)) collect(target, found)
  }
}

/** The schema without the other fields, for operations that are one statement. */
export function schemaInSql(): GraphQLSchema {
  const kept = new Set(fieldsWithSql())
  const types = new Set([...kept].map((field) => field.split('.')[0]))
  const document = visit(parse(printSchema(schema)), {
    ObjectTypeDefinition: (node) => {
      if (!types.has(node.name.value)) return null
      const own = ({ name }: { name: { value: string } }) => kept.has(`${node.name.value}.${name.value}`)
      return { ...node, fields: node.fields?.filter(own) ?? [] }
    },
    SchemaDefinition: () => null,
  })
  return buildASTSchema(document)
}
