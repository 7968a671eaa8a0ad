import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Indexer } from '../../indexer/service/indexer.ts'
import {
  createIndexedDatabase,
  finalizeAndProject,
  type IndexedDatabase,
  projectedBlock,
  until,
  untilProjected,
} from '../support/indexer.ts'
import { startNodeProxy } from '../support/node-proxy.ts'
import { startWorld } from '../support/protocol.ts'
import { registerClaim } from '../support/scenario.ts'

describe('an indexer that follows the chain', () => {
  let world: Awaited<ReturnType<typeof startWorld>>
  let database: IndexedDatabase
  let node: Awaited<ReturnType<typeof startNodeProxy>>
  let indexer: Indexer
  let outage = false
  let requests = 0
  const asked: unknown[] = []

  beforeAll(async () => {
    world = await startWorld()
    node = await startNodeProxy(({ method, params }) => {
      requests += 1
      if (method === 'eth_getBlockByNumber') asked.push(params[0])
      return outage ? { status: 503 } : undefined
    }, world.rpcUrl)
    database = await createIndexedDatabase(world)
    indexer = await database.start({ rpcUrls: [node.url] })
    await indexer.ready()
  })

  afterAll(async () => {
    await database?.remove()
    await node?.stop()
    await world?.stop()
  })

  const register = () =>
    registerClaim(world, {
      issuer: world.parties.issuer,
      beneficiary: world.parties.beneficiary.address,
      token: world.usd,
      faceValue: 1_000_000n,
    })

  const isProjected = async (claimId: string) => {
    const found = await database.pool.query('SELECT 1 FROM projection.claim WHERE id = $1', [claimId])
    return found.rowCount === 1
  }

  /**
   * Lets the indexer poll the chain three more times, with at most three requests each: by then it has read everything
   * that it could read.
   */
  const letItLook = async () => {
    const before = requests
    await until(async () => requests >= before + 9)
  }

  it('shows an event once its block is final, and not before', async () => {
    const { claimId, receipt } = await register()
    await world.chain.mine({ blocks: 1 })
    await letItLook()
    const final = await world.chain.getBlock({ blockTag: 'finalized' })
    expect(final.number).toBe(receipt.blockNumber - 1n)
    await untilProjected(database.pool, final.number)
    expect(await projectedBlock(database.pool)).toBe(final.number)
    expect(await isProjected(claimId)).toBe(false)

    await world.chain.mine({ blocks: 1 })
    await untilProjected(database.pool, receipt.blockNumber)
    expect(await isProjected(claimId)).toBe(true)
  })

  it('never asks a node for its latest block', () => {
    expect(asked.length).toBeGreaterThan(0)
    expect(asked).not.toContain('latest')
  })

  it('keeps no trace of an event that a reorganisation of blocks not yet final took back', async () => {
    await finalizeAndProject(world, database.pool)
    const before = await world.chain.snapshot()
    const { claimId: undone } = await register()
    await letItLook()
    await world.chain.revert({ id: before })
    const { claimId: kept } = await register()
    await finalizeAndProject(world, database.pool)
    expect(await isProjected(kept)).toBe(true)
    expect(await isProjected(undone)).toBe(false)
    for (const table of ['activity', 'claim']) {
      const column = table === 'claim' ? 'id' : 'claim_id'
      const rows = await database.pool.query(
        `SELECT ${column} FROM projection.${table} WHERE ${column} = $1`,
        [undone],
      )
      expect(rows.rows).toEqual([])
    }
  })

  it('moves its checkpoint over empty blocks', async () => {
    const before = await finalizeAndProject(world, database.pool)
    await world.chain.mine({ blocks: 5 })
    await untilProjected(database.pool, before + 3n)
    const { number } = await world.chain.getBlock({ blockTag: 'finalized' })
    await untilProjected(database.pool, number)
  })

  it('outlives an outage of its node and catches up with what happened meanwhile', async () => {
    outage = true
    const { claimId, receipt } = await register()
    await world.chain.mine({ blocks: 3 })
    await letItLook()
    expect(await isProjected(claimId)).toBe(false)
    outage = false
    await untilProjected(database.pool, receipt.blockNumber)
    expect(await isProjected(claimId)).toBe(true)
  })

  it('stops in order on SIGINT, and a successor starts at once where it ended', async () => {
    const reached = await finalizeAndProject(world, database.pool)
    expect(await indexer.stop()).toEqual({ code: 0, signal: null, errors: [] })
    const { claimId } = await register()
    const { number } = await world.chain.getBlock()
    await world.chain.mine({ blocks: 2 })
    const successor = await database.start({ soleWriter: false })
    await successor.ready()
    expect(await projectedBlock(database.pool)).toBeGreaterThan(reached)
    await untilProjected(database.pool, number)
    expect(await isProjected(claimId)).toBe(true)
  })
})
