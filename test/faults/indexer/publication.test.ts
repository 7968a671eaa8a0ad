/** Two versions of the indexer over one database: the views move forward only. */
import { numberToHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  createIndexedDatabase,
  finalizeAndProject,
  type IndexedDatabase,
  until,
  untilProjected,
} from '../../support/indexer.ts'
import { startNodeProxy } from '../../support/node-proxy.ts'
import { startWorld } from '../../support/protocol.ts'
import * as act from '../../support/scenario.ts'
import { startReader } from './reader.ts'

let world: Awaited<ReturnType<typeof startWorld>>
let database: IndexedDatabase
let node: Awaited<ReturnType<typeof startNodeProxy>>
beforeAll(async () => {
  world = await startWorld()
  await act.createFundedVault(world, { token: world.usd, capital: 1000n })
  database = await createIndexedDatabase(world)
})
afterAll(async () => {
  await database?.remove()
  await node?.stop()
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
  const alarms: string[] = []
  const onLog = (line: string) => {
    const alarm = /"alarm":"(\w+)"/.exec(line)?.[1]
    if (alarm) alarms.push(alarm)
  }

  it('are replaced by a later one once it has reached their block, so that no read goes back', async () => {
    const old = await database.start({ schema: 'indexer_old' })
    await old.ready()
    await finalizeAndProject(world, database.pool)
    const reader = startReader(database.url)

    // The node of the new version is some blocks behind.
    const lagging = await world.chain.getBlock({ blockTag: 'finalized' })
    let lags = true
    node = await startNodeProxy(async ({ method, params }) => {
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
    await old.stop()
  })

  it('do not serve an earlier one that is started again: readers stay on the later one', async () => {
    const again = await database.start({ schema: 'indexer_old', onLog })
    expect(await again.ready()).toBe('SUPERSEDED')
    expect(alarms).toEqual(['BEHIND', 'SUPERSEDED'])
    expect(await servedSchema()).toBe('indexer_next')
    await again.stop()
    const { number } = await world.chain.getBlock()
    await world.chain.mine({ blocks: 2 })
    await untilProjected(database.pool, number)
  })
})
