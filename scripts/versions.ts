/** The version of the project, of its packages and of its image: one for all, wherever it is written. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '..')

/** The folders of the packages that are released together; the first is the project itself. */
export const PACKAGES = ['.', 'packages/client', 'packages/react'] as const

/** A version after what it is the version of: a package, a reference to one, its archive, or the image. */
const VERSION =
  /(?<="name": "claim-financing-\w+",\s+"version": "|"claim-financing-client": "\^?|claim-financing-(?:client|react)-|claim-financing-gateway:)\d+\.\d+\.\d+/g

/** The versions that a file has of the project. */
export function versionsIn(text: string): string[] {
  return text.match(VERSION) ?? []
}

/** Every file that has a version of the project, with the version replaced. */
export function withVersion(version: string): Map<string, string> {
  const packages = PACKAGES.map((folder) => join(folder, 'package.json'))
  const others = globSync('{docs,ops}/**/*.{md,yaml}', { cwd: ROOT, exclude: ['**/node_modules'] })
  const texts = [...packages, 'package-lock.json', ...others.sort()].map(
    (file) => [file, readFileSync(join(ROOT, file), 'utf8')] as const,
  )
  return new Map(
    texts
      .filter(([, text]) => versionsIn(text).length > 0)
      .map(([file, text]) => [file, text.replaceAll(VERSION, version)]),
  )
}
