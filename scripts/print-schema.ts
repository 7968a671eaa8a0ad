/** Writes the GraphQL schema as text; with `--check` fails where the committed text differs. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { printSdl } from '../api/graphql/schema.ts'
import { isCheck } from '../settings/command-line.ts'

const path = join(import.meta.dirname, '../api/graphql/generated/schema.graphql')
const sdl = printSdl()

if (!isCheck('scripts/print-schema.ts', 'the GraphQL schema as text')) {
  writeFileSync(path, sdl)
  console.log('wrote api/graphql/generated/schema.graphql')
} else if (!existsSync(path) || readFileSync(path, 'utf8') !== sdl) {
  throw new Error(
    'out of date: api/graphql/generated/schema.graphql. Run "npm run generate" and commit the result.',
  )
} else {
  console.log('api/graphql/generated/schema.graphql matches the schema')
}
