/** Operations of requests: parsed, validated and measured. */
import { type DocumentNode, type GraphQLSchema, getOperationAST } from 'graphql'
import { createLRUCache } from 'graphql-yoga'
import type { Context } from 'hono'
import type { AppEnv } from '../../http/env.ts'
import { maskError } from '../kit/errors.ts'
import { DOCUMENTS_KEPT, parseWithin, validateWithin } from '../operation/measure/measure.ts'
import type { Prepared } from '../operation/run.ts'
import { type Failure, tryPrepare } from './answer.ts'
import type { GraphqlRequest } from './request.ts'

/** @returns a function that reads the operation of a request, or its errors, and names the operation for the log */
export function createOperations(schema: GraphQLSchema) {
  const readDocument = createDocuments(schema)
  return (c: Context<AppEnv>, request: GraphqlRequest): Prepared | Failure => {
    const { query, operationName, variables } = request
    const document = readDocument(query)
    if ('errors' in document) return document
    c.set('operation', getOperationAST(document, operationName)?.name?.value ?? '')
    return tryPrepare({ schema, document, operationName, variableValues: variables })
  }
}

/** @returns a function that parses and validates a document once for all requests that repeat its text */
function createDocuments(schema: GraphQLSchema) {
  const documents = createLRUCache<DocumentNode | Failure>({ max: DOCUMENTS_KEPT })
  const readNew = (text: string): DocumentNode | Failure => {
    try {
      const document = parseWithin(text)
      const errors = validateWithin(schema, document)
      if (errors.length === 0) return document
      return { errors: errors.map((error) => maskError(error, 'GRAPHQL_VALIDATION_FAILED')) }
    } catch (error) {
      return { errors: [maskError(error, 'GRAPHQL_PARSE_FAILED')] }
    }
  }
  return (text: string): DocumentNode | Failure => {
    const document = documents.get(text) ?? readNew(text)
    documents.set(text, document)
    return document
  }
}
