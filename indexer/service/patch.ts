/**
 * Whether Ponder is installed with `patches/ponder+<version>.patch`. Without the patch a lost connection or a restored database
 * leaves wrong rows, so the indexer does not start.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const PATCHED_PONDER = '0.16.10'
export const PATCH_FILE = `patches/ponder+${PATCHED_PONDER}.patch`

/**
 * @param root folder of `patches/` and `node_modules/`
 * @throws Error that names the first file that is not as the patch leaves it
 */
export function checkPatch(root: string): void {
  const version = installedPonder(root)
  if (version !== PATCHED_PONDER) {
    throw new Error(
      `Ponder ${version} is installed; the patch is for ${PATCHED_PONDER}. Install that version, or port ${PATCH_FILE}.`,
    )
  }
  for (const { file, added } of addedLines(readFileSync(join(root, PATCH_FILE), 'utf8'))) {
    const lines = new Set(readFileSync(join(root, file), 'utf8').split('\n'))
    const missing = added.find((line) => !lines.has(line))
    if (missing === undefined) continue
    throw new Error(
      `${file} lacks a line of ${PATCH_FILE}: "${missing.trim()}". Run "npm ci" without --ignore-scripts.`,
    )
  }
}

export function installedPonder(root: string): string {
  const file = readFileSync(join(root, 'node_modules/ponder/package.json'), 'utf8')
  const version = /"version": "([^"]+)"/.exec(file)?.[1]
  if (!version) throw new Error('node_modules/ponder/package.json names no version')
  return version
}

function addedLines(patch: string): { file: string; added: string[] }[] {
  return patch
    .split(/^diff --git .*\n/m)
    .slice(1)
    .map((part) => ({
      file: /^\+\+\+ b\/(.+)$/m.exec(part)?.[1] ?? '',
      added: [...part.matchAll(/^\+(?!\+\+ )(.*)$/gm)].map(([, line = '']) => line),
    }))
}
