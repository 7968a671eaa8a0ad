/** The check of a complete index before it is published for the first time. */

import type { Chain } from '../api/chain/client.ts'
import { createPool, createProjectionDb } from '../api/projection/session/database.ts'
import type { Manifest } from '../deployments/manifest.ts'
import { findMissingLogs } from './counters.ts'

/** Milliseconds for one statement: sums over a whole index. */
const STATEMENT_TIMEOUT_MS = 600_000
/** One for reads, one for the rows of a sum that differs. */
const CONNECTIONS = 2

export type VerifyOptions = {
  /** With the role of the indexer, which owns the version's tables. */
  databaseUrl: string
  chain: Chain
  manifest: Manifest
}

/** @returns a function that checks a schema and returns a description of each difference that proves missing events */
export function createVerify({ databaseUrl, chain, manifest }: VerifyOptions) {
  return async (schema: string): Promise<string[]> => {
    const pool = createPool(databaseUrl, CONNECTIONS, STATEMENT_TIMEOUT_MS)
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
