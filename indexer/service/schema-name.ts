/**
 * The name of the database schema that one version of the indexer writes. Ponder refuses a schema that another build
 * has written, and what it calls a build does not cover files outside `src/`; so the name is derived from everything
 * that decides what the rows will be, the chain included. A changed input indexes into a new schema, from the start.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { Hash } from 'viem'

const FILES = ['ponder.config.ts', 'ponder.schema.ts', 'deployments/manifest.ts']
const FOLDERS = ['src', 'indexer', 'abis', 'patches']
/** Not an input: it runs Ponder and publishes, and no row depends on it. */
const SERVICE = 'indexer/service'

export type IndexerInputs = {
  /** Folder of ponder.config.ts. */
  root: string
  manifestFile: string
  /** Distinguishes two chains of the same id: a development chain that is reset has the same addresses. */
  genesis: Hash
  ponderVersion: string
}

export function indexerSchema({ root, manifestFile, genesis, ponderVersion }: IndexerInputs): string {
  const hash = createHash('sha256').update(`${ponderVersion}\n${genesis}\n`)
  for (const file of [
    ...FILES.map((name) => join(root, name)),
    ...FOLDERS.flatMap((name) => filesIn(root, name)),
  ]) {
    hash.update(`${relative(root, file)}\n`).update(readFileSync(file))
  }
  hash.update(readFileSync(manifestFile))
  return `indexer_${hash.digest('hex').slice(0, 16)}`
}

function filesIn(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|patch)$/.test(name))
    .map((name) => join(root, folder, name))
    .filter((file) => !file.startsWith(join(root, SERVICE, sep)))
    .sort()
}
