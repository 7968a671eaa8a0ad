/**
 * Over a random history with reorganizations, the view of unfinalized events is what the logs of the chain are, and the
 * projection becomes that. The logs are read and decoded apart from both.
 *
 *     SEED=7 npx vitest run --project own test/head/history.test.ts
 */
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { UnfinalizedEvent } from '../../api/head/unfinalized.ts'
import { createPool } from '../../api/projection/session/database.ts'
import { createRpcBatch } from '../../devnet/rpc.ts'
import { createClient } from '../graphql/client.ts'
import { playRandomHistory, playSteps } from '../indexer/random-world.ts'
import { readHistory } from '../indexer/truth/history.ts'
import { asCells, readTables, truthOf } from '../indexer/truth/tables.ts'
import { until } from '../support/indexer.ts'
import { type LiveWorld, startLiveWorld } from '../support/live-world.ts'
import { setIssuerActive } from '../support/scenario.ts'

const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000)
const ROUNDS = 2
const STEPS = 4

type Log = { eventName: string; args?: object; blockNumber: bigint; logIndex: number }
type Seen = UnfinalizedEvent & { blockHash: Hex }

let the: LiveWorld
const seen = new Map<string, Seen>()
let before: string[] = []

beforeAll(async () => {
  // A block is final when 80 more follow it.
  the = await startLiveWorld({ HEAD_POLL_MS: '20', DATABASE_TIMEOUT_MS: '600000' }, { slotsInAnEpoch: 40 })
  const scene = await playRandomHistory(the.world, SEED, 0)
  await the.project()
  before = await finalizedAnswers()
  for (let round = 0; round < ROUNDS; round += 1) {
    await playSteps(scene, SEED + round, STEPS)
    await compareWithLogs()
    const depth = (SEED + round) % 5
    if (depth === 0) continue
    await createRpcBatch(the.world.rpcUrl)([['anvil_reorg', [depth, []]]])
    await compareWithLogs()
  }
  // A query shows this event in every history: no later step or reorganization removes it.
  await setIssuerActive(the.world, { issuer: `0x${'5e'.repeat(20)}`, active: true })
  await compareWithLogs()
})
afterAll(() => the?.stop())

async function logs(): Promise<Log[]> {
  const history = await readHistory(the.world, await the.world.chain.getBlockNumber())
  const parts: readonly (object | string)[] = Object.values(history)
  return parts.flatMap((part) => (Array.isArray(part) ? part : []))
}

/** The view has each log of its blocks with its values, and nothing else. */
async function compareWithLogs(): Promise<void> {
  const { hash } = await the.world.chain.getBlock()
  await until(async () => the.head.latest()?.head.hash === hash)
  const view = the.head.latest()
  if (!view) throw new Error('there is no view')
  expect(view.leftOut).toEqual(new Set())
  const expected = (await logs()).filter(({ blockNumber }) => blockNumber > view.base)
  expect(view.events.map(toText)).toEqual(expected.toSorted(byPlace).map(logToText))
  for (const event of view.events)
    seen.set(`${event.block.hash} ${event.logIndex}`, { ...event, blockHash: event.block.hash })
}

function byPlace(a: Log, b: Log): number {
  return Number(a.blockNumber - b.blockNumber) || a.logIndex - b.logIndex
}

function toText({ name, block, logIndex, arguments: all }: UnfinalizedEvent): string {
  const values = all.map((argument) => `${argument.name}=${argument.value}`).toSorted()
  return [block.number, logIndex, name, ...values].join(' ')
}

function logToText({ eventName, args = {}, blockNumber, logIndex }: Log): string {
  return [blockNumber, logIndex, eventName, ...valuesOf('', args).toSorted()].join(' ')
}

function valuesOf(prefix: string, args: object): string[] {
  return Object.entries(args).flatMap(([key, value]) => {
    const name = `${prefix}${key}`
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return valuesOf(`${name}.`, value)
    return [`${name}=${/^0x[0-9a-fA-F]{40}$/.test(value) ? value.toLowerCase() : value}`]
  })
}

const QUERIES = [
  '{ claims(first: 100, orderBy: dueDate) { totalCount nodes { claimId state faceValue financedFaceValue slicesRemaining } } }',
  '{ vaults(first: 50) { nodes { address active capital { fundableLiquidity outstandingFace } } } }',
  '{ issuers(first: 50) { nodes { address active } } }',
  '{ activity(first: 100) { nodes { kind blockNumber } } }',
]

/** Answers of the gateway, each of which a gateway without the view gives, too. */
async function finalizedAnswers(): Promise<string[]> {
  const client = createClient(the.databaseUrl, 1, the.world.rpcUrl)
  const answers = await Promise.all(
    QUERIES.map(async (query) => {
      const request = {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ query }),
      }
      const [own, other] = await Promise.all(
        [the.app, client.app].map(async (app) => (await app.request('/api/v1/graphql', request)).text()),
      )
      expect(own).toBe(other)
      const { data, errors } = JSON.parse(own ?? '')
      expect(errors).toBeUndefined()
      return JSON.stringify(data)
    }),
  )
  await client.stop()
  return answers
}

describe(`unfinalized events of a random history (seed ${SEED})`, () => {
  it('are in no finalized answer before their block is final', async () => {
    expect(await finalizedAnswers()).toEqual(before)
  })

  it('become the projected rows with equal values, or disappear with their block', async () => {
    await the.project()
    const final = new Set((await logs()).map(logToText))
    let gone = 0
    for (const event of seen.values()) {
      const { hash } = await the.world.chain.getBlock({ blockNumber: event.block.number })
      if (hash === event.blockHash) expect(final).toContain(toText(event))
      else gone += 1
    }
    expect(seen.size).toBeGreaterThan(gone)
    const pool = createPool(the.databaseUrl, 1)
    const rows = await readTables(pool)
    await pool.end()
    const block = await the.world.chain.getBlockNumber()
    const truth = truthOf(await readHistory(the.world, block))
    expect(rows.claim).toEqual(asCells(truth.claim))
    expect(rows.execution_leg).toEqual(asCells(truth.execution_leg))
    expect(rows.vault).toEqual(asCells(truth.vault))
    expect(rows.vault_position).toEqual(asCells(truth.vault_position))
    expect(await finalizedAnswers()).not.toEqual(before)
  })
})
