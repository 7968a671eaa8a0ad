/** Queries: kept answers, documents, and their answers as JSON. */
import {
  type DocumentNode,
  type ExecutionResult,
  type GraphQLSchema,
  getOperationAST,
  OperationTypeNode,
} from 'graphql'
import { createLRUCache } from 'graphql-yoga'
import type { Context } from 'hono'
import { isPersonal } from '../../http/cache-control.ts'
import { pathAndQuery, tagOf } from '../../http/conditional.ts'
import type { AppEnv } from '../../http/env.ts'
import type { KeptAnswers } from '../../http/kept-answers.ts'
import { parseMinBlock } from '../../limits/min-block.ts'
import { refuseDocument } from '../kit/errors.ts'
import { DOCUMENTS_KEPT, parseWithin, validateWithin } from '../operation/measure/measure.ts'
import type { Reader } from '../operation/run.ts'
import type { Asked } from '../operation/shape.ts'
import { answerRequest, isAnswer, textOf } from './answer.ts'
import { withCodedErrors } from './coded-errors.ts'
import { type GraphqlRequest, type JsonType, readRequest } from './request.ts'

type AnswerQuery = (c: Context<AppEnv>, mediaType: JsonType) => Promise<Response | undefined>

/**
 * @param writeErrors an answer without data, with the status of its errors
 * @returns answers a query; undefined for a subscription. Throws CodedError for what is no request of GraphQL
 */
export function createQueries(
  schema: GraphQLSchema,
  readerOf: (c: Context<AppEnv>) => Reader,
  kept: KeptAnswers,
  writeErrors: (result: ExecutionResult, mediaType: JsonType) => Response,
): AnswerQuery {
  const read = createDocuments(schema)
  return async (c, mediaType) => {
    const isGet = c.req.method === 'GET'
    const sent = isGet ? pathAndQuery(c.req.url) : await c.req.text()
    const key = `${c.req.method} ${mediaType} ${sent}`
    const found = isPersonal(c) ? undefined : kept.find(key, parseMinBlock(c.req.header('X-Min-Block')))
    if (found) {
      c.set('operation', found.operation)
      return c.body(found.body, 200, found.headers)
    }
    const request = readRequest(c, isGet ? undefined : sent)
    const document = read(request)
    if ('errors' in document) return writeErrors(withCodedErrors(c, document), mediaType)
    const operation = getOperationAST(document, request.operationName)
    if (operation?.operation === OperationTypeNode.SUBSCRIPTION) return undefined
    const name = operation?.name?.value ?? ''
    c.set('operation', name)
    const keep = kept.begin(key)
    const answer = await answerRequest(toAsked(schema, document, request), readerOf(c))
    if (!isAnswer(answer)) return writeErrors(withCodedErrors(c, answer), mediaType)
    const text = textOf(answer)
    const type = { 'Content-Type': `${mediaType}; charset=utf-8` }
    const state = answer.isPure && !isPersonal(c) ? answer.state : undefined
    const headers = isGet && state ? { ...type, ...revalidated(text, mediaType) } : type
    if (state) keep({ text, headers, operation: name }, state)
    return c.body(text, 200, headers)
  }
}

function toAsked(
  schema: GraphQLSchema,
  document: DocumentNode,
  { operationName, variables }: GraphqlRequest,
): Asked {
  return { schema, document, operationName, variableValues: variables }
}

/**
 * Headers by which a browser or a cache asks whether its copy is still the answer. Answers of two types are two, though
 * their text is the same.
 */
function revalidated(text: string, mediaType: JsonType) {
  return { 'Cache-Control': 'no-cache', ETag: tagOf(`${mediaType} ${text}`) }
}

type ReadDocument = DocumentNode | { readonly errors: NonNullable<ExecutionResult['errors']> }

/** @returns reads the document of a request, or the errors for which it is refused */
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
  return ({ query }: GraphqlRequest): ReadDocument => {
    const document = documents.get(query) ?? readNew(query)
    documents.set(query, document)
    return document
  }
}
