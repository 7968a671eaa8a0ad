/** Copies of the project in which faults are planted. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { PlacedFault } from './place.ts'
import { listFiles } from './sources.ts'

/** Copies the project's files into a new folder of git; `node_modules` is linked. Returns the folder. */
export function copyProject(root: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'claim-financing-planted-'))
  for (const file of listFiles(root)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    cpSync(join(root, file), join(folder, file))
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  execFileSync('git', ['init', '--quiet'], { cwd: folder })
  return folder
}

/** Plants the fault in the copy. @returns a function that removes it */
export function plant(copy: string, { replace, place: { file, start, end } }: PlacedFault): () => void {
  const path = join(copy, file)
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.slice(0, start) + replace + text.slice(end))
  return () => writeFileSync(path, text)
}
