/** Documents of the client, the hooks and the explorer fit the schema: their types accept fields that do not exist. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Kind, parse, separateOperations, validate } from 'graphql'
import { describe, expect, it } from 'vitest'
import { schema } from '../../api/graphql/schema.ts'

const ROOT = join(import.meta.dirname, '../..')
const SOURCES = ['packages/client/src/*.ts', 'packages/react/src/**/*.ts', 'explorer/src/**/*.ts']
const TEXT = /\bgraphql\(\s*(?:`([^`]*)`|'([^'\n]*)')/g

function definitionsIn(file: string) {
  const source = readFileSync(join(ROOT, file), 'utf8')
  const texts = [...source.matchAll(TEXT)].map(([, long, short]) => long ?? short ?? '')
  // The directive is one of the types alone.
  return texts.flatMap((text) => parse(text.replaceAll('@_unmask', '')).definitions)
}

/** The operations of the files, each with the fragments that it uses. */
function documentsOf(files: readonly string[]) {
  const all = files.flatMap((file) => definitionsIn(file).map((definition) => ({ file, definition })))
  const definitions = all.map(({ definition }) => definition)
  const fragments = definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION)
  return all.flatMap(({ file, definition }) => {
    if (definition.kind !== Kind.OPERATION_DEFINITION) return []
    const whole = { kind: Kind.DOCUMENT, definitions: [definition, ...fragments] } as const
    return Object.entries(separateOperations(whole)).map(([name, document]) => ({ file, name, document }))
  })
}

const found = SOURCES.flatMap((pattern) => documentsOf(globSync(pattern, { cwd: ROOT })))

describe('the documents', () => {
  it.each(found)('$name of $file has fields of the schema alone', ({ document }) => {
    expect(validate(schema, document).map(({ message }) => message)).toEqual([])
  })

  it('are found in each of the three', () => {
    const folders = found.map(({ file }) => file.replace(/\/src\/.*/, ''))
    expect(new Set(folders)).toEqual(new Set(['packages/client', 'packages/react', 'explorer']))
    expect(found.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['LiveClaim', 'LiveAccount', 'LiveExecution', 'Claims', 'Vaults']),
    )
  })
})
