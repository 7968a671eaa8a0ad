/** Random rows of a random table, so that rows which no block changes are audited too. */
import { pad, toHex } from 'viem'
import { firstOrdinalOf } from '../api/domain/ordinal.ts'
import { drawBetween, type Random } from '../api/domain/random.ts'
import type { Evidence } from './chain/evidence.ts'
import { entities } from './entities/index.ts'
import type { Entity } from './entity.ts'
import type { Scope } from './rows.ts'

/** @returns at most `rows` rows after a random position in the order of their table */
export async function drawSample(
  random: Random,
  rows: number,
  evidence: Evidence,
): Promise<{ entity: Entity; scope: Scope } | undefined> {
  const entity = entities[Math.floor(random() * entities.length)]
  if (!entity) return undefined
  return { entity, scope: { page: { after: [await drawPlace(random, entity, evidence)], limit: rows } } }
}

/** A random value of the first column of the entity's order. */
async function drawPlace(random: Random, { order }: Entity, { block, startBlock, timestamp }: Evidence) {
  if (order === 'address')
    return pad(toHex(drawBetween(random, 0n, 2n ** 32n - 1n)), { size: 4 }).toLowerCase()
  const number = drawBetween(random, startBlock, block.number)
  return order === 'event' ? String(firstOrdinalOf(number)) : String((await timestamp(number)) ?? 0n)
}
