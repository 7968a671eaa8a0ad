/** `npm run snapshot`. Exit code 0: the snapshot exists; 1: no snapshot was written; 2: the options are not valid. */
import { createChain } from '../api/chain/client.ts'
import { createPool, createProjectionDb } from '../api/projection/session/database.ts'
import { refuseUnsafeConnections } from '../nodes/unsafe-connections.ts'
import { readCommand } from '../settings/command-line.ts'
import { readSettings } from '../settings/read.ts'
import { snapshotSettings } from '../settings/snapshot.ts'
import { unknownSettings } from '../settings/unknown.ts'
import { type ReadBlock, writeSnapshot } from './write-snapshot.ts'

/** Milliseconds that Postgres may take for a connection, and for one page of rows. */
const DATABASE_TIMEOUT_MS = 60_000

const NODE_TIMEOUT_MS = 10_000

const { values: options } = readCommand(
  'npm run snapshot --',
  'Writes all published tables at the last finalized block as Parquet files, with a manifest. docs/snapshots.md describes them.',
  {
    folder: { type: 'string', value: 'PATH', default: 'snapshots', meaning: 'folder of the snapshots' },
  },
)

for (const message of unknownSettings(process.env)) console.error(`warning: ${message}`)
try {
  await run()
} catch (error) {
  console.error(`No snapshot was written: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}

async function run(): Promise<void> {
  const settings = readSettings(snapshotSettings, process.env)
  const url = settings.DATABASE_URL
  const nodes = settings.SNAPSHOT_RPC_URLS
  await refuseUnsafeConnections(
    [
      { setting: 'DATABASE_URL', url },
      ...(nodes ?? []).map((node) => ({ setting: 'SNAPSHOT_RPC_URLS', url: node })),
    ],
    settings,
  )
  const stopping = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => stopping.abort(new Error(`${signal} was received.`)))
  }
  const pool = createPool(url, 1, DATABASE_TIMEOUT_MS)
  try {
    const { signal } = stopping
    const db = createProjectionDb(pool)
    const { path, manifest } = await writeSnapshot({
      db,
      folder: options.folder,
      clock: Date.now,
      signal,
      ...(nodes && { readBlock: blockReader(nodes) }),
    })
    if (!manifest) return console.log(`${path} exists: the finalized block is the same.`)
    for (const { file, rows, bytes } of manifest.tables) console.log(`${file}: ${rows} rows, ${bytes} bytes`)
    console.log(`${path} is written.`)
  } finally {
    await pool.end()
  }
}

function blockReader(urls: readonly string[]): ReadBlock {
  const chain = createChain({ urls, timeout: NODE_TIMEOUT_MS })
  return async (number) => {
    const { hash, timestamp } = await chain.getBlock({ blockNumber: number, includeTransactions: false })
    return { hash, timestamp }
  }
}
