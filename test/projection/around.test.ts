/** Blocks of the projection next to each block and time of the shared world. */
import { createPublicClient, http } from 'viem'
import { foundry } from 'viem/chains'
import { afterAll, expect, it } from 'vitest'
import { readAround } from '../../api/projection/past/around.ts'
import { createPool, createProjectionDb } from '../../api/projection/session/database.ts'
import { readSnapshot } from '../../api/projection/session/snapshot.ts'
import { sharedWorld } from '../support/world.ts'

const { rpcUrl, databaseUrl } = sharedWorld()
const pool = createPool(databaseUrl, 2)
afterAll(() => pool.end())

it('have the times that the chain states, and are the last until then and the first after', async () => {
  const chain = createPublicClient({ chain: foundry, transport: http(rpcUrl) })
  await readSnapshot(createProjectionDb(pool), async (snapshot) => {
    const last = snapshot.finalizedThrough.blockNumber
    const { rows } = await pool.query('select block from projection.activity order by id')
    const events: bigint[] = rows.map(({ block }) => block)
    for (let step = 0n; step <= 20n; step += 1n) {
      const block = (last * step) / 20n
      const { timestamp: time } = await chain.getBlock({ blockNumber: block })
      for (const wanted of [{ block }, { time }]) {
        const { before, after } = await readAround(snapshot, wanted)
        for (const next of [before, after]) {
          if (!next) continue
          const found = await chain.getBlock({ blockNumber: next.blockNumber })
          expect(next.timestamp).toBe(found.timestamp)
        }
        expect(before?.blockNumber ?? -1n).toBeGreaterThanOrEqual(
          events.findLast((one) => one <= block) ?? -1n,
        )
        // Blocks can have one time.
        if ('time' in wanted) {
          expect(before?.timestamp ?? -1n).toBeLessThanOrEqual(time)
          expect(after === undefined).toBe(time >= snapshot.finalizedThrough.timestamp)
          if (after) expect(after.timestamp).toBeGreaterThan(time)
          continue
        }
        expect(before?.blockNumber ?? -1n).toBeLessThanOrEqual(block)
        expect(after === undefined).toBe(block === last)
        if (after) expect(after.blockNumber).toBeGreaterThan(block)
        const next = events.find((one) => one > block)
        if (after && next !== undefined) expect(after.blockNumber).toBeLessThanOrEqual(next)
      }
    }
  })
})

it('are changes of terms and of statuses, too, next to a time', async () => {
  const { rows } = await pool.query(
    'select at from projection.vault_version union select at from projection.status_version',
  )
  expect(rows.length).toBeGreaterThan(3)
  await readSnapshot(createProjectionDb(pool), async (snapshot) => {
    for (const { at } of rows) {
      expect((await readAround(snapshot, { time: at })).before?.timestamp).toBe(at)
      expect((await readAround(snapshot, { time: at - 1n })).after?.timestamp).toBe(at)
    }
  })
})

it('end with the last block of the projection, which has no event', async () => {
  const { rows } = await pool.query(`
    select max(block) as block, max(at) as time from (
      select block, at from projection.activity union all select block, at from projection.position_change
      union all select block, at from projection.vault_version union all select block, at from projection.status_version
    ) as event`)
  const [{ block, time }] = rows
  await readSnapshot(createProjectionDb(pool), async (snapshot) => {
    const { finalizedThrough } = snapshot
    expect(finalizedThrough.blockNumber).toBeGreaterThan(block)
    expect((await readAround(snapshot, { block })).after).toEqual(finalizedThrough)
    expect((await readAround(snapshot, { time })).after).toEqual(finalizedThrough)
  })
})
