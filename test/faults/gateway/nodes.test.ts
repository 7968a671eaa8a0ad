/**
 * Faults of nodes: a gateway with one node refuses what needs the chain, one with a second node goes on, and both
 * answer rightly afterwards.
 */
import { numberToHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { failures } from '../../indexer/lies.ts'
import { fromChain, type Lie, type LyingNode, startLyingNode } from '../../indexer/lying-node.ts'
import { startAnvil } from '../../support/anvil.ts'
import type { Party } from '../../support/parties.ts'
import { createSmartWallet } from '../../support/protocol.ts'
import { type Replica, startReplicaWorld } from '../../support/replica.ts'
import * as routes from '../../support/routes.ts'
import * as act from '../../support/scenario.ts'
import { getNonce, signInMessage } from '../../support/sign-in.ts'
import { type Answer, judge, type Outcome, parseJson } from './outcomes.ts'

const USD = 1_000_000n
/** Milliseconds for one request to a node. A gateway does not start without the answers of a busy machine within it. */
const RPC_TIMEOUT_MS = 5000

const isLong = process.env.FAULTS === 'all'

const headers = { 'content-type': 'application/json' }
const toFinalized =
  (answer: Lie): Lie =>
  (request, truth) =>
    request.params[0] === 'finalized' ? answer(request, truth) : undefined

/** In a selection: every fourth one. */
const FAULTS: Record<string, Lie> = {
  'answers with status 502': () => ({ status: 502 }),
  'states another chain id': ({ method }) => (method === 'eth_chainId' ? { result: '0xa' } : undefined),
  'has no finalized block': toFinalized(() => ({ result: null })),
  'refuses by rate': failures['refuses by rate'],
  'answers with a page of HTML and status 200': () => ({ status: 200, body: '<h1>Login</h1>', headers }),
  'answers with JSON that ends early': failures['answers with JSON that ends early'],
  'does not know finalized blocks': toFinalized(() => ({
    error: { code: -32_000, message: 'finalized block not found' },
  })),
  'does not answer': failures['does not answer'],
  'answers with an empty object': () => ({ status: 200, body: '{}', headers }),
}
const SELECTED = Object.entries(FAULTS).filter((_, i) => isLong || i % 4 === 2)

let the: Awaited<ReturnType<typeof startReplicaWorld>>
let other: Awaited<ReturnType<typeof startAnvil>>
let node: LyingNode
let wallet: Party
let claimId: `0x${string}`
let token: string
/** With the one faulty node, and with a second node that is right. */
let single: Replica
let spared: Replica
let target = 100n * USD
beforeAll(async () => {
  ;[the, other] = await Promise.all([startReplicaWorld(), startAnvil({ timestamp: 1_000_000_000 })])
  const { world } = the
  const { issuer, beneficiary, stranger } = world.parties
  await act.createFundedVault(world, { token: world.usd, capital: 1_000_000n * USD })
  const terms = { issuer, beneficiary: beneficiary.address, token: world.usd, faceValue: 100_000n * USD }
  claimId = (await act.registerClaim(world, terms)).claimId
  wallet = await createSmartWallet(world, stranger)
  await act.finalize(world)
  node = await startLyingNode(world.rpcUrl)
  const env = {
    RPC_TIMEOUT_MS: `${RPC_TIMEOUT_MS}`,
    MIN_BLOCK_WAIT_MS: '0',
    RATE_LIMIT_DEFAULT: '1000000',
    RATE_LIMIT_QUOTE: '1000000',
    RATE_LIMIT_COST: '1000000000',
  }
  const open = { ...env, RATE_LIMIT_SIGN_IN: '1000000' }
  ;[single, spared] = await Promise.all([
    the.start({ rpcUrl: node.url, env: open }),
    the.start({ rpcUrl: `${node.url},${world.rpcUrl}`, env: open }),
  ])
  token = await routes.tokenOf({ app: single, clock: { skewMs: 0 } }, beneficiary)
})
afterAll(async () => {
  await the?.stop()
  await node?.stop()
  await other?.stop()
})

const json = { 'Content-Type': 'application/json' }

async function outcomeOf(asked: Response | Promise<Response>, isRight: (answer: Answer) => boolean) {
  const response = await asked
  return judge({ status: response.status, text: await response.text(), headers: response.headers }, isRight)
}

const has = (member: string) => (answer: Answer) => {
  const body = parseJson(answer.text)
  return typeof body === 'object' && body !== null && member in body
}

const plan = () => ({ claimIds: [claimId], targetAdvance: ++target })

/**
 * Requests that need the chain, each with its outcome. A route that is prepared was planned at a gateway that reaches
 * the chain.
 */
const USES: Record<string, (gateway: Replica) => Promise<Outcome>> = {
  optimize: (gateway) => outcomeOf(routes.postOptimize(gateway, token, plan()), has('routeId')),
  prepare: async (gateway) => {
    const planned = await routes.optimizeToRoute(await reaching(), token, plan())
    const prepared = routes.postPrepare(gateway, token, planned.routeId, 'a-key')
    return outcomeOf(prepared, has('executionId'))
  },
  quote: (gateway) =>
    outcomeOf(
      gateway.request('/api/v1/quotes/preview', {
        method: 'POST',
        headers: json,
        body: JSON.stringify({ claimId }),
      }),
      has('quotes'),
    ),
  'sign-in of a contract': async (gateway) => {
    const message = await signInMessage(gateway, wallet.address, { nonce: await getNonce(gateway) })
    const body = JSON.stringify({ message, signature: await wallet.key.signMessage({ message }) })
    return outcomeOf(
      gateway.request('/api/v1/auth/verify', { method: 'POST', headers: json, body }),
      has('token'),
    )
  },
}

/** A gateway that no fault reaches. */
let right: Replica | undefined
async function reaching(): Promise<Replica> {
  right ??= await the.start()
  return right
}

async function outcomes(gateway: Replica): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const [name, use] of Object.entries(USES)) {
    const outcome = await use(gateway)
    found[name] = outcome.is === 'refused' ? outcome.code : outcome.is === 'wrong' ? outcome.what : outcome.is
  }
  return found
}

