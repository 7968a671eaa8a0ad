/** Answers of operations, as text or as results of GraphQL. */
import { type ExecutionResult, GraphQLError } from 'graphql'
import type { Context } from 'hono'
import type { Deps } from '../../deps.ts'
import { findSession, requireSession } from '../../http/authenticate.ts'
import type { AppEnv } from '../../http/env.ts'
import { reachMinBlock } from '../../limits/min-block.ts'
import { refuseWide } from '../../projection/session/aggregate-bound.ts'
import { readOpened, type Snapshot } from '../../projection/session/snapshot.ts'
import { readInSnapshot } from '../../projection/session/statement.ts'
import type { Follow } from '../../transactions/follow.ts'
import { maskError, refuse } from '../kit/errors.ts'
import { createOutside } from '../kit/outside.ts'
import { type Prepared, prepareOperation } from '../operation/prepare.ts'
import { type Answered, answerOperation, type Reader, toExtension } from '../operation/run.ts'
import type { Asked } from '../operation/shape.ts'

export type ReaderDeps = Pick<Deps, 'config' | 'store' | 'chain' | 'deployment' | 'labels'> & {
  readonly follow: Follow
}

/** @returns makes the reader of a request */
export function createReaders(deps: ReaderDeps) {
  const gateway = { labels: deps.labels, router: deps.deployment.contracts.financingRouter }
  return (c: Context<AppEnv>, read: Reader['read'] = c.get('readStatement')): Reader => ({
    gateway,
    read,
    check: (estimate) => readOpened(c.get('openSnapshot'), (snapshot) => refuseWide(snapshot, estimate)),
    outside: createOutside(
      deps,
      { require: () => requireSession(c).wallet, find: () => findSession(c)?.wallet },
      c.get('openSnapshot'),
      () => reachMinBlock(c),
    ),
  })
}

/** Returns the reader with all of its reads in one snapshot. */
export function readingFrom(reader: Reader, snapshot: Snapshot): Reader {
  return {
    ...reader,
    read: (reading) => readInSnapshot(snapshot, reading),
    check: (estimate) => refuseWide(snapshot, estimate),
  }
}

/** An answer without errors. */
export type Answer = Answered & { readonly extensions: { readonly [name: string]: unknown } }

/** Answers an operation, or returns the errors for which it fails: there is no data beside an error. */
export async function answerRequest(asked: Asked, reader: Reader): Promise<Answer | ExecutionResult> {
  const prepared = tryPrepare(asked)
  return 'errors' in prepared ? prepared : answerPrepared(prepared, reader)
}

/** Returns the operation, or the errors of one that exceeds a bound. */
export function tryPrepare(asked: Asked): Prepared | { errors: GraphQLError[] } {
  try {
    return prepareOperation(asked)
  } catch (error) {
    return { errors: [refuse(error)] }
  }
}

export async function answerPrepared(
  { shape, cost }: Prepared,
  reader: Reader,
): Promise<Answer | ExecutionResult> {
  try {
    const answered = await answerOperation(shape, cost, reader)
    const { state } = answered
    return { ...answered, extensions: { ...(state && toExtension(state.finalizedThrough)), cost } }
  } catch (error) {
    const isAtField = error instanceof GraphQLError
    return {
      ...(isAtField && { data: null }),
      errors: [isAtField ? maskError(error) : refuse(error)],
      extensions: { cost },
    }
  }
}

export function isAnswer(answer: Answer | ExecutionResult): answer is Answer {
  return 'isPure' in answer
}

export function textOf({ data, extensions }: Answer): string {
  return `{"data":${data},"extensions":${JSON.stringify(extensions)}}`
}

/** Presents the answer as a result, whose text Yoga writes as it is. */
export function toResult(answer: Answer | ExecutionResult): ExecutionResult {
  if (!isAnswer(answer)) return answer
  const { extensions } = answer
  // The status of a response depends on whether its result has data.
  return Object.assign({ data: {}, extensions: { ...extensions } }, { stringify: () => textOf(answer) })
}
