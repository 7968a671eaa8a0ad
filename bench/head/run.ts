/** Processor time and requests of the watch of the latest block, for blocks with 0, 100 and 2,000 events. */
import { cpus, loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { type Address, numberToHex } from 'viem'
import { financingVaultAbi } from '../../abis/FinancingVault.ts'
import { createChain } from '../../api/chain/client.ts'
import { abisOf } from '../../api/head/event.ts'
import { type HeadWatch, watchHead } from '../../api/head/watch-head.ts'
import { loadManifest } from '../../deployments/manifest.ts'
import { readCommand } from '../../settings/command-line.ts'
import { startWorld, type World } from '../../test/support/protocol.ts'
import * as act from '../../test/support/scenario.ts'

const { values } = readCommand(
  'npm run bench:head --',
  'Measures the watch of the latest block: requests to the node and processor time for each new block.',
  { rounds: { type: 'string', value: 'N', default: '5', meaning: 'blocks of each size' } },
)
const rounds = Number(values.rounds)
if (!(rounds > 0)) throw new Error(`--rounds is ${values.rounds}, and must be a number above 0`)

const EVENTS = [0, 100, 2_000]
const DEPOSIT = 1_000_000n

const world = await startWorld({ gasLimit: 2_000_000_000 })
const requests = new Map<string, number>()
const vault = await act.createFundedVault(world, { token: world.usd, capital: DEPOSIT })
const watch = await watchWorld(world, vault)
console.log(`${cpus()[0]?.model ?? 'unknown processor'}, load average ${loadavg()[0]?.toFixed(1)}\n`)
console.log('events of the block | processor time, ms (median) | requests of a block beside polls')
console.log('--- | --- | ---')
let recipient = 0n
try {
  for (const events of EVENTS) {
    await measure(events)
    requests.clear()
    const times: number[] = []
    for (let round = 0; round < rounds; round += 1) times.push(await measure(events))
    const others = [...requests].map(([method, count]) => `${method} ${(count / rounds).toFixed(1)}`)
    console.log(`${events} | ${medianOf(times).toFixed(1)} | ${others.join(', ')}`)
  }
} finally {
  watch.close()
  await world.stop()
}

async function watchWorld({ rpcUrl }: World, known: Address): Promise<HeadWatch> {
  const count = <T>(method: string, call: () => Promise<T>): Promise<T> => {
    requests.set(method, (requests.get(method) ?? 0) + 1)
    return call()
  }
  const chain = createChain({ urls: [rpcUrl], timeout: 60_000, answerBytesMax: 32 << 20, around: [count] })
  const sources = {
    chain,
    abis: abisOf(loadManifest(world.chainId)),
    known: { vaults: async () => [known], parties: async () => new Map() },
  }
  const clock = () => performance.now()
  const made = watchHead(sources, { intervalMs: 100, clock, log: pino({ level: 'warn' }) })
  while (!made.latest()) await sleep(10)
  return made
}

/** @returns processor time in milliseconds from the block to its view, less that of polls in an equal idle time */
async function measure(events: number): Promise<number> {
  await fill(events)
  const [busy, took] = await spent(async () => {
    await world.chain.mine({ blocks: 1 })
    const { hash } = await world.chain.getBlock()
    while (watch.latest()?.head.hash !== hash) await sleep(5)
  })
  const [idle] = await spent(() => sleep(took))
  return busy - idle
}

async function spent(work: () => Promise<unknown>): Promise<[processorMs: number, elapsedMs: number]> {
  const began = performance.now()
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return [(user + system) / 1000, performance.now() - began]
}

/** Puts transfers of shares into the pool, each to a wallet of its own. */
async function fill(events: number): Promise<void> {
  await world.chain.setAutomine(false)
  const { provider } = world.parties
  for (let sent = 0; sent < events; sent += 1) {
    recipient += 1n
    await world.chain.writeContract({
      account: provider.address,
      address: vault,
      abi: financingVaultAbi,
      functionName: 'transfer',
      args: [numberToHex(recipient, { size: 20 }), 1n],
      gas: 100_000n,
    })
  }
}

function medianOf(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1] ?? Number.NaN
}
