/** Rows that the projection lacks although a node has their event, or the contracts list them. */
import type { Address } from 'viem'
import type { Chain } from '../api/chain/client.ts'
import { type ReadProjection, scopeOf } from './audit.ts'
import type { Evidence } from './chain/evidence.ts'
import { type BlockRange, type ProtocolLog, partsOf, readLogs } from './chain/logs.ts'
import type { Comparison } from './comparison.ts'
import { BETWEEN, type Entity, missingRow } from './entity.ts'

/** Keys of one statement. */
const KEYS = 500

export type ScanOptions = {
  chain: Chain
  read: ReadProjection
  entities: readonly Entity[]
  addresses: readonly Address[]
  range: BlockRange
  /** Is called after each part of the range, with its last block. */
  onProgress?: (block: bigint) => void
}

/** The rows that the events of a range imply and that the projection does not have. */
export async function scanLogs(options: ScanOptions): Promise<Comparison[]> {
  const found: Comparison[] = []
  for (const part of partsOf(options.range)) {
    const logs = await readLogs(options.chain, options.addresses, part)
    found.push(...(await findMissingRows(options.read, options.entities, logs)))
    options.onProgress?.(part.to)
  }
  return found
}

/** The rows that the events imply and that the projection does not have. */
export async function findMissingRows(
  read: ReadProjection,
  entities: readonly Entity[],
  logs: readonly ProtocolLog[],
): Promise<Comparison[]> {
  const found: Comparison[] = []
  for (const entity of entities) {
    const implied = new Map(logs.flatMap((log) => entity.implied(log).map((key) => [key, log] as const)))
    for (const keys of chunked([...implied.keys()], KEYS)) {
      const present = new Set(await presentKeys(read, entity, keys))
      for (const key of keys) {
        const log = implied.get(key)
        if (log && !present.has(key)) found.push(missingRow(entity.name, key, describe(log)))
      }
    }
  }
  return found
}

function describe({ eventName, blockNumber, logIndex }: ProtocolLog): string {
  return `${eventName} in block ${blockNumber}, log ${logIndex}`
}

/** The rows that the contracts list and that the projection does not have. */
export async function findAbsentRows(
  read: ReadProjection,
  entities: readonly Entity[],
  evidence: Evidence,
): Promise<Comparison[]> {
  const found: Comparison[] = []
  for (const entity of entities) {
    const listed = await entity.listed(evidence)
    if (listed.length === 0) continue
    const present = new Set(await presentKeys(read, entity, listed))
    const missing = listed.filter((key) => !present.has(key))
    found.push(...missing.map((key) => missingRow(entity.name, key, 'exists')))
  }
  return found
}

/** The keys for which the projection has rows. */
export async function presentKeys(
  read: ReadProjection,
  entity: Entity,
  keys: readonly string[],
): Promise<string[]> {
  return read(async (db, schema) => {
    const scopes = scopeOf(
      entity,
      keys.map((key) => key.split(BETWEEN)),
    )
    const present: string[] = []
    for (const scope of scopes) present.push(...(await entity.keys(db, schema, scope)))
    return present
  })
}

export function chunked<T>(items: readonly T[], size: number): T[][] {
  const chunks: T[][] = []
  for (let start = 0; start < items.length; start += size) chunks.push(items.slice(start, start + size))
  return chunks
}
