/**
 * A deployment continues after any failure: requests and answers that are lost, transactions that vanish, a process
 * that is killed. Whatever happened, it ends with five transactions and no more. `SEED` chooses the schedules of lost
 * requests.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Hex, numberToHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seededRandom } from '../../api/domain/random.ts'
import { protocolAddresses } from '../../contracts/protocol.ts'
import { readJournal } from '../../deploy/journal.ts'
import { unlockedSigner } from '../../deploy/signer.ts'
import { INHERITED } from '../support/inherited.ts'
import { type RpcRequest, startNodeProxy } from '../support/node-proxy.ts'
import {
  CHAIN_ID,
  type Deployer,
  deployToken,
  failure,
  filesOf,
  run,
  type Stage,
  startStage,
} from './stage.ts'

const SEED = Number(process.env.SEED ?? 17)
const MAIN = join(import.meta.dirname, '../../deploy/main.ts')

let stage: Stage
beforeAll(async () => {
  stage = await startStage()
})
afterAll(() => stage.stop())

const nonceOf = ({ signer }: Deployer) => stage.client.getTransactionCount({ address: signer.address })

/** `before`: the node never gets the request; `after`: it does, and its answer is lost. */
type Delivery = 'pass' | 'before' | 'after'

/** A node whose requests are delivered as is drawn for each. */
function startUnreliableNode(deliveryOf: (request: RpcRequest) => Delivery) {
  return startNodeProxy(async (request) => {
    const delivery = deliveryOf(request)
    if (delivery === 'pass') return undefined
    if (delivery === 'after') await forward(request)
    return { status: 502 }
  }, stage.rpcUrl)
}

async function forward(request: RpcRequest): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ jsonrpc: '2.0', ...request })
  await (await fetch(stage.rpcUrl, { method: 'POST', headers, body })).text()
}

/** Runs `deploy` until it succeeds. @returns the codes of the runs that failed */
async function untilDeployed(deployer: Deployer, attempt: () => Promise<unknown>): Promise<string[]> {
  const codes: string[] = []
  while (!existsSync(join(deployer.folder, `${CHAIN_ID}.json`))) {
    await attempt().catch(async (error: unknown) => {
      codes.push((await failure(Promise.reject(error))).code)
    })
    if (codes.length > 100) throw new Error(`no run succeeds: ${codes.slice(-5)}`)
  }
  return codes
}

async function expectComplete(deployer: Deployer): Promise<void> {
  const { manifest } = await run(stage, deployer)
  expect(manifest?.contracts).toEqual(protocolAddresses(deployer.signer.address, 0))
  expect(await nonceOf(deployer)).toBe(5)
}

const isSend = ({ method }: RpcRequest) => /^eth_send/.test(method)

/** Loses the first of all equal requests, or its answer. */
function losesFirst(delivery: Delivery, isConcerned: (request: RpcRequest) => boolean) {
  const seen = new Set<string>()
  return (request: RpcRequest): Delivery => {
    const text = JSON.stringify([request.method, request.params])
    const isFirst = !seen.has(text)
    seen.add(text)
    return isFirst && isConcerned(request) ? delivery : 'pass'
  }
}

