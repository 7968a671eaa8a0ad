/** Changes since the release that break a client of REST; the check notices each kind of them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeApi } from '../../api/openapi/openapi.ts'
import { describeRestChange, restChanges, unrecordedRestChanges } from '../../scripts/rest-changes.ts'
import {
  type Operation,
  type RestContract,
  readReleasedContract,
  restContract,
  type Schema,
} from '../../scripts/rest-contract.ts'
import { createGateway, type TestStore } from '../support/gateway.ts'
import { createTestStore } from '../support/store.ts'

let store: TestStore
let current: RestContract
beforeAll(async () => {
  store = await createTestStore()
  current = restContract.parse(describeApi(createGateway(store)))
})
afterAll(() => store.stop())

/** The changes of a copy of the document that `change` edits. */
function changesOf(change: (later: RestContract) => void): string[] {
  const later = structuredClone(current)
  change(later)
  return restChanges(current, later).map(describeRestChange)
}

function schemaOf({ components }: RestContract, name: string): Schema {
  return components.schemas[name] ?? missing(name)
}

function fieldOf(contract: RestContract, component: string, name: string): Schema {
  return schemaOf(contract, component).properties?.[name] ?? missing(`${component}.${name}`)
}

function operationOf({ paths }: RestContract, method: 'get' | 'post', path: string): Operation {
  return paths[`/api/v1${path}`]?.[method] ?? missing(path)
}

function missing(what: string): never {
  throw new Error(`the document has no ${what}`)
}

/** Replaces the members of a schema. */
function replace(schema: Schema, by: Schema): void {
  for (const key of Object.keys(schema)) Reflect.deleteProperty(schema, key)
  Object.assign(schema, by)
}

