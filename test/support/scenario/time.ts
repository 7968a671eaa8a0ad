import type { World } from '../protocol.ts'

export const DAY = 86_400n

/** Timestamp of the latest block, in Unix seconds. */
export async function chainTime(world: World): Promise<bigint> {
  return (await world.chain.getBlock()).timestamp
}

/** The second `days` after the latest block: a due date or deadline. */
export async function inDays(world: World, days: number): Promise<bigint> {
  return (await chainTime(world)) + BigInt(days) * DAY
}

/** Mines one block at `timestamp`; time goes on from there. */
export async function travelTo(world: World, timestamp: bigint): Promise<void> {
  await world.chain.setNextBlockTimestamp({ timestamp })
  await world.chain.mine({ blocks: 1 })
}

export async function travelDays(world: World, days: number): Promise<void> {
  await travelTo(world, await inDays(world, days))
}

/** Mines until the block that is the latest now is final. */
export async function finalize(world: World): Promise<void> {
  const { number } = await world.chain.getBlock()
  while ((await world.chain.getBlock({ blockTag: 'finalized' })).number < number) {
    await world.chain.mine({ blocks: 1 })
  }
}