const all = (outcome: string) => Object.fromEntries(Object.keys(USES).map((name) => [name, outcome]))

/** Requests that need a node, but no finalized block. */
const WITHOUT_FINALITY = { 'sign-in of a contract': 'right' }

async function goesOn(lie: Lie, exceptions: Record<string, string> = {}): Promise<void> {
  node.lieWith(lie)
  // A check of the node can be valid for some seconds.
  await expect.poll(() => outcomes(single)).toEqual({ ...all('CHAIN_UNAVAILABLE'), ...exceptions })
  await expect.poll(() => outcomes(spared)).toEqual(all('right'))
  const mended = performance.now()
  node.lieWith(undefined)
  await expect.poll(() => outcomes(single)).toEqual(all('right'))
  console.log(`right again ${Math.round(performance.now() - mended)} ms after the end of the fault`)
}

describe('a node that', () => {
  it.each(SELECTED)('%s: 503 CHAIN_UNAVAILABLE without a second node, and nothing with one', (name, lie) =>
    goesOn(lie, name.includes('finalized') ? WITHOUT_FINALITY : {}),
  )

  it('serves another chain: likewise', () => goesOn(fromChain(other.rpcUrl)))

  it('gives an earlier finalized block: answers name it, and none is earlier than X-Min-Block', async () => {
    const { world } = the
    await act.finalize(world)
    const { number: earlier } = await world.chain.getBlock({ blockTag: 'finalized' })
    const blockOf = async (minBlock?: bigint) => {
      const response = await single.request('/api/v1/quotes/preview', {
        method: 'POST',
        headers: { ...json, ...(minBlock !== undefined && { 'X-Min-Block': `${minBlock}` }) },
        body: JSON.stringify({ claimId }),
      })
      const body: unknown = await response.json()
      return body
    }
    expect(await blockOf()).toMatchObject({ blockNumber: Number(earlier) })
    await world.chain.mine({ blocks: 3 })
    const later = earlier + 3n
    expect(await blockOf()).toMatchObject({ blockNumber: Number(later) })
    node.lieWith(
      toFinalized(async (_, truth) => ({
        result: await truth({ method: 'eth_getBlockByNumber', params: [numberToHex(earlier), false] }),
      })),
    )
    expect(await blockOf()).toMatchObject({ blockNumber: Number(earlier) })
    expect(await blockOf(later)).toMatchObject({ status: 503, code: 'CHAIN_BEHIND' })
    node.lieWith(undefined)
    expect(await blockOf(later)).toMatchObject({ blockNumber: Number(later) })
  })

  it('no process has ended', async () => {
    for (const { process: gateway } of [single, spared]) expect(process.kill(gateway.pid, 0)).toBe(true)
  })
})
