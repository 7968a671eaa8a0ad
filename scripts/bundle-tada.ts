/**
 * Puts the part of gql.tada that the client uses into its build. As a dependency, gql.tada brings a plugin for
 * TypeScript 5 and 6 with it, so that npm warns beside TypeScript 7. The package exports `./tada`, so that a
 * compiler can name the types of documents.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const from = dirname(fileURLToPath(import.meta.resolve('gql.tada')))
const dist = join(import.meta.dirname, '../packages/client/dist')
const license = readFileSync(join(from, '../LICENSE.md'), 'utf8').trim()

/** Files of gql.tada, and their names in the build. */
const files = {
  'gql-tada.mjs': 'index.js',
  'gql-tada-testing.mjs': 'testing.js',
  'gql-tada.d.ts': 'index.d.ts',
  'chunks/index-chunk.d.ts': 'types.d.ts',
} as const

mkdirSync(join(dist, 'tada'))
for (const [file, name] of Object.entries(files)) {
  const text = readFileSync(join(from, file), 'utf8')
    .replace('./gql-tada-testing.mjs', './testing.js')
    .replace('./chunks/index-chunk.js', './types.js')
    .replace(/\/\/# sourceMappingURL=.*\n/, '')
  writeFileSync(join(dist, 'tada', name), `/*\ngql.tada\n\n${license}\n*/\n${text}`)
}
for (const file of readdirSync(dist).filter((name) => /\.(?:js|d\.ts)$/.test(name))) {
  const path = join(dist, file)
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/(['"])gql\.tada\1/g, "'./tada/index.js'"))
}
