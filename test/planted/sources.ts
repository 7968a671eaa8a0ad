/** The project's files, as paths from its root. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Source = { readonly file: string; readonly text: string }

/** Lists the files that git tracks, or would track. */
export function listFiles(root: string): string[] {
  const options = { cwd: root, encoding: 'utf8' } as const
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], options).split('\0')
  return listed.filter((file) => file !== '' && existsSync(join(root, file)))
}

/** Reads all TypeScript and Solidity. */
export const readSources = (root: string): Source[] =>
  listFiles(root)
    .filter((file) => /\.(ts|sol)$/.test(file))
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))
