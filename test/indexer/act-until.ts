/** Repeats an event until an indexer has noticed the fault of one of its nodes. */
import type pg from 'pg'
import { hasReached } from '../faults/indexer/progress.ts'
import { until } from '../support/indexer.ts'
import type { World } from '../support/protocol.ts'

/**
 * Acts, and again whenever the projection has the blocks of the last act, until `happened`. One event is not enough: a
 * node that was refused is not used for a second, so another node may be asked for the block of the event.
 */
export async function actUntil(
  happened: () => boolean,
  act: () => Promise<unknown>,
  { world, pool }: { world: World; pool: pg.Pool },
): Promise<void> {
  while (!happened()) {
    await act()
    const { number } = await world.chain.getBlock()
    await world.chain.mine({ blocks: 2 })
    await until(async () => happened() || (await hasReached(pool, number)))
  }
}
