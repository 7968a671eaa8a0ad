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
