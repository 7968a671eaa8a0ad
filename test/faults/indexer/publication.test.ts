/** Two versions of the indexer over one database: the views move forward only. */
import { numberToHex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Indexer } from '../../../indexer/service/indexer.ts'
import { startNodeProxy } from '../../indexer/node-proxy.ts'
import {
  createIndexedDatabase,
  finalizeAndProject,
  type IndexedDatabase,
  until,
  untilProjected,
} from '../../support/indexer.ts'
import { startWorld } from '../../support/protocol.ts'
import * as act from '../../support/scenario.ts'
import { startReader } from './reader.ts'

let world: Awaited<ReturnType<typeof startWorld>>
let database: IndexedDatabase
beforeAll(async () => {
  world = await startWorld()
  await act.createFundedVault(world, { token: world.usd, capital: 1000n })
  database = await createIndexedDatabase(world)
})
afterAll(async () => {
  await database?.remove()
  await world?.stop()
})

/** The schema that the views read. */
async function servedSchema(): Promise<string> {
  const { rows } = await database.pool.query(
    `select distinct view_schema, table_schema from information_schema.view_table_usage where view_schema = 'projection'`,
  )
  expect(rows).toHaveLength(1)
  return rows[0].table_schema
}

/** A block with its transactions, in the form of the wire. */
async function blockAsAnswered(number: bigint): Promise<unknown> {
  const call = { method: 'eth_getBlockByNumber', params: [numberToHex(number), true] }
  const response = await fetch(world.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...call }),
  })
  return z.object({ result: z.unknown() }).parse(await response.json()).result
}

describe('versions of the indexer', () => {
  let old: Indexer
  const alarms: string[] = []
  const onLog = (line: string) => {
    const alarm = /"alarm":"(\w+)"/.exec(line)?.[1]
    if (alarm) alarms.push(alarm)
  }
  beforeEach(() => {
    alarms.length = 0
  })

  it('move on to a later one once it is as far as the one before, so that no read goes back', async () => {
    old = await database.start({ schema: 'indexer_old' })
    await old.ready()
    await finalizeAndProject(world, database.pool)
    const reader = startReader(database.url)

    // The node of the new version is some blocks behind.
    const lagging = await world.chain.getBlock({ blockTag: 'finalized' })
    let lags = true
    const node = await startNodeProxy(async ({ method, params }) => {
      if (!lags || method !== 'eth_getBlockByNumber' || params[0] !== 'finalized') return undefined
      return { result: await blockAsAnswered(lagging.number) }
    }, world.rpcUrl)
    await world.chain.mine({ blocks: 5 })
    await finalizeAndProject(world, database.pool)
    const next = await database.start({ schema: 'indexer_next', rpcUrls: [node.url], onLog })
    await until(async () => alarms.includes('BEHIND'))
    expect(await servedSchema()).toBe('indexer_old')
    lags = false
    expect(await next.ready()).toBe('PUBLISHED')
    expect(await servedSchema()).toBe('indexer_next')
    await world.chain.mine({ blocks: 5 })
    await finalizeAndProject(world, database.pool)

    const blocks = await reader.stop()
    expect(blocks.length).toBeGreaterThan(10)
    expect(blocks).toEqual(blocks.toSorted((a, b) => Number(a - b)))
    await next.stop()
    await node.stop()
  })

  it('leave an earlier one without readers, also when it is started again and the later one goes on', async () => {
    await old.stop()
    const next = await database.start({ schema: 'indexer_next' })
    await next.ready()
    const again = await database.start({ schema: 'indexer_old', onLog })
    expect(await again.ready()).toBe('SUPERSEDED')
    expect(alarms).toEqual(['SUPERSEDED'])
    expect(await servedSchema()).toBe('indexer_next')
    await again.stop()
    const { number } = await world.chain.getBlock()
    await world.chain.mine({ blocks: 2 })
    await untilProjected(database.pool, number)
    await next.stop()
  })

  it('go back on request alone, and the later one is superseded from then on', async () => {
    const rollback = await database.start({ schema: 'indexer_old', republish: true })
    expect(await rollback.ready()).toBe('PUBLISHED')
    expect(await servedSchema()).toBe('indexer_old')
    await rollback.stop()
    const next = await database.start({ schema: 'indexer_next', onLog })
    expect(await next.ready()).toBe('SUPERSEDED')
    expect(await servedSchema()).toBe('indexer_old')
    await next.stop()
  })

  it('are published only if their check passes; views of tables that a version lacks are dropped', async () => {
    await database.pool.query(`create view projection.obsolete as select 1 as one`)
    const refused = await database.start({
      schema: 'indexer_checked',
      onLog,
      verify: async (schema) => {
        throw new Error(`${schema} lacks a log`)
      },
    })
    await expect(refused.ready()).rejects.toThrow('indexer_checked lacks a log')
    expect((await refused.exited).code).toBe(0)
    expect(alarms).toEqual(['NOT_PUBLISHED'])
    expect(await servedSchema()).toBe('indexer_old')

    const checked: string[] = []
    const verify = async (schema: string) => void checked.push(schema)
    const passed = await database.start({ schema: 'indexer_checked', verify })
    expect(await passed.ready()).toBe('PUBLISHED')
    expect(await servedSchema()).toBe('indexer_checked')
    const { rows } = await database.pool.query(`select to_regclass('projection.obsolete') as view`)
    expect([checked, rows]).toEqual([['indexer_checked'], [{ view: null }]])
  })
})
