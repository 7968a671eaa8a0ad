/** Reads of REST: documents of GraphQL, whose answers are kept within a block. */
import { GraphQLError, parse } from 'graphql'
import type { Context } from 'hono'
import { CodedError, validationFailed } from '../../errors.ts'
import { OPERATION_POINTS } from '../../graphql/operation/measure/measure.ts'
import { type Answered, answerOperation, prepareOperation, type Reader } from '../../graphql/operation/run.ts'
import { schema } from '../../graphql/schema.ts'
import { isPersonal } from '../../http/cache-control.ts'
import { pathAndQuery, tagOf } from '../../http/conditional.ts'
import type { AppEnv } from '../../http/env.ts'
import type { KeptAnswers } from '../../http/kept-answers.ts'
import { parseMinBlock } from '../../limits/min-block.ts'
import type { FinalizedThrough } from '../../projection/session/state.ts'
import { presentFinalizedThrough } from './answer.ts'

export type ReadDeps = {
  readonly readerOf: (c: Context<AppEnv>) => Reader
  readonly kept: KeptAnswers
}

type Variables = Readonly<Record<string, unknown>>

/** @returns reads the data of a document that selects rows. @throws CodedError as the operation fails */
export function createDocumentReader<Data>(query: string) {
  const document = parse(query)
  return async (reader: Reader, variableValues: Variables): Promise<{ data: Data } & Read> => {
    const { shape, cost } = prepareOperation({ schema, document, variableValues })
    const { data, state, isPure } = await answerOperation(shape, cost, reader).catch(unwrap)
    if (!state) throw new Error('the document reads nothing')
    return { data: JSON.parse(data), state, isPure }
  }
}

type Read = { readonly state: NonNullable<Answered['state']>; readonly isPure: boolean }

/** The error without its place in the document, which is ours. A cursor has the name of its parameter. */
function unwrap(error: unknown): never {
  const own = error instanceof GraphQLError && error.originalError ? error.originalError : error
  if (!(own instanceof CodedError) || !own.errors) throw own
  throw validationFailed(
    own.errors.map(({ path, message }) => ({ path: path === 'after' ? 'cursor' : path, message })),
  )
}

/** Answers a read with revalidation by ETag: from the kept answers, or by its document. */
export async function answerRead<Data, Body extends object>(
  c: Context<AppEnv>,
  { readerOf, kept }: ReadDeps,
  read: (reader: Reader) => Promise<{ data: Data } & Read>,
  present: (data: Data, through: FinalizedThrough) => Body,
) {
  const isShared = c.req.method === 'GET' && !isPersonal(c)
  const request = `GET ${pathAndQuery(c.req.url)}`
  const found = isShared ? kept.find(request, parseMinBlock(c.req.header('X-Min-Block'))) : undefined
  if (found) return c.body(found.body, 200, found.headers)
  const keep = kept.begin(request)
  c.get('spend')(OPERATION_POINTS)
  const { data, state, isPure } = await read(readerOf(c))
  const through = state.finalizedThrough
  const body = { ...present(data, through), finalizedThrough: presentFinalizedThrough(through) }
  const text = JSON.stringify(body)
  const headers = headersOf(text, through)
  if (isPure && isShared) keep({ text, headers }, state)
  return c.body(text, 200, headers)
}

/** The headers of a read with revalidation. */
export function headersOf(text: string, through: FinalizedThrough) {
  return {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-cache',
    ETag: tagOf(text),
    'X-Finalized-Through': through.blockNumber.toString(),
  }
}
