/** Writes all published tables at one finalized block as Parquet files. */
import { createHash, randomUUID } from 'node:crypto'
import { access, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { formatTime } from '../api/domain/time.ts'
import type { ProjectionDb } from '../api/projection/session/database.ts'
import { isHoldingUp, readSnapshot, type Snapshot } from '../api/projection/session/snapshot.ts'
import type { ParquetType } from '../parquet/columns.ts'
import { writeParquet } from '../parquet/write.ts'
import { toFileColumns, type ViewRow } from './columns.ts'
import { readChainId, readPages, readViews, type View } from './views.ts'

/** Content of `manifest.json`. */
export type Manifest = {
  readonly chainId: number
  readonly blockNumber: number
  /** Time of the block, ISO 8601 in UTC. */
  readonly blockTime: string
  /** Null if no node was asked. */
  readonly blockHash: string | null
  readonly tables: readonly TableFile[]
}

type TableFile = {
  readonly name: string
  readonly meaning: string
  readonly file: string
  readonly rows: number
  readonly bytes: number
  /** SHA-256 of the file, in hex. */
  readonly sha256: string
  readonly columns: readonly { readonly name: string; readonly type: ParquetType; readonly meaning: string }[]
}

export type SnapshotOptions = {
  readonly db: ProjectionDb
  /** Folder of the snapshots. */
  readonly folder: string
  readonly clock: () => number
  /** Ends the snapshot. */
  readonly signal: AbortSignal
  /** Reads a block from a node. Default: the manifest has no hash. */
  readonly readBlock?: ReadBlock
}

/** `timestamp` is in Unix seconds. */
export type ReadBlock = (number: bigint) => Promise<{ hash: string; timestamp: bigint }>

const MANIFEST = 'manifest.json'
/** Unfinished snapshots have such names, so that none looks like a finished one. */
const UNFINISHED = /^\.\d+-\d+-[0-9a-f-]{36}$/
/** Age at which an unfinished snapshot is one whose process was killed. */
const ABANDONED_MS = 86_400_000
const CHECK_MS = 1000

/**
 * Writes the snapshot of the last finalized block to `<folder>/<chainId>-<block>`, unless this folder exists. The
 * folder appears when all of its files are stored.
 *
 * @returns its path, and its manifest if it is new
 * @throws CodedError `NOT_READY`; Error when the indexer waits for the snapshot to end
 */
export async function writeSnapshot(
  options: SnapshotOptions,
): Promise<{ path: string; manifest?: Manifest }> {
  const { db, folder } = options
  await mkdir(folder, { recursive: true })
  await removeAbandoned(folder, options.clock())
  return readSnapshot(db, async (snapshot) => {
    const chainId = await readChainId(snapshot)
    const name = `${chainId}-${snapshot.finalizedThrough.blockNumber}`
    const path = join(folder, name)
    if (await exists(path)) return { path }
    const head = await describe(snapshot, chainId, options.readBlock)
    const unfinished = join(folder, `.${name}-${randomUUID()}`)
    await mkdir(unfinished)
    try {
      const tables = await writeTables(snapshot, unfinished, createCheck(snapshot, options))
      const manifest = { ...head, tables }
      await writeFile(join(unfinished, MANIFEST), [Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)])
      await store(unfinished)
      await rename(unfinished, path)
      await store(folder)
      return { path, manifest }
    } catch (error) {
      await rm(unfinished, { recursive: true, force: true })
      throw error
    }
  })
}

/** The node must have the block of the projection: one of another chain, or of another past, names another hash. */
async function describe(
  { finalizedThrough: { blockNumber, timestamp } }: Snapshot,
  chainId: number,
  readBlock: ReadBlock | undefined,
): Promise<Omit<Manifest, 'tables'>> {
  const block = await readBlock?.(blockNumber)
  if (block && block.timestamp !== timestamp) {
    const times = `${formatTime(block.timestamp)} at the node, and of ${formatTime(timestamp)} in the database`
    throw new Error(`Block ${blockNumber} is of ${times}: these are two blocks.`)
  }
  return {
    chainId,
    blockNumber: Number(blockNumber),
    blockTime: formatTime(timestamp),
    blockHash: block?.hash ?? null,
  }
}

async function writeTables(snapshot: Snapshot, folder: string, check: () => Promise<void>) {
  const tables: TableFile[] = []
  for (const view of await readViews(snapshot)) {
    tables.push(await writeTable(folder, view, checked(readPages(snapshot, view), check)))
  }
  return tables
}

async function writeTable(
  folder: string,
  view: View,
  pages: AsyncIterable<readonly ViewRow[]>,
): Promise<TableFile> {
  const columns = view.columns.flatMap(toFileColumns)
  const file = `${view.name}.parquet`
  let rows = 0
  async function* values() {
    for await (const page of pages) {
      rows += page.length
      yield page.map((row) => columns.map(({ valueIn }) => valueIn(row)))
    }
  }
  const written = await writeFile(join(folder, file), writeParquet(columns, values()))
  return {
    name: view.name,
    meaning: view.meaning,
    file,
    rows,
    ...written,
    columns: columns.map(({ name, type, meaning }) => ({ name, type, meaning })),
  }
}

async function writeFile(path: string, parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) {
  const handle = await open(path, 'wx')
  const hash = createHash('sha256')
  let bytes = 0
  try {
    for await (const part of parts) {
      hash.update(part)
      bytes += part.length
      // Unlike `write`, it goes on after a part of the bytes was taken, and throws if a disk is full.
      await handle.writeFile(part)
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
  return { bytes, sha256: hash.digest('hex') }
}

/** Stores the names in a folder, which would be lost with the power otherwise. */
async function store(folder: string): Promise<void> {
  const handle = await open(folder)
  await handle.sync()
  await handle.close()
}

async function* checked<T>(pages: AsyncIterable<T>, check: () => Promise<void>) {
  for await (const page of pages) {
    await check()
    yield page
  }
}

/** Ends the snapshot on request, and when the indexer waits for it to end: all other reads wait for the indexer. */
function createCheck(snapshot: Snapshot, { clock, signal }: SnapshotOptions): () => Promise<void> {
  let next = clock() + CHECK_MS
  return async () => {
    signal.throwIfAborted()
    if (clock() < next) return
    if (await isHoldingUp(snapshot)) {
      throw new Error(
        'The indexer waits for this snapshot to end, in order to publish a new index. Run it again.',
      )
    }
    next = clock() + CHECK_MS
  }
}

async function removeAbandoned(folder: string, now: number): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!UNFINISHED.test(name)) continue
    const path = join(folder, name)
    const { mtimeMs } = await stat(path)
    if (now - mtimeMs > ABANDONED_MS) await rm(path, { recursive: true, force: true })
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