const BREAKING: readonly [change: string, places: readonly string[], edit: (later: RestContract) => void][] =
  [
    ['a path', ['GET /api/v1/vaults'], ({ paths }) => delete paths['/api/v1/vaults']],
    ['an operation', ['GET /api/v1/vaults'], ({ paths }) => delete paths['/api/v1/vaults']?.get],
    [
      'a field of an answer',
      ['VaultQuote.advanceAmount'],
      (later) => delete schemaOf(later, 'VaultQuote').properties?.advanceAmount,
    ],
    [
      'a field of an answer that can be absent',
      ['VaultQuote.advanceAmount'],
      (later) => Object.assign(schemaOf(later, 'VaultQuote'), { required: ['vault'] }),
    ],
    [
      'a field of an answer that can be null',
      ['VaultQuote.totalBps'],
      (later) => {
        const field = fieldOf(later, 'VaultQuote', 'totalBps')
        replace(field, { anyOf: [{ ...field }, { type: 'null' }] })
      },
    ],
    [
      'the type of a field of an answer',
      ['VaultQuote.totalBps'],
      (later) => replace(fieldOf(later, 'VaultQuote', 'totalBps'), { type: 'string' }),
    ],
    [
      'a type that further answers share, named once',
      ['Money'],
      (later) => replace(schemaOf(later, 'Money'), { type: 'integer' }),
    ],
    [
      'the form of a text of an answer',
      ['Address'],
      (later) => replace(schemaOf(later, 'Address'), { type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' }),
    ],
    [
      'a value of an enumeration of an answer',
      ['OptimizedRoute.result.approximation'],
      (later) => fieldOf(later, 'ExecutableRoute', 'approximation').enum?.pop(),
    ],
    [
      'one of the objects that an answer can be',
      ['OptimizedRoute.result.maxAchievableGap'],
      (later) => delete schemaOf(later, 'NonExecutableRoute').properties?.maxAchievableGap,
    ],
    [
      'a field of a request that becomes required',
      ['QuotePreviewRequest.vault'],
      (later) => schemaOf(later, 'QuotePreviewRequest').required?.push('vault'),
    ],
    [
      'a new required field of a request',
      ['QuotePreviewRequest.owner'],
      (later) => {
        const { properties, required } = schemaOf(later, 'QuotePreviewRequest')
        Object.assign(properties ?? {}, { owner: { type: 'string' } })
        required?.push('owner')
      },
    ],
    [
      'a field of a request',
      ['QuotePreviewRequest.vault'],
      (later) => delete schemaOf(later, 'QuotePreviewRequest').properties?.vault,
    ],
    [
      'a bound of a request',
      ['OptimizeRequest.claimIds'],
      (later) => Object.assign(fieldOf(later, 'OptimizeRequest', 'claimIds'), { maxItems: 19 }),
    ],
    [
      'an enumeration of a request',
      ['GET /api/v1/vaults active'],
      (later) =>
        operationOf(later, 'get', '/vaults')
          .parameters?.find(({ name }) => name === 'active')
          ?.schema?.enum?.pop(),
    ],
    [
      'a parameter',
      ['GET /api/v1/vaults active'],
      (later) => {
        const { parameters = [] } = operationOf(later, 'get', '/vaults')
        parameters.splice(
          parameters.findIndex(({ name }) => name === 'active'),
          1,
        )
      },
    ],
    [
      'a required parameter',
      ['GET /api/v1/vaults chain'],
      (later) =>
        operationOf(later, 'get', '/vaults').parameters?.push({
          in: 'query',
          name: 'chain',
          required: true,
          schema: { type: 'string' },
        }),
    ],
    [
      'a media type',
      ['GET /api/v1/vaults 200'],
      (later) => delete operationOf(later, 'get', '/vaults').responses['200']?.content?.['application/json'],
    ],
    [
      'a header of an answer',
      ['GET /api/v1/vaults 200 ETag'],
      (later) => delete operationOf(later, 'get', '/vaults').responses['200']?.headers?.ETag,
    ],
    [
      'an answer',
      ['GET /api/v1/vaults 200'],
      (later) => delete operationOf(later, 'get', '/vaults').responses['200'],
    ],
    [
      'a body that a request must have',
      ['POST /api/v1/routes/cancellation/prepare body'],
      (later) =>
        Object.assign(operationOf(later, 'post', '/routes/cancellation/prepare').requestBody ?? {}, {
          required: true,
        }),
    ],
    [
      'a parameter that becomes required',
      ['GET /api/v1/vaults active'],
      (later) =>
        Object.assign(
          operationOf(later, 'get', '/vaults').parameters?.find(({ name }) => name === 'active') ?? {},
          { required: true },
        ),
    ],
    [
      'a least number of items of a request',
      ['OptimizeRequest.claimIds'],
      (later) => Object.assign(fieldOf(later, 'OptimizeRequest', 'claimIds'), { minItems: 2 }),
    ],
    [
      'values of a field of a request that are listed',
      ['QuotePreviewRequest.vault'],
      (later) => replace(fieldOf(later, 'QuotePreviewRequest', 'vault'), { type: 'string', enum: ['0x'] }),
    ],
    [
      'a token that a public route requires',
      ['GET /api/v1/vaults'],
      (later) => Object.assign(operationOf(later, 'get', '/vaults'), { security: [{ bearer: [] }] }),
    ],
  ]

const HARMLESS: readonly [change: string, edit: (later: RestContract) => void][] = [
  ['a path', ({ paths }) => Object.assign(paths, { '/api/v1/new': { get: { responses: {} } } })],
  [
    'a field of an answer',
    (later) => {
      const { properties, required } = schemaOf(later, 'VaultQuote')
      Object.assign(properties ?? {}, { more: { type: 'string' } })
      required?.push('more')
    },
  ],
  [
    'an optional field of a request',
    (later) =>
      Object.assign(schemaOf(later, 'QuotePreviewRequest').properties ?? {}, { more: { type: 'string' } }),
  ],
  [
    'a value of an enumeration of an answer',
    (later) => fieldOf(later, 'ExecutableRoute', 'approximation').enum?.push('bounded'),
  ],
  [
    'the answer to a request that is refused',
    (later) => delete operationOf(later, 'get', '/vaults').responses['429'],
  ],
  [
    'a header of a request',
    (later) => {
      const { parameters = [] } = operationOf(later, 'get', '/vaults')
      parameters.splice(
        parameters.findIndex((one) => one.in === 'header'),
        1,
      )
    },
  ],
  [
    'an optional parameter',
    (later) =>
      operationOf(later, 'get', '/vaults').parameters?.push({
        in: 'query',
        name: 'chain',
        schema: { type: 'string' },
      }),
  ],
  [
    'more items of a request',
    (later) => Object.assign(fieldOf(later, 'OptimizeRequest', 'claimIds'), { maxItems: 1000 }),
  ],
  [
    'a type that a request can have, too',
    (later) => {
      const field = fieldOf(later, 'QuotePreviewRequest', 'vault')
      replace(field, { anyOf: [{ ...field }, { type: 'null' }] })
    },
  ],
]

describe('the changes of the OpenAPI document', () => {
  it('break no client since the release unless the CHANGELOG names what they break', () => {
    const changelog = readFileSync(join(import.meta.dirname, '../../CHANGELOG.md'), 'utf8')
    const changes = restChanges(readReleasedContract(), current)
    expect(unrecordedRestChanges(changes, changelog).map(describeRestChange)).toEqual([])
  })

  it('are none without a change, and none where only names of components differ', () => {
    expect(changesOf(() => {})).toEqual([])
    const renamed = restContract.parse(
      JSON.parse(JSON.stringify(current).replaceAll('VaultQuote', 'QuoteOfVault')),
    )
    expect(restChanges(current, renamed)).toEqual([])
  })

  it.each(BREAKING)('name what breaks: %s', (_, places, edit) => {
    const found = changesOf(edit)
    expect(found.length).toBeGreaterThan(0)
    for (const place of places) {
      expect(found).toContainEqual(expect.stringMatching(new RegExp(`^breaking ${escaped(place)}: `)))
    }
  })

  it.each(HARMLESS)('do not name what breaks nothing: %s', (_, edit) => {
    expect(changesOf(edit)).toEqual([])
  })

  it('name what breaks a component of a request, and what breaks it as one of an answer', () => {
    const withRequired = (required: readonly string[]): RestContract => {
      const content = { 'application/json': { schema: { $ref: '#/components/schemas/Note' } } }
      const post = { requestBody: { content }, responses: { 200: { content } } }
      const Note = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } }, required }
      return restContract.parse({ paths: { '/notes': { post } }, components: { schemas: { Note } } })
    }
    const changes = restChanges(withRequired(['a']), withRequired(['b'])).map(describeRestChange)
    expect(changes.toSorted()).toEqual(['breaking Note.a: can be absent', 'breaking Note.b: is required'])
  })

  it('are recorded by their place in backticks under Unreleased, and nowhere else', () => {
    const changes = [{ place: 'Vault.name', message: 'was removed' }]
    const changelog = (unreleased: string, released: string) =>
      `# Changelog\n\n## [Unreleased]\n\n- ${unreleased}\n\n## [1.0.0] - 2026-01-01\n\n- ${released}\n`
    expect(unrecordedRestChanges(changes, changelog('Removed `Vault.name`.', 'Began.'))).toEqual([])
    expect(unrecordedRestChanges(changes, changelog('Removed `Vault.names`.', 'Had `Vault.name`.'))).toEqual(
      changes,
    )
  })
})

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}
