/** The explorer of the development system. It is built when its sources have changed since the last build. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const ROOT = join(import.meta.dirname, '..')
const SOURCES = [
  'explorer/{index.html,package.json,vite.config.ts}',
  'explorer/src/**/*',
  'packages/{client,react}/src/**/*.ts',
  'deployments/*.json',
]

const CACHE = join(ROOT, '.cache')
/** Where `npm run explorer` writes. */
export const EXPLORER_FOLDER = join(CACHE, 'explorer')
const MARK = 'built-from'

const VITE = join(ROOT, 'node_modules/vite/bin/vite.js')
const CONFIG = join(ROOT, 'explorer/vite.config.ts')

const execFileAsync = promisify(execFile)

/** Builds the explorer, unless the last build is of these sources. */
export async function buildExplorer(): Promise<void> {
  const sources = hashOf(SOURCES)
  if (isBuiltFrom(sources)) return
  mkdirSync(CACHE, { recursive: true })
  const outDir = mkdtempSync(`${EXPLORER_FOLDER}-`)
  chmodSync(outDir, 0o755)
  await buildExplorerInto(outDir)
  writeFileSync(join(outDir, MARK), sources)
  // Another system may start and serve the folder meanwhile.
  if (!isBuiltFrom(sources)) {
    rmSync(EXPLORER_FOLDER, { recursive: true, force: true })
    renameSync(outDir, EXPLORER_FOLDER)
  }
  rmSync(outDir, { recursive: true, force: true })
}

/** @param settings those of the build: `GATEWAY_URL`, `CHAIN_ID`, `DEPLOYMENTS_DIR` */
export async function buildExplorerInto(
  folder: string,
  settings: Record<string, string> = {},
): Promise<void> {
  const { GATEWAY_URL: _, CHAIN_ID: __, DEPLOYMENTS_DIR: ___, ...inherited } = process.env
  const env = { ...inherited, ...settings, NODE_ENV: 'production' }
  await execFileAsync(process.execPath, [VITE, 'build', '--config', CONFIG, '--outDir', folder], { env })
}

function isBuiltFrom(sources: string): boolean {
  const mark = join(EXPLORER_FOLDER, MARK)
  return existsSync(mark) && readFileSync(mark, 'utf8') === sources
}

function hashOf(patterns: readonly string[]): string {
  const files = globSync([...patterns], { cwd: ROOT, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
  const hash = createHash('sha256')
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(file))
  return hash.digest('hex')
}
