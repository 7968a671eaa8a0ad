/** Operations of requests: parsed, validated and measured. */
import { type DocumentNode, type GraphQLSchema, getOperationAST } from 'graphql'
import { createLRUCache } from 'graphql-yoga'
import type { Context } from 'hono'
import type { Documents } from '../../../deployments/documents.ts'
import type { Deps } from '../../deps.ts'
import { CodedError } from '../../errors.ts'
import { findSession } from '../../http/authenticate.ts'
import type { AppEnv } from '../../http/env.ts'
import { maskError } from '../kit/errors.ts'
import {
  DOCUMENTS_KEPT,
  OPERATION_POINTS,
  parseWithin,
  validateWithin,
} from '../operation/measure/measure.ts'
import type { Prepared } from '../operation/run.ts'
import { type Failure, tryPrepare } from './answer.ts'
import type { GraphqlRequest } from './request.ts'

/** How often a document that is not registered costs its cost, with `DOCUMENTS=prefer` and without a token. */
const UNREGISTERED_TIMES = 4

type OperationDeps = Pick<Deps, 'config' | 'documents'>

/**
 * @returns a function that reads the operation of a request, or its errors, and names the operation for the log. It
 * throws CodedError `DOCUMENT_NOT_REGISTERED`, `RATE_LIMITED`
 * @throws Error for a registered document that does not fit the schema
 */
export function createOperations(schema: GraphQLSchema, { config, documents }: OperationDeps) {
  const readDocument = createDocuments(schema)
  for (const [id, text] of documents) requireFit(id, readDocument(text))
  return (c: Context<AppEnv>, request: GraphqlRequest): Prepared | Failure => {
    const { operationName, variables } = request
    const isRegistered = 'documentId' in request.document
    if (config.documents === 'only' && !isRegistered)
      throw notRegistered('This gateway answers registered documents only.')
    if (config.documents === 'prefer' && !isRegistered && findSession(c) === undefined)
      c.set('costTimes', UNREGISTERED_TIMES)
    // Before validation: a refused operation takes its time, too.
    c.get('spend')(OPERATION_POINTS)
    const document = readDocument(textOf(request.document, documents))
    if ('errors' in document) return document
    c.set('operation', getOperationAST(document, operationName)?.name?.value ?? '')
    return tryPrepare({ schema, document, operationName, variableValues: variables })
  }
}

function textOf(document: GraphqlRequest['document'], documents: Documents): string {
  if ('query' in document) return document.query
  const text = documents.get(document.documentId)
  if (text === undefined) throw notRegistered('No document is registered with this documentId.')
  return text
}

function notRegistered(fault: string): CodedError {
  return new CodedError(
    'DOCUMENT_NOT_REGISTERED',
    `${fault} An id is sha256: and the SHA-256 of the text in 64 lowercase hex digits.`,
  )
}

function requireFit(id: string, document: DocumentNode | Failure): void {
  if ('errors' in document)
    throw new Error(`the registered document ${id} does not fit the schema: ${document.errors[0]?.message}`)
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
