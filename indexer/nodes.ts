/** The nodes of RPC_URLS as the indexer uses them. */
import type { Hex } from 'viem'
import { type CheckedNode, checkedNode } from '../nodes/checked-node.ts'
import { type Ask, connectNodes, type Limits } from '../nodes/connect.ts'
import { answeredError, httpStatus } from '../nodes/errors.ts'
import type { Identity, KnownBlock } from '../nodes/identity.ts'
import { NodeError } from '../nodes/node-error.ts'

/**
 * Milliseconds that a request waits until a node can be used. Ponder retries a failed request after 125 ms, and doubles
 * the delay up to 32 s: a request that fails at once during an outage of 20 s would be retried 12 s after its end. Less
 * than the 15 s after which Ponder warns of a slow request.
 */
const HOLD_MS = 12_000
const RETRY_MS = 500

/**
 * Bytes of an answer about one block. Anyone can fill a block with logs, and a block that cannot be read stops the
 * index: 60 million gas make logs of at most 58 MB of JSON (375 gas and 365 bytes for each log without topics).
 */
export const BLOCK_BYTES_MAX = 64 << 20
/** Bytes of the logs of several blocks: Ponder splits a range with more, and requests several ranges at once. */
export const RANGE_BYTES_MAX = 10 << 20

export type Nodes = {
  /**
   * Runs `work` with each node in order until one has an answer; null if none has one.
   * @throws the error that a node answered with; else, after retries for `HOLD_MS`, the reason why no node can be used
   */
  use: <T>(work: (ask: Ask) => Promise<T | null>) => Promise<T | null>
  /**
   * Runs `work` with every node that can be used, and returns the answer that `choose` selects.
   * @throws what `choose` throws, after retries for `HOLD_MS`; else as `use`
   */
  useAll: <T>(work: (ask: Ask) => Promise<T>, choose: (answers: readonly T[]) => T) => Promise<T>
  /** @throws NodeError when no node serves the right chain, and at least one serves another */
  check: () => Promise<void>
}

export type NodesOptions = {
  urls: readonly string[]
  chainId: number
  /** Hash of the genesis block. Default: that of the first node that answers. */
  genesis: Hex | undefined
  /** A block that every node must have. */
  known?: KnownBlock | undefined
  limits: Limits
  /** Milliseconds. */
  clock: () => number
  pause: (ms: number) => Promise<unknown>
  report: (message: string) => void
}

export function createNodes(options: NodesOptions): Nodes {
  const { chainId, genesis, known, clock, pause, report } = options
  const identity: Identity = { chainId, known, ...(genesis && { genesis }) }
  const nodes = connectNodes(options.urls, options.limits).map((node) =>
    checkedNode(node, { identity, clock, report }),
  )

  async function held<T>(attempt: () => Promise<T>): Promise<T> {
    const end = clock() + HOLD_MS
    for (;;) {
      try {
        return await attempt()
      } catch (error) {
        if (!mayPass(error) || clock() + RETRY_MS > end) throw error
      }
      await pause(RETRY_MS)
    }
  }

  return {
    use: (work) => held(() => firstAnswer(nodes, work)),
    useAll: (work, choose) => held(async () => choose(await allAnswers(nodes, work))),
    check: () => requireOne(nodes),
  }
}

async function firstAnswer<T>(nodes: readonly CheckedNode[], work: (ask: Ask) => Promise<T | null>) {
  const errors: unknown[] = []
  for (const node of nodes) {
    try {
      const answer = await node.use(work)
      if (answer !== null) return answer
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length < nodes.length) return null
  throw summaryOf(errors)
}

async function allAnswers<T>(nodes: readonly CheckedNode[], work: (ask: Ask) => Promise<T>): Promise<T[]> {
  const settled = await Promise.allSettled(nodes.map((node) => node.use(work)))
  const answers = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  if (answers.length > 0) return answers
  throw summaryOf(settled.flatMap((each) => (each.status === 'rejected' ? [each.reason] : [])))
}

async function requireOne(nodes: readonly CheckedNode[]): Promise<void> {
  const settled = await Promise.allSettled(nodes.map((node) => node.use(() => Promise.resolve())))
  const errors = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
  const refused = errors.filter((error) => error instanceof NodeError)
  if (errors.length === nodes.length && refused.length > 0) throw summaryOf(refused)
}

/** Ponder splits a range of blocks depending on the error message of the node, so such an error has priority. */
function summaryOf(errors: readonly unknown[]): unknown {
  const refused = errors.filter((error) => error instanceof NodeError)
  if (refused.length < errors.length || refused.length < 2) {
    return errors.find(answeredError) ?? errors.find((error) => !(error instanceof NodeError)) ?? errors[0]
  }
  return new NodeError(
    'no node of RPC_URLS',
    `can be used: ${refused.map((error) => error.shortMessage).join('; ')}`,
  )
}

/**
 * Whether a retry can succeed. A node's own error is passed on; for HTTP 400, 413 and 429 Ponder splits the range or
 * slows down itself.
 */
function mayPass(error: unknown): boolean {
  return !answeredError(error) && ![400, 413, 429].includes(httpStatus(error) ?? 0)
}
