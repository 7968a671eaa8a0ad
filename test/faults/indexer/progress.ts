/** The progress of the projection, read from a database that may be unavailable. */
import type pg from 'pg'
import { projectedBlock, until } from '../../support/indexer.ts'
import type { World } from '../../support/protocol.ts'

/** Whether the projection has every event up to the block; false while the database does not answer. */
export async function hasReached(pool: pg.Pool, block: bigint): Promise<boolean> {
  const reached = await projectedBlock(pool).catch(() => undefined)
  return reached !== undefined && reached >= block
}

/** Mines until the current latest block is final, and waits for the projection to reach it. */
export async function catchUp(world: World, pool: pg.Pool): Promise<bigint> {
  const { number } = await world.chain.getBlock()
  await world.chain.mine({ blocks: 2 })
  await until(() => hasReached(pool, number))
  return number
}
