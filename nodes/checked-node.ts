import type { Ask, Connection } from './connect.ts'
import { answeredError, isTimeout } from './errors.ts'
import { checkIdentity, type Identity } from './identity.ts'
import { NodeError } from './node-error.ts'
import { Refusal } from './refusal.ts'

/** Milliseconds for which a check is valid: the chain behind a URL can change without a failure. */
const CHECK_VALID_MS = 5_000
/** Milliseconds for which a refused node is not used. */
const PAUSE_MS = 1_000

export type CheckedNode = {
  /**
   * Runs `work` with the node after a check that it serves the right chain. After a Refusal thrown by `work` the node
   * is paused. After a check without an answer, no request waits for the next check: each fails at once until the node
   * passes one.
   * @throws NodeError when the node was refused, now or within its pause; the failure of the check; what `work` throws
   */
  use: <T>(work: (ask: Ask) => Promise<T>) => Promise<T>
}

type Options = {
  /** Shared by all nodes of one chain. */
  identity: Identity
  /** Milliseconds. */
  clock: () => number
  /** Called with a message when the node is refused for a new reason, and when it is used again. */
  report: (message: string) => void
}

/** A node that is checked before its first answer, after each failure, and every few seconds. */
export function checkedNode({ name, ask }: Connection, { identity, clock, report }: Options): CheckedNode {
  let checkedUntil = Number.NEGATIVE_INFINITY
  let pausedUntil = Number.NEGATIVE_INFINITY
  let refused: NodeError | undefined
  let checking: Promise<void> | undefined
  /** The failure of the last check, if it got no answer. */
  let silence: unknown

  async function check(): Promise<void> {
    try {
      await checkIdentity(ask, identity)
      silence = undefined
      checkedUntil = clock() + CHECK_VALID_MS
    } catch (error) {
      silence = isTimeout(error) ? error : undefined
      throw error
    }
  }

  function checked(): Promise<void> | undefined {
    if (clock() < checkedUntil) return undefined
    checking ??= check().finally(() => {
      checking = undefined
    })
    if (!silence) return checking
    checking.catch(() => {})
    throw silence
  }

  function refuse(fault: string): NodeError {
    const error = new NodeError(name, fault)
    if (refused?.fault !== fault) report(`${error.shortMessage}; it is not used`)
    pausedUntil = clock() + PAUSE_MS
    refused = error
    return error
  }

  function accept(): void {
    if (refused) report(`${name} is used again`)
    refused = undefined
  }

  return {
    async use(work) {
      if (refused && clock() < pausedUntil) throw refused
      try {
        await checked()
        const result = await work(ask)
        accept()
        return result
      } catch (error) {
        if (!answeredError(error)) checkedUntil = Number.NEGATIVE_INFINITY
        throw error instanceof Refusal ? refuse(error.message) : error
      }
    },
  }
}
