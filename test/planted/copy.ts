/** Copies of the project in which faults are planted. */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { PlantedFault } from './fault.ts'

/** Copies what git tracks, or would track, into a new folder; `node_modules` is linked. Returns the folder. */
export function copyProject(root: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'claim-financing-planted-'))
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
  })
  for (const file of listed.split('\0').filter((name) => name !== '' && existsSync(join(root, name)))) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    cpSync(join(root, file), join(folder, file))
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

/** The file with the fault in it. @throws Error where `find` does not occur exactly once */
export function withFault(source: string, { name, file, find, replace }: PlantedFault): string {
  const parts = source.split(find)
  if (parts.length !== 2)
    throw new Error(`"${name}": found ${parts.length - 1} times in ${file}, expected once: ${find}`)
  return parts.join(replace)
}

/** Plants the fault in the copy. @returns a function that removes it */
export function plant(copy: string, fault: PlantedFault): () => void {
  const path = join(copy, fault.file)
  const source = readFileSync(path, 'utf8')
  writeFileSync(path, withFault(source, fault))
  return () => writeFileSync(path, source)
}
