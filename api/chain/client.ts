/** Every client of the chain is made here, so that no contract can choose a host that the gateway requests. */
import {
  createPublicClient,
  custom,
  type EIP1193RequestFn,
  fallback,
  numberToHex,
  type Transport,
} from 'viem'
import { checkedNode } from '../../nodes/checked-node.ts'
import { type Connection, connectNodes, type Request, type RequestId } from '../../nodes/connect.ts'
import type { Identity } from '../../nodes/identity.ts'
import { ANSWER_BYTES_MAX, CALL_GAS_MAX } from './call-limits.ts'
import { failuresAsReverts } from './evm-failure.ts'
import { asksForFinalized, createSeenBlocks, type ReadFinalized } from './seen-blocks.ts'

type ChainOptions = {
  /** URLs of the nodes in the order of use: the next one is used when one fails. */
  urls: readonly string[]
  /** Milliseconds that one node may take for one request. */
  timeout: number
  /** Receives a message when a node is refused, and when the node is used again. */
  report?: (message: string) => void
  /** Functions that run each request to a node, the last one outermost. */
  around?: readonly AroundCall[]
  /** Maximum size of an answer. Default: `ANSWER_BYTES_MAX` */
  answerBytesMax?: number
  /** Id of the request for which a node is asked; sent to the node as `X-Request-Id`. */
  requestId?: RequestId | undefined
}

export type AroundCall = <T>(method: string, call: () => Promise<T>) => Promise<T>

/**
 * The chain as the gateway reads it. The client has no account, so it never signs. A node is used while it serves the
 * chain of the first node that answered (`checkDeployment` compares that chain with the manifest), and while its
 * finalized blocks descend from those that were read before.
 */
export function createChain({
  urls,
  timeout,
  report = () => {},
  around = [],
  answerBytesMax = ANSWER_BYTES_MAX,
  requestId,
}: ChainOptions) {
  const identity: Identity = {}
  // A monotonic clock. A clock that is set back would exclude a node, or skip its checks, until it has caught up.
  const check = { identity, clock: () => performance.now(), report }
  const readFinalized = createSeenBlocks(identity)
  const limits = { timeout, maxResponseBodySize: answerBytesMax }
  const nodes = connectNodes(urls, limits, requestId).map((node) => around.reduce(surrounded, node))
  return createPublicClient({
    // viem sends requests to URLs that a revert names (EIP-3668) unless this is false.
    ccipRead: false,
    transport: fallback(
      nodes.map((node) => checkedTransport(node, check, readFinalized)),
      RETRY,
    ),
  })
}

const RETRY = { retryCount: 1, retryDelay: 100 }

export type Chain = ReturnType<typeof createChain>

type Bounds = {
  /** Gas limit of an `eth_call` without a limit. */
  gas: bigint
  onFailure: (error: unknown) => void
}

/** Makes a client of the nodes with a gas limit and a callback for each failed request. */
export function createBoundedChain(chain: Chain, { gas, onFailure }: Bounds) {
  const nodes = custom({ request: chain.transport.request }, RETRY)({})
  const request: EIP1193RequestFn = (asked, options) =>
    nodes.request(asked, options).catch((error: unknown) => {
      onFailure(error)
      throw error
    })
  return createPublicClient({
    ccipRead: false,
    transport: custom({ request: withGasLimit(request, gas) }, { retryCount: 0 }),
  })
}

function surrounded({ name, ask }: Connection, around: AroundCall): Connection {
  return { name, ask: (request) => around(request.method, () => ask(request)) }
}

type Check = Parameters<typeof checkedNode>[1]

/** `eth_chainId` is passed to the node without a check, because it is the check. */
function checkedTransport(connection: Connection, check: Check, readFinalized: ReadFinalized): Transport {
  const node = checkedNode(connection, check)
  const transport = custom(
    {
      request(request: Request) {
        if (request.method === 'eth_chainId') return connection.ask(request)
        return node.use((ask) => (asksForFinalized(request) ? readFinalized(ask, request) : ask(request)))
      },
    },
    { retryCount: 0 },
  )
  return (config) => {
    const made = transport(config)
    return { ...made, request: withGasLimit(failuresAsReverts(made.request), CALL_GAS_MAX) }
  }
}

/**
 * Limits the gas of each `eth_call` without a limit: the defaults of nodes differ, and some are hundreds of millions.
 */
function withGasLimit(request: EIP1193RequestFn, gas: bigint): EIP1193RequestFn {
  return ({ method, params }, options) => request({ method, params: limited(method, params, gas) }, options)
}

function limited(method: string, params: unknown, gas: bigint): unknown {
  if (method !== 'eth_call' || !Array.isArray(params)) return params
  const [call, ...rest]: unknown[] = params
  if (typeof call !== 'object' || call === null) return params
  const given = 'gas' in call ? call.gas : undefined
  return [{ ...call, gas: given ?? numberToHex(gas) }, ...rest]
}
