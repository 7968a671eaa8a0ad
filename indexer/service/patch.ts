/**
 * Whether Ponder is installed with `patches/ponder+<version>.patch`. Without the patch a lost connection or a restored
 * database leaves wrong rows, so the indexer does not start.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const PATCHED_PONDER = '0.17.7'
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
  for (const { file, hunks } of filesOf(readFileSync(join(root, PATCH_FILE), 'utf8'))) {
    const text = readFileSync(join(root, file), 'utf8')
    if (hunks.every((lines) => text.includes(lines))) continue
    throw new Error(`${file} is not as ${PATCH_FILE} leaves it. Run "npm ci" without --ignore-scripts.`)
  }
}

export function installedPonder(root: string): string {
  const file = readFileSync(join(root, 'node_modules/ponder/package.json'), 'utf8')
  const version = /"version": "([^"]+)"/.exec(file)?.[1]
  if (!version) throw new Error('node_modules/ponder/package.json names no version')
  return version
}

/** Each file of a patch with the text of each hunk after the patch. */
function filesOf(patch: string): { file: string; hunks: string[] }[] {
  return patch
    .split(/^diff --git .*\n/m)
    .slice(1)
    .map((part) => ({
      file: /^\+\+\+ b\/(.+)$/m.exec(part)?.[1] ?? '',
      hunks: part
        .split(/^@@ .*\n/m)
        .slice(1)
        .map(afterHunk),
    }))
}

function afterHunk(hunk: string): string {
  const lines = hunk.split('\n').filter((line) => line.startsWith(' ') || line.startsWith('+'))
  return lines.map((line) => line.slice(1)).join('\n')
}