describe('lost requests and answers', () => {
  it.each([SEED, SEED + 1])('end in one deployment (seed %i)', async (seed) => {
    const deployer = await stage.newDeployer()
    const random = seededRandom(seed)
    // An unlocked account, whose hashes are unknown when an answer is lost, for one of the seeds.
    const unlocked = seed === SEED
    const { address } = deployer.signer
    if (unlocked) await stage.client.impersonateAccount({ address })
    let lost = 0
    const node = await startUnreliableNode(() => {
      const drawn = random()
      const delivery = drawn < 0.17 ? 'before' : drawn < 0.34 ? 'after' : 'pass'
      if (delivery !== 'pass') lost += 1
      return delivery
    })
    try {
      const signer = unlocked ? unlockedSigner(address) : deployer.signer
      const codes = await untilDeployed(deployer, () => run(stage, deployer, { url: node.url, signer }))
      // Which requests are lost depends on how often a run looks for its transactions. A request that is repeated may
      // fail no run.
      expect(lost).toBeGreaterThan(0)
      expect(codes.filter((code) => code !== 'NODE_UNAVAILABLE')).toEqual([])
      await expectComplete(deployer)
    } finally {
      await node.stop()
    }
  })

  it.each([
    ['request', 'before'],
    ['answer', 'after'],
  ] as const)('are no failure where the first %s of each kind is lost', async (_, delivery) => {
    const deployer = await stage.newDeployer()
    const node = await startUnreliableNode(losesFirst(delivery, () => true))
    try {
      await run(stage, deployer, { url: node.url })
      await expectComplete(deployer)
    } finally {
      await node.stop()
    }
  })

  it('around each transaction end in one deployment', async () => {
    const deployer = await stage.newDeployer()
    /** From a transaction on, the node is gone: before it has it, before it answers, or right after its answer. */
    const deliveries = ['before', 'after', 'pass'] as const
    let runs = 0
    let isGone = false
    const node = await startUnreliableNode((request) => {
      if (isGone) return 'before'
      isGone = isSend(request)
      return isGone ? (deliveries[runs % deliveries.length] ?? 'pass') : 'pass'
    })
    try {
      const codes = await untilDeployed(deployer, async () => {
        isGone = false
        await run(stage, deployer, { url: node.url }).finally(() => {
          runs += 1
        })
      })
      // Two of three runs send a transaction.
      expect(codes.length).toBeGreaterThanOrEqual(8)
      expect(new Set(codes)).toEqual(new Set(['NODE_UNAVAILABLE']))
      await expectComplete(deployer)
    } finally {
      await node.stop()
    }
  })
})

describe('a transaction', () => {
  /** Deploys on a node that mines only when `mine` is called. */
  async function withoutMining(work: () => Promise<void>): Promise<void> {
    await stage.client.setAutomine(false)
    try {
      await work()
    } finally {
      await stage.client.setAutomine(true)
    }
  }

  const lastHash = ({ folder }: Deployer): Hex => {
    const hash = Object.values(readJournal(folder, CHAIN_ID)?.sent ?? {})
      .at(-1)
      ?.hashes.at(-1)
    if (!hash) throw new Error('nothing was sent')
    return hash
  }

  it('that is dropped is reported, and sent again by the next run', async () => {
    const deployer = await stage.newDeployer()
    await withoutMining(async () => {
      const pause = async () => {
        await stage.client.dropTransaction({ hash: lastHash(deployer) })
      }
      const { code, message } = await failure(run(stage, deployer, { pause }))
      expect(code).toBe('TRANSACTION_DROPPED')
      expect(message).toContain(lastHash(deployer))
    })
    await expectComplete(deployer)
  })

  it('that is pending is waited for, where the answer with its hash was lost', async () => {
    const deployer = await stage.newDeployer()
    const { address } = deployer.signer
    await stage.client.impersonateAccount({ address })
    const node = await startUnreliableNode(losesFirst('after', isSend))
    const pollMs = 7
    // Nothing is mined before the lost request is repeated.
    const pause = async (ms: number) => {
      if (ms === pollMs) await stage.client.mine({ blocks: 1 })
    }
    try {
      await withoutMining(async () => {
        await run(stage, deployer, {
          url: node.url,
          signer: unlockedSigner(address),
          request: { pollMs },
          pause,
        })
      })
    } finally {
      await node.stop()
    }
    const sent = Object.values(readJournal(deployer.folder, CHAIN_ID)?.sent ?? {})
    expect(sent.flatMap(({ hashes }) => hashes)).toEqual([])
    await expectComplete(deployer)
  })

  it('that is not mined in time is reported, and found by the next run', async () => {
    const deployer = await stage.newDeployer()
    await withoutMining(async () => {
      expect((await failure(run(stage, deployer, { request: { waitMs: 0 } }))).code).toBe(
        'TRANSACTION_PENDING',
      )
      await stage.client.mine({ blocks: 1 })
    })
    const first = lastHash(deployer)
    await expectComplete(deployer)
    expect(readJournal(deployer.folder, CHAIN_ID)?.sent.issuerRegistry?.hashes).toEqual([first])
  })

  it('that another one replaced is reported: the addresses cannot be reached any more', async () => {
    const deployer = await stage.newDeployer()
    await withoutMining(async () => {
      expect((await failure(run(stage, deployer, { request: { waitMs: 0 } }))).code).toBe(
        'TRANSACTION_PENDING',
      )
      await stage.client.dropTransaction({ hash: lastHash(deployer) })
    })
    const { address } = deployer.signer
    await stage.client.impersonateAccount({ address })
    const hash = await stage.client.sendTransaction({ account: address, to: address, nonce: 0, chain: null })
    await stage.client.waitForTransactionReceipt({ hash })
    for (const attempt of [1, 2]) {
      expect([attempt, (await failure(run(stage, deployer))).code]).toEqual([attempt, 'TRANSACTION_REPLACED'])
    }
    expect(await nonceOf(deployer)).toBe(1)
  })

  it('that reverts is reported with its hash, and the next run lists the token', async () => {
    const deployer = await stage.newDeployer()
    await run(stage, deployer)
    const request = { tokens: [{ address: await deployToken(stage, 'ONE'), resetsApproval: false }] }
    const node = await startNodeProxy(
      ({ method }) => (method === 'eth_estimateGas' ? { result: '0x7000' } : undefined),
      stage.rpcUrl,
    )
    try {
      const { code, message } = await failure(run(stage, deployer, { url: node.url, request }))
      expect(code).toBe('TRANSACTION_REVERTED')
      expect(message).toContain(lastHash(deployer))
    } finally {
      await node.stop()
    }
    await run(stage, deployer, { request })
    expect(await nonceOf(deployer)).toBe(7)
  })
})

