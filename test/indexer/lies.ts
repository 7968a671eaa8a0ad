/** Faults of nodes: wrong answers, which the indexer must notice, and failures, after which it must continue. */
import { numberToHex } from 'viem'
import { z } from 'zod'
import type { Answer } from '../support/node-proxy.ts'
import { fromChain, type Lie } from './lying-node.ts'

/** Two chains with the chain id of the right one, at least as high. */
export type WrongChains = {
  /** URL of a chain with the same genesis block. */
  twin: string
  /** URL of a chain with another genesis block. */
  other: string
}

/** `logged` matches the line that names the fault. */
export type WrongAnswer = { lieFor: (chains: WrongChains) => Lie; logged: RegExp }

const NO_BLOOM = `0x${'00'.repeat(256)}`
const block = z.looseObject({ number: z.string(), logsBloom: z.string() })
const logs = z.array(z.looseObject({ data: z.string() }))

/** Passes the logs of a block or a range through `change`. */
const logsAs =
  (change: (found: z.output<typeof logs>) => unknown): Lie =>
  async ({ method }, truth) => {
    if (method !== 'eth_getLogs') return undefined
    const found = logs.parse(await truth())
    return found.length > 0 ? { result: change(found) } : undefined
  }

const noLogs = logsAs(() => [])

const noLogsAndNoBloom: Lie = async (request, truth) => {
  if (!request.method.startsWith('eth_getBlockBy')) return noLogs(request, truth)
  const found = block.nullable().parse(await truth())
  return found && found.logsBloom !== NO_BLOOM ? { result: { ...found, logsBloom: NO_BLOOM } } : undefined
}

const lowerFinalized: Lie = async ({ params }, truth) => {
  if (params[0] !== 'finalized') return undefined
  const { number } = block.parse(await truth())
  const lower = [numberToHex(BigInt(number) - 4n), true]
  return { result: await truth({ method: 'eth_getBlockByNumber', params: lower }) }
}

const json = { 'content-type': 'application/json' }

const always = (answer: Answer) => () => answer

export const wrongAnswers = {
  'gives no logs': { lieFor: () => noLogs, logged: /bloom filter denies/ },
  'gives no logs, and blocks whose bloom filter is empty': {
    lieFor: () => noLogsAndNoBloom,
    logged: /hash that its header does not have/,
  },
  'leaves out one log': {
    lieFor: () => logsAs((found) => found.slice(1)),
    logged: /bloom filter denies|than its receipts hold/,
  },
  'alters one log': {
    lieFor: () =>
      logsAs(([first, ...rest]) => [{ ...first, data: first?.data.replace(/^0x../, '0xff') }, ...rest]),
    logged: /than its receipts hold/,
  },
  'serves another chain of the same id': {
    lieFor: ({ other }) => fromChain(other),
    logged: /serves the genesis block/,
  },
  'serves another chain of the same id and genesis block': {
    lieFor: ({ twin }) => fromChain(twin),
    logged: /serves another chain: it does not contain block/,
  },
  'states another chain id': {
    lieFor:
      () =>
      ({ method }) =>
        method === 'eth_chainId' ? { result: '0xa' } : undefined,
    logged: /serves chain 10, not 31337/,
  },
} satisfies Record<string, WrongAnswer>

/** Failures that leave nothing to notice: the answer is missing, or is a true one that is old. */
export const failures = {
  'gives a lower finalized block': lowerFinalized,
  'refuses by rate': always({ status: 429, body: '{"error":"too many requests"}' }),
  'answers with a page of HTML': always({ status: 502, body: '<h1>Bad Gateway</h1>' }),
  'answers with JSON that ends early': always({
    status: 200,
    body: '{"jsonrpc":"2.0","id":1,',
    headers: json,
  }),
  'does not answer': always('silence'),
} satisfies Record<string, Lie>
