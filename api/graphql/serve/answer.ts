/** Answers of operations, or the errors for which they fail. */
import { GraphQLError } from 'graphql'
import type { Context } from 'hono'
import type { BlockAsOf } from '../../chain/block-as-of.ts'
import type { Deps } from '../../deps.ts'
import { findSession, requireSession } from '../../http/authenticate.ts'
import type { AppEnv } from '../../http/env.ts'
import { reachMinBlock } from '../../limits/min-block.ts'
import { refuseWide } from '../../projection/session/aggregate-bound.ts'
import { readInSnapshot, readOpened, type Snapshot } from '../../projection/session/snapshot.ts'
import type { Follow } from '../../transactions/follow.ts'
import { maskError } from '../kit/errors.ts'
import { createOutside } from '../kit/outside.ts'
import {
  type Answered,
  answerOperation,
  type Prepared,
  prepareOperation,
  type Reader,
  toExtension,
} from '../operation/run.ts'
import type { Asked } from '../operation/shape.ts'

export type ReaderDeps = Pick<Deps, 'config' | 'store' | 'chain' | 'head' | 'deployment' | 'labels'> & {
  readonly follow: Follow
  readonly blockAsOf: BlockAsOf
}

/** @returns makes the reader of a request */
export function createReaders(deps: ReaderDeps) {
  const gateway = { labels: deps.labels, router: deps.deployment.contracts.financingRouter }
  return (c: Context<AppEnv>, read: Reader['read'] = c.get('readStatement')): Reader => ({
    gateway,
    spend: c.get('spend'),
    settle: c.get('settle'),
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

/** Returns the reader without its budget: limits of another kind bound its reads. */
export function unlimited(reader: Reader): Reader {
  return { ...reader, spend: () => {}, settle: () => {} }
}

/** Returns the reader whose budget pays for the first page: limits of another kind bound the others. */
export function payingOnce(reader: Reader): Reader {
  let isPaid = false
  const spend = (points: number) => {
    if (!isPaid) reader.spend(points)
    isPaid = true
  }
  return { ...reader, spend, settle: () => {} }
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

/** The errors for which an operation fails: there is no data beside an error. */
export type Failure = {
  /** Null where a field fails; absent where the operation is refused. */
  readonly data?: null
  readonly errors: readonly GraphQLError[]
  readonly extensions?: { readonly [name: string]: unknown }
}

export async function answerRequest(asked: Asked, reader: Reader): Promise<Answer | Failure> {
  const prepared = tryPrepare(asked)
  return 'errors' in prepared ? prepared : answerPrepared(prepared, reader)
}

/** Returns the operation, or the errors of one that exceeds a bound. */
export function tryPrepare(asked: Asked): Prepared | Failure {
  try {
    return prepareOperation(asked)
  } catch (error) {
    return toFailure(error)
  }
}

/** Refuses an operation for an error. */
export function toFailure(error: unknown): Failure {
  return { errors: [maskError(error)] }
}

export async function answerPrepared(
  { shape, cost: own }: Prepared,
  reader: Reader,
): Promise<Answer | Failure> {
  const cost = { cost: own.cost, maximum: own.maximum }
  try {
    const answered = await answerOperation(shape, own, reader)
    const { state } = answered
    return { ...answered, extensions: { ...(state && toExtension(state.finalizedThrough)), cost } }
  } catch (error) {
    const isAtField = error instanceof GraphQLError
    return { ...(isAtField && { data: null }), ...toFailure(error), extensions: { cost } }
  }
}

export function isAnswer(answer: Answer | Failure): answer is Answer {
  return 'isPure' in answer
}
