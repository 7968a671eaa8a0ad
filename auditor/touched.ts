/** The rows that blocks changed: by their events, and by the rows whose positions are in the blocks. */

import { firstOrdinalOf } from '../api/domain/ordinal.ts'
import { type Auditor, scopeOf } from './audit.ts'
import type { BlockRange, ProtocolLog } from './chain/logs.ts'
import { entities } from './entities/index.ts'
import { BETWEEN, type Entity } from './entity.ts'
import type { Scope } from './rows.ts'
import { chunked } from './scan-logs.ts'

/** Keys by the name of their entity; a key may be its first columns only. */
export type Keys = Map<string, Set<string>>

/** Keys of one snapshot. */
const KEYS = 200

export function addKeys(keys: Keys, entity: string, added: Iterable<string>): void {
  const known = keys.get(entity) ?? new Set()
  for (const key of added) known.add(key)
  keys.set(entity, known)
}

export function keysOfLogs(logs: readonly ProtocolLog[]): Keys {
  const keys: Keys = new Map()
  for (const entity of entities) addKeys(keys, entity.name, logs.flatMap(entity.touched))
  return keys
}

/** Adds the keys that rows of some blocks contain: a row without an event is found by its own position. */
export async function addKeysOfRows({ read }: Auditor, keys: Keys, { from, to }: BlockRange): Promise<void> {
  const ids = [firstOrdinalOf(from), firstOrdinalOf(to + 1n)] as const
  const { activities, settlements, changes, positions } = await read(async (db) => ({
    activities: await db
      .selectFrom('activity')
      .select(['id', 'claimId', 'executionId', 'vault'])
      .where('id', '>=', ids[0])
      .where('id', '<', ids[1])
      .execute(),
    settlements: await db
      .selectFrom('settlement')
      .select('id')
      .where('id', '>=', ids[0])
      .where('id', '<', ids[1])
      .execute(),
    changes: await db
      .selectFrom('capitalChange')
      .select(['id', 'vault'])
      .where('id', '>=', ids[0])
      .where('id', '<', ids[1])
      .execute(),
    positions: await db
      .selectFrom('positionChange')
      .select(['id', 'vault', 'owner'])
      .where('id', '>=', ids[0])
      .where('id', '<', ids[1])
      .execute(),
  }))
  const present = (values: readonly (string | null)[]) => values.filter((value) => value !== null)
  const claims = present(activities.map(({ claimId }) => claimId))
  const executions = present(activities.map(({ executionId }) => executionId))
  const vaults = present([...activities, ...changes].map(({ vault }) => vault))
  addKeys(
    keys,
    'activity',
    activities.map(({ id }) => String(id)),
  )
  addKeys(
    keys,
    'settlement',
    settlements.map(({ id }) => String(id)),
  )
  addKeys(
    keys,
    'capitalChange',
    changes.map(({ id }) => String(id)),
  )
  addKeys(
    keys,
    'positionChange',
    positions.map(({ id }) => String(id)),
  )
  addKeys(
    keys,
    'vaultPosition',
    positions.map(({ vault, owner }) => [vault, owner].join(BETWEEN)),
  )
  for (const entity of ['claim', 'allocation']) addKeys(keys, entity, claims)
  for (const entity of ['execution', 'executionLeg']) addKeys(keys, entity, executions)
  addKeys(keys, 'vault', vaults)
}

/** The rows of the keys, in parts that one snapshot reads. */
export function scopesOf(entity: Entity, keys: Keys): { scope: Scope; keys: readonly string[] }[] {
  return chunked([...(keys.get(entity.name) ?? [])], KEYS).flatMap((part) =>
    scopeOf(
      entity,
      part.map((key) => key.split(BETWEEN)),
    ).map((scope) => ({ scope, keys: part })),
  )
}