describe('a node that has the state of a block before it names the block', () => {
  it.each([1, 5])(
    'is asked again until it names the block, after answering %i times with the one before',
    async (lateAnswers) => {
      const deployer = await stage.newDeployer()
      const router = protocolAddresses(deployer.signer.address, 0).financingRouter
      let remaining = lateAnswers
      let hasVerified = false
      const node = await startNodeProxy(async ({ method, params = [] }) => {
        if (remaining === 0 || (await nonceOf(deployer)) < 5) return undefined
        const latest = await stage.client.getBlock()
        const named = numberToHex(latest.number - 1n)
        const [of, at] = params
        if (method === 'eth_getBlockByNumber' && of === 'latest') {
          if (hasVerified) remaining -= 1
          return { result: { number: named, hash: latest.parentHash } }
        }
        if (method === 'eth_getTransactionCount') return { result: numberToHex(await nonceOf(deployer)) }
        if (method === 'eth_call') hasVerified = true
        if (method !== 'eth_getCode' || of !== router || at !== named) return undefined
        return { result: await stage.client.getCode({ address: router }) }
      }, stage.rpcUrl)
      try {
        await run(stage, deployer, { url: node.url })
      } finally {
        await node.stop()
      }
      expect([hasVerified, remaining]).toEqual([true, 0])
      await expectComplete(deployer)
    },
  )
})

describe('a process that is killed', () => {
  it('while the answer to a transaction is pending has recorded it, and the next one continues', async () => {
    const deployer = await stage.newDeployer()
    let onHeld = () => {}
    const held = new Promise<void>((resolve) => {
      onHeld = resolve
    })
    let sends = 0
    const node = await startNodeProxy(async (request) => {
      if (!isSend(request)) return undefined
      sends += 1
      if (sends < 3) return undefined
      await forward(request)
      onHeld()
      return 'silence'
    }, stage.rpcUrl)
    try {
      const options = ['--chain-id', `${CHAIN_ID}`, '--confirmations', '1', '--folder', deployer.folder]
      const child = spawn(process.execPath, [MAIN, '--rpc-url', node.url, ...options], {
        env: { ...INHERITED, DEPLOYER_PRIVATE_KEY: deployer.key },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const output: string[] = []
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk) => output.push(String(chunk)))
      await held
      const exit = once(child, 'exit')
      child.kill('SIGKILL')
      await exit
      expect(Object.keys(readJournal(deployer.folder, CHAIN_ID)?.sent ?? {})).toHaveLength(3)
      await expectComplete(deployer)
      const { journal, manifest } = filesOf(deployer)
      expect([output.join(''), journal, manifest].join('')).not.toContain(deployer.key.slice(2))
    } finally {
      await node.stop()
    }
  })
})
