/**
 * The databases that reads are answered from: read replicas in turn, and the primary where none of them has the answer.
 */
import { isDatabaseUnavailable, isOutOfTime } from '../../errors.ts'
import type { Control } from './control.ts'
import type { PooledDb } from './database.ts'
import type { ShortReads } from './pipeline.ts'

export type ReadServer = {
  readonly db: PooledDb
  readonly pipeline: ShortReads
  /** Cancels statements of this server. */
  readonly cancel: Control['cancel']
}

/** Milliseconds for which a replica that failed is left out: its next failures would delay reads too. */
const REST_MS = 5000

/** Thrown by a read that needs a later block than the replica has. It has no stack: nobody reads it. */
export const REPLICA_BEHIND: unique symbol = Symbol('the replica is behind')

/** @param report a replica that failed and is left out for a while */
export function createReadServers(
  primary: ReadServer,
  replicas: readonly ReadServer[],
  report: (replica: number, error: unknown) => void,
) {
  const restUntil = new Map<ReadServer, number>()
  let turn = 0
  const inTurn = (): ReadServer[] => {
    turn = (turn + 1) % Math.max(1, replicas.length)
    const now = performance.now()
    const ordered = [...replicas.slice(turn), ...replicas.slice(0, turn)]
    return ordered.filter((replica) => (restUntil.get(replica) ?? 0) <= now)
  }
  return {
    /**
     * Reads from one server after another until one has the answer. The primary is the last: its answer or error
     * counts.
     *
     * @throws as `read` at the primary, and what is no fault of a replica
     */
    read: async <T>(read: (server: ReadServer, isReplica: boolean) => Promise<T>): Promise<T> => {
      for (const replica of inTurn()) {
        try {
          return await read(replica, true)
        } catch (error) {
          if (isGone(error)) {
            restUntil.set(replica, performance.now() + REST_MS)
            report(replicas.indexOf(replica), error)
          } else if (!mayBeElsewhere(error)) throw error
        }
      }
      return read(primary, false)
    },
    primary: <T>(read: (server: ReadServer, isReplica: boolean) => Promise<T>): Promise<T> =>
      read(primary, false),
  }
}

/** A standby cancels statements that hold up what it has to replay (serialization_failure). */
const RECOVERY_CONFLICT = '40001'

const isGone = (error: unknown) => isDatabaseUnavailable(error) && !isOutOfTime(error)

/** Before its first replay of a publication, a replica has no projection. */
const mayBeElsewhere = (error: unknown) =>
  error === REPLICA_BEHIND || codeOf(error) === RECOVERY_CONFLICT || codeOf(error) === 'NOT_READY'

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined)
