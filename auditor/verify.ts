/** The check of a complete index before it is published for the first time. */

import type { Chain } from '../api/chain/client.ts'
import { createPool, createProjectionDb } from '../api/projection/database.ts'
import type { Manifest } from '../deployments/manifest.ts'
import { findMissingLogs } from './counters.ts'

/** Milliseconds for one statement: sums over a whole index. */
const STATEMENT_TIMEOUT_MS = 600_000
/** One to read over, one for the rows of a sum that differs. */
const CONNECTIONS = 2
export type VerifyOptions = {
  /** Of the indexer's role, which owns the version's tables. */
  databaseUrl: string
  chain: Chain
  manifest: Manifest
}

/** @returns a check of a schema that states each difference by which events are proven missing */
export function createVerify({ databaseUrl, chain, manifest }: VerifyOptions) {
  return async (schema: string): Promise<string[]> => {
    const pool = createPool(databaseUrl, CONNECTIONS, STATEMENT_TIMEOUT_MS)
    // The query that loses its connection fails by itself.
    pool.on('error', () => {})
    try {
      const missing = await findMissingLogs({ db: createProjectionDb(pool), schema, chain, manifest })
      return missing.map(({ entity, key, field, projected, onChain }) => {
        return `${entity} ${key}, ${field}: ${projected ?? 'nothing'} in the index, ${onChain ?? 'nothing'} on chain`
      })
    } finally {
      await pool.end()
    }
  }
}
