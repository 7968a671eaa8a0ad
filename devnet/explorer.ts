/** The explorer of the development system. It is built when its sources have changed since the last build. */
import { createHash } from 'node:crypto'
import {
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

/** Builds the explorer, unless the last build is of these sources. */
export async function buildExplorer(): Promise<void> {
  const sources = hashOf(SOURCES)
  if (isBuiltFrom(sources)) return
  // A system whose explorer is built already starts without the bundler.
  const { build } = await import('vite')
  mkdirSync(CACHE, { recursive: true })
  const outDir = mkdtempSync(`${EXPLORER_FOLDER}-`)
  await build({ configFile: join(ROOT, 'explorer/vite.config.ts'), build: { outDir } })
  writeFileSync(join(outDir, MARK), sources)
  // Another system may start and serve the folder meanwhile.
  if (!isBuiltFrom(sources)) {
    rmSync(EXPLORER_FOLDER, { recursive: true, force: true })
    renameSync(outDir, EXPLORER_FOLDER)
  }
  rmSync(outDir, { recursive: true, force: true })
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
