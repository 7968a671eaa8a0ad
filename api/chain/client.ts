/** Every client of the chain is made here, so that no contract chooses a host that the gateway asks. */
import {
  createPublicClient,
  custom,
  type EIP1193RequestFn,
  fallback,
  http,
  numberToHex,
  type Transport,
} from 'viem'
import { failuresAsReverts } from './evm-failure.ts'
import { ANSWER_BYTES_MAX, CALL_GAS_MAX } from './limits.ts'

type ChainOptions = {
  /** Asked in this order; the next one is asked when one fails. */
  urls: readonly string[]
  /** Milliseconds one node may take for one request. */
  timeout: number
}

/** The chain as the gateway reads it. It never signs: there is no account here. */
export function createChain({ urls, timeout }: ChainOptions) {
  return createPublicClient({
    // viem sends requests to URLs that a revert names (EIP-3668) unless this is false.
    ccipRead: false,
    transport: fallback(
      urls.map((url) => node(url, timeout)),
      RETRY,
    ),
  })
}

const RETRY = { retryCount: 1, retryDelay: 100 }

export type Chain = ReturnType<typeof createChain>

type Bounds = {
  /** Of one `eth_call` that names no gas. */
  gas: bigint
  onFailure: (error: unknown) => void
}

/** The same nodes under a bound of gas of their own, and with a report of each request that failed. */
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

/** A node that redirects would choose another host; a misconfigured URL must fail instead. */
function node(url: string, timeout: number): Transport {
  const transport = http(url, {
    timeout,
    retryCount: 0,
    fetchOptions: { redirect: 'error' },
    maxResponseBodySize: ANSWER_BYTES_MAX,
  })
  return (config) => {
    const made = transport(config)
    return { ...made, request: withGasLimit(failuresAsReverts(made.request), CALL_GAS_MAX) }
  }
}

/** Limits the gas of each `eth_call` that names none: nodes differ in what they give, and some give hundreds of millions. */
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
