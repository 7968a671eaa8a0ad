/** Writes the clear-signing descriptors of every deployment; with `--check` fails where the committed ones differ. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadManifest } from '../deployments/manifest.ts'
import { isCheck } from '../settings/command-line.ts'
import { buildDescriptors } from './descriptors.ts'

const checks = isCheck('scripts/write-descriptors.ts', 'the clear-signing descriptors of every deployment')
const root = join(import.meta.dirname, '..')
const folder = join(root, 'descriptors')

const chainIds = readdirSync(join(root, 'deployments')).flatMap(
  (file) => /^(\d+)\.json$/.exec(file)?.[1] ?? [],
)
const manifests = chainIds.map(Number).sort((a, b) => a - b)
const texts = new Map(
  [...buildDescriptors(manifests.map((chainId) => loadManifest(chainId)))].map(([name, content]) => [
    name,
    `${JSON.stringify(content, null, 2)}\n`,
  ]),
)

if (checks) check()
else write()

function write(): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  for (const [name, text] of texts) writeFileSync(join(folder, name), text)
  console.log(`wrote ${texts.size} files to descriptors`)
}

function check(): void {
  const present = existsSync(folder) ? readdirSync(folder) : []
  const extra = present.filter((name) => !texts.has(name))
  const stale = [...texts].filter(
    ([name, text]) => !present.includes(name) || readFileSync(join(folder, name), 'utf8') !== text,
  )
  const names = [...extra, ...stale.map(([name]) => name)]
  if (names.length > 0)
    throw new Error(
      `out of date: descriptors/${names.join(', ')}. Run "npm run generate" and commit the result.`,
    )
  console.log('descriptors/ matches the contracts and the typed data')
}
