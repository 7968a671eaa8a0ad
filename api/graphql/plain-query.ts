/**
 * The short path of a plain query: one operation as JSON in and out, without the objects that Yoga makes for every kind of request. What is not plain
 * (subscriptions, events, forms, requests that are not GraphQL) is left to Yoga.
 */
import { type DocumentNode, type ExecutionResult, type GraphQLSchema, getOperationAST } from 'graphql'
import { createLRUCache } from 'graphql-yoga'
import type { Context } from 'hono'
import { sendTagged, tagOf } from '../middleware/conditional.ts'
import type { AppEnv } from '../middleware/env.ts'
import { pathAndQuery } from '../middleware/keep-reads.ts'
import type { KeptAnswers } from '../middleware/kept-answers.ts'
import { parseMinBlock } from '../middleware/min-block.ts'
import { answerQuery } from './answer.ts'
import { DOCUMENTS_KEPT, parseWithin, requireVariableShape, validateWithin } from './bounds.ts'
import { withCodedErrors } from './coded-errors.ts'
import type { GraphqlContext } from './context.ts'
import { refuse, refuseDocument } from './errors.ts'
import { type MediaType, type PlainRequest, readMediaType, readPlainRequest } from './plain-request.ts'
import { textOf } from './text-result.ts'

type AnswerPlain = (c: Context<AppEnv>) => Promise<Response | undefined>

/** @returns answers a plain query; undefined for every other request, whose body it may have read */
export function createPlainQueries(
  schema: GraphQLSchema,
  contextOf: (c: Context<AppEnv>) => GraphqlContext,
  kept: KeptAnswers,
  writeErrors: (result: ExecutionResult, mediaType: MediaType) => Response,
): AnswerPlain {
  const read = createDocuments(schema)
  return async (c) => {
    const mediaType = readMediaType(c)
    if (!mediaType) return undefined
    const isGet = c.req.method === 'GET'
    const sent = isGet ? pathAndQuery(c.req.url) : await c.req.text()
    const request = `${c.req.method} ${mediaType} ${sent}`
    const minBlock = parseMinBlock(c.req.header('X-Min-Block'))
    const found = c.get('dependsOnMore') ? undefined : kept.find(request, minBlock)
    if (found) {
      c.set('operation', found.operation)
      return sendTagged(c, found.body, found.headers)
    }
    const plain = readPlainRequest(c, isGet ? undefined : sent)
    const document = plain && read(plain)
    if (!plain || !document) return undefined
    const operation = nameOf(document, plain.operationName)
    c.set('operation', operation)
    const keep = kept.begin(request)
    const result = withCodedErrors(c, await answerDocument(schema, document, plain, () => contextOf(c)))
    if (result.errors) return writeErrors(result, mediaType)
    const text = textOf(result)
    const seen = c.get('dependsOnMore') ? undefined : c.get('seen')
    const type = { 'Content-Type': `${mediaType}; charset=utf-8` }
    const headers = isGet && seen ? { ...type, ...revalidated(text, mediaType) } : type
    if (seen) keep({ text, headers, operation }, seen)
    return sendTagged(c, text, headers)
  }
}

/** Headers by which a browser or a cache asks whether its copy is still the answer. Answers of two types are two, though their text is the same. */
function revalidated(text: string, mediaType: MediaType) {
  return { 'Cache-Control': 'no-cache', ETag: tagOf(`${mediaType} ${text}`) }
}

type ReadDocument = DocumentNode | { readonly errors: NonNullable<ExecutionResult['errors']> }

/** @returns reads the document of a query; undefined where the operation is none or there are several */
function createDocuments(schema: GraphQLSchema) {
  const documents = createLRUCache<ReadDocument>({ max: DOCUMENTS_KEPT })
  const readNew = (text: string): ReadDocument => {
    try {
      const document = parseWithin(text)
      const errors = validateWithin(schema, document)
      if (errors.length === 0) return document
      return { errors: errors.map((error) => refuseDocument(error, 'GRAPHQL_VALIDATION_FAILED')) }
    } catch (error) {
      return { errors: [refuseDocument(error, 'GRAPHQL_PARSE_FAILED')] }
    }
  }
  return ({ query, operationName }: PlainRequest): ReadDocument | undefined => {
    const document = documents.get(query) ?? readNew(query)
    documents.set(query, document)
    if ('errors' in document) return document
    return getOperationAST(document, operationName)?.operation === 'query' ? document : undefined
  }
}

/** Name of the operation; empty where it has none, undefined where the document is refused. */
function nameOf(document: ReadDocument, operationName: PlainRequest['operationName']): string | undefined {
  if ('errors' in document) return undefined
  return getOperationAST(document, operationName)?.name?.value ?? ''
}

async function answerDocument(
  schema: GraphQLSchema,
  document: ReadDocument,
  { operationName, variables }: PlainRequest,
  createContext: () => GraphqlContext,
): Promise<ExecutionResult> {
  try {
    requireVariableShape(variables)
  } catch (error) {
    return { errors: [refuse(error)] }
  }
  if ('errors' in document) return document
  const contextValue = createContext()
  return answerQuery(
    { schema, document, operationName, variableValues: variables, contextValue },
    contextValue,
  )
}
