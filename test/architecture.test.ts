import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')

/** They do not import each other: what two of them use is in a layer below. */
const USE_CASES = ['api/routing', 'api/prepare', 'api/transactions', 'api/auth']

/** The gateway's layers from top to bottom: a file imports from its own layer or from one below. */
const LAYERS: readonly (readonly string[])[] = [
  ['api/server.ts', 'api/operations'],
  ['api/app.ts', 'api/openapi'],
  ['api/pages'],
  ['api/rest'],
  ['api/graphql'],
  ['api/http', 'api/limits'],
  USE_CASES,
  ['api/eligibility', 'api/optimizer-pool'],
  ['api/deps.ts'],
  ['api/head'],
  ['api/chain'],
  ['api/projection', 'api/store'],
  ['api/metrics', 'api/tracing', 'api/optimizer', 'api/typed-data', 'api/config'],
  ['api/domain', 'api/errors.ts', 'api/error-catalogue', 'api/turn-end.ts'],
]

/** Folders with their parts from bottom to top; their other files are above them all. */
const INNER_LAYERS: Readonly<Record<string, readonly string[]>> = {
  'api/optimizer': ['model', 'split', 'relaxation', 'search'],
  'api/projection': ['sql', 'session', 'tables'],
  'api/graphql': ['kit', 'schema', 'schema.ts', 'operation', 'serve'],
  'api/graphql/operation': ['shape.ts', 'selections.ts', 'measure', 'plan'],
  'explorer/src': ['config.ts', 'place', 'parts', 'shell', 'claims', 'issuers'],
}

/** Files of the rest of the project that the gateway may import; it imports types only of the indexer's schema. */
const SHARED = [
  'abis',
  'contracts/artifacts/FinancingLens.ts',
  'deployments',
  'nodes',
  'parquet',
  'settings',
  'package.json',
]

/**
 * Files that the auditor may import from the rest of the project. It must not share code with the handlers that it
 * checks.
 */
const AUDITOR_MAY_IMPORT = [
  'auditor',
  'abis',
  'deployments',
  'nodes',
  'settings',
  'api/chain',
  'api/projection',
  'api/domain',
  'api/errors.ts',
  'api/http/log.ts',
  'indexer/codes.ts',
  'indexer/position.ts',
]

/** Files of the auditor that its entities, rollups and reads of the chain may import. */
const AUDITOR_BELOW = [
  'auditor/chain',
  'auditor/entities',
  'auditor/rollups',
  'auditor/entity.ts',
  'auditor/comparison.ts',
]

/** Files that the command that writes snapshots may import. */
const SNAPSHOT_MAY_IMPORT = [
  'snapshot',
  'parquet',
  'nodes',
  'settings',
  'api/chain',
  'api/projection',
  'api/domain/time.ts',
]

/**
 * Files that the command that deploys may import. It runs with a key, so it shares as little as possible with the code
 * that serves requests.
 */
const DEPLOY_MAY_IMPORT = ['deploy', 'contracts', 'abis', 'deployments', 'nodes', 'settings']

/** Packages that a frontend installs. */
const PACKAGES = ['packages/client/src', 'packages/react/src']

describe('import direction', () => {
  const files = typescriptFiles('api')
  const auditorFiles = typescriptFiles('auditor')
  /** All that runs in the gateway, the indexer and the auditor. */
  const serverFiles = [
    ...files,
    ...auditorFiles,
    ...typescriptFiles('indexer'),
    ...typescriptFiles('nodes'),
    ...typescriptFiles('parquet'),
    ...typescriptFiles('settings'),
    ...typescriptFiles('snapshot'),
    ...typescriptFiles('src'),
    'ponder.config.ts',
  ]

  it('has every file of the gateway in exactly one layer', () => {
    const misplaced = files.filter((file) => LAYERS.filter((layer) => inLayer(file, layer)).length !== 1)
    expect(misplaced).toEqual([])
  })

  it('runs one way through the gateway', () => {
    const upward = files.flatMap((file) =>
      localImports(file)
        .filter((target) => target.startsWith('api/') && layerOf(target) < layerOf(file))
        .map((target) => `${file} imports ${target}`),
    )
    expect(upward).toEqual([])
  })

  it('keeps the use cases apart: what two of them use is in a layer below', () => {
    const across = USE_CASES.flatMap((folder) =>
      typescriptFiles(folder).flatMap((file) =>
        localImports(file)
          .filter((target) => inLayer(target, USE_CASES) && !isWithin(target, folder))
          .map((target) => `${file} imports ${target}`),
      ),
    )
    expect(across).toEqual([])
  })

  it('assembles the types of GraphQL in schema.ts alone: what they are built from does not import them', () => {
    const importers = typescriptFiles('api/graphql').filter(
      (file) =>
        !isWithin(file, 'api/graphql/schema') &&
        localImports(file).some((target) => isWithin(target, 'api/graphql/schema')),
    )
    expect(importers).toEqual(['api/graphql/schema.ts'])
  })

  it('lets the gateway import nothing of the indexer, devnet or tests but the types of the schema', () => {
    const foreign = files.flatMap((file) =>
      localImports(file)
        .filter((target) => !target.startsWith('api/') && !SHARED.some((place) => isWithin(target, place)))
        .filter((target) => !(target === 'ponder.schema.ts' && importsOnlyTypes(file, 'ponder.schema.ts')))
        .map((target) => `${file} imports ${target}`),
    )
    expect(foreign).toEqual([])
  })

  it('lets the auditor import what reads, and of the indexer only enumerations, ids and types', () => {
    const foreign = auditorFiles.flatMap((file) =>
      localImports(file)
        .filter((target) => !AUDITOR_MAY_IMPORT.some((place) => isWithin(target, place)))
        .filter((target) => !(target === 'ponder.schema.ts' && importsOnlyTypes(file, 'ponder.schema.ts')))
        .map((target) => `${file} imports ${target}`),
    )
    expect(foreign).toEqual([])
  })

  it('runs one way through the auditor: entities and rollups do not import the code that audits them', () => {
    const upward = auditorFiles
      .filter((file) => /^auditor\/(chain|entities|rollups)\//.test(file))
      .flatMap((file) =>
        localImports(file)
          .filter(
            (target) =>
              isWithin(target, 'auditor') && !AUDITOR_BELOW.some((place) => isWithin(target, place)),
          )
          .map((target) => `${file} imports ${target}`),
      )
    expect(upward).toEqual([])
  })

  it('keeps the code that deploys apart: only it knows of keys, and it knows no other process', () => {
    const imports = ['deploy', 'contracts'].flatMap((folder) =>
      typescriptFiles(folder).flatMap((file) => localImports(file).map((target) => ({ file, target }))),
    )
    const foreign = imports.filter(
      ({ target }) => !DEPLOY_MAY_IMPORT.some((place) => isWithin(target, place)),
    )
    const upward = imports.filter(
      ({ file, target }) => isWithin(file, 'contracts') && !/^(?:contracts|abis)\//.test(target),
    )
    const users = [
      ...serverFiles,
      ...[...PACKAGES, 'devnet', 'demo', 'scripts'].flatMap(typescriptFiles),
    ].filter((file) => localImports(file).some((target) => isWithin(target, 'deploy')))
    expect([foreign, upward, users]).toEqual([[], [], []])
  })

  it('keeps the optimizer pure: it imports nothing that could reach a clock, a chain or a database', () => {
    const impure = typescriptFiles('api/optimizer').flatMap((file) =>
      moduleSpecifiers(file)
        .filter((specifier) => !specifier.startsWith('.') && !isTypeImport(file, specifier))
        .map((specifier) => `${file} imports ${specifier}`),
    )
    expect(impure).toEqual([])
  })

  it.each(Object.entries(INNER_LAYERS))('runs one way through %s', (folder, parts) => {
    const layerIn = (file: string): number => {
      const layer = parts.findIndex((part) => isWithin(file, join(folder, part)))
      return layer < 0 ? parts.length : layer
    }
    const imports = importsWithin(folder)
    expect(imports.length).toBeGreaterThan(20)
    expect(imports.filter(({ file, target }) => layerIn(target) > layerIn(file))).toEqual([])
  })

  it('keeps the indexer from importing the gateway', () => {
    const imports = typescriptFiles('src').flatMap((file) =>
      localImports(file).filter((target) => target.startsWith('api/') || target.startsWith('devnet/')),
    )
    expect(imports).toEqual([])
  })

  it('keeps what both processes know of nodes from importing either of them', () => {
    const imports = typescriptFiles('nodes').flatMap((file) =>
      localImports(file).filter((target) => !target.startsWith('nodes/')),
    )
    expect(imports).toEqual([])
  })

  it('keeps what writes Parquet from importing the project', () => {
    const imports = typescriptFiles('parquet').flatMap((file) =>
      localImports(file).filter((target) => !target.startsWith('parquet/')),
    )
    expect(imports).toEqual([])
  })

  it('builds the explorer on published packages and itself alone', () => {
    const published =
      /^(?:claim-financing-(?:client|react)|react(?:-dom\/client)?|@tanstack\/react-query|@observablehq\/plot|viem|hyparquet|apache-arrow|@duckdb\/duckdb-wasm(?:\/dist\/[\w.-]+\?url)?)$/
    const files = typescriptFiles('explorer/src')
    const foreign = files.flatMap((file) =>
      moduleSpecifiers(file)
        .filter(
          (name) => !published.test(name) && !isWithin(normalize(join(dirname(file), name)), 'explorer/src'),
        )
        .map((name) => `${file} imports ${name}`),
    )
    expect(files.length).toBeGreaterThan(30)
    expect(foreign).toEqual([])
  })

  it('lets snapshots import what reads the projection and the chain, and nothing import them', () => {
    const foreign = typescriptFiles('snapshot').flatMap((file) =>
      localImports(file).filter((target) => !SNAPSHOT_MAY_IMPORT.some((place) => isWithin(target, place))),
    )
    const users = serverFiles.filter(
      (file) =>
        !isWithin(file, 'snapshot') && localImports(file).some((target) => isWithin(target, 'snapshot')),
    )
    expect([foreign, users]).toEqual([[], []])
  })

  it('runs Ponder from outside: code that Ponder executes does not import the service, nor the service the devnet', () => {
    const executed = [
      'ponder.config.ts',
      ...typescriptFiles('src'),
      ...typescriptFiles('indexer').filter((file) => !isWithin(file, 'indexer/service')),
    ]
    const upward = executed.flatMap((file) =>
      localImports(file).filter((target) => isWithin(target, 'indexer/service')),
    )
    const service = ['scripts/start-indexer.ts', ...typescriptFiles('indexer')]
    const foreign = service.flatMap((file) =>
      localImports(file).filter((target) => isWithin(target, 'devnet')),
    )
    expect([upward, foreign]).toEqual([[], []])
  })

  it('makes every client of the chain in one file, which follows no URL that a contract names', () => {
    const makers = serverFiles.filter((file) => /\bcreate(Public|Wallet|Test)?Client\b/.test(textOf(file)))
    expect(makers).toEqual(['api/chain/client.ts'])
    const text = textOf('api/chain/client.ts')
    expect(text.match(/\bcreatePublicClient\(\{/g)).toHaveLength(2)
    expect(text.match(/\bccipRead: false,/g)).toHaveLength(2)
  })

  it('makes transports where nodes are configured alone, each of which refuses redirects', () => {
    const makers = serverFiles.filter((file) => /\b(?:http|webSocket|ipc)\(/.test(textOf(file)))
    expect(makers).toEqual(['nodes/connect.ts'])
    expect(textOf('nodes/connect.ts')).toContain("fetchOptions: { redirect: 'error' }")
  })

  it('sends no request by itself, and reads no contract through the client of Ponder, which follows such URLs', () => {
    const senders = serverFiles.filter((file) => {
      const imports = moduleSpecifiers(file).some((name) =>
        /^(?:node:)?(?:https?|net|tls|dgram|undici)$/.test(name),
      )
      return imports || /(?<![.\w])fetch\(|\bcontext\.client\b/.test(textOf(file))
    })
    // Two look at addresses, the others know the server and its connections.
    expect(senders).toEqual([
      'api/http/connections.ts',
      'api/http/drain.ts',
      'api/http/unread.ts',
      'api/limits/client-address.ts',
      'api/server.ts',
      'nodes/public-address.ts',
    ])
  })

  it('loads OpenTelemetry only where it is configured, and prom-client likewise', () => {
    const importers = (pattern: RegExp) =>
      files.filter((file) =>
        moduleSpecifiers(file).some((name) => pattern.test(name) && !isTypeImport(file, name)),
      )
    expect(importers(/^@opentelemetry\//)).toEqual(['api/tracing/start.ts'])
    expect(importers(/^prom-client$/)).toEqual(['api/metrics/durations.ts', 'api/metrics/metrics.ts'])
    const loads =
      /^(?:import|export) (?!type\b)[^;'"]*from '[^']*(?:tracing\/start|metrics\/metrics|\/durations)\.ts'/m
    expect(files.filter((file) => loads.test(textOf(file)))).toEqual(['api/metrics/metrics.ts'])
    expect(textOf('api/operations/load.ts').match(/await import\(/g)).toHaveLength(2)
  })

  it('keeps the packages apart: each imports nothing of this project but its own files', () => {
    const foreign = PACKAGES.flatMap((folder) =>
      typescriptFiles(folder).flatMap((file) =>
        localImports(file)
          .filter((target) => !isWithin(target, folder))
          .map((target) => `${file} imports ${target}`),
      ),
    )
    expect(foreign).toEqual([])
  })

  it('lets no package into the client that a browser cannot run', () => {
    const packages = typescriptFiles('packages/client/src').flatMap((file) =>
      moduleSpecifiers(file).filter((specifier) => !specifier.startsWith('.')),
    )
    expect([...new Set(packages)].sort()).toEqual([
      '@0no-co/graphql.web',
      'eventsource-parser',
      'gql.tada',
      'openapi-fetch',
      'viem',
      'viem/siwe',
    ])
  })

  it('has no cycle of imports, types included', () => {
    const all = [
      ...serverFiles,
      ...[...PACKAGES, 'contracts', 'demo', 'deploy', 'devnet'].flatMap(typescriptFiles),
    ]
    const done = new Set<string>()
    const cycles: string[] = []
    const visit = (file: string, path: readonly string[]) => {
      if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(' → '))
      if (done.has(file) || !all.includes(file)) return
      done.add(file)
      for (const target of localImports(file)) visit(target, [...path, file])
    }
    for (const file of all) visit(file, [])
    expect(cycles).toEqual([])
  })

  it('has no file of more than 300 lines, but what is generated and the one schema of the projection', () => {
    const sources = [
      ...serverFiles,
      ...[...PACKAGES, 'contracts', 'demo', 'deploy', 'devnet', 'scripts', 'bench'].flatMap(typescriptFiles),
      ...readdirSync(join(root, 'contracts')).map((name) => join('contracts', name)),
    ].filter(
      (file) => /\.(ts|sol)$/.test(file) && !/generated|artifacts|node_modules|\/profiles\//.test(file),
    )
    const long = sources.filter((file) => textOf(file).split('\n').length > 301)
    expect(long).toEqual([])
  })

  it('reads the environment only where a process starts', () => {
    const readers = [...files, ...auditorFiles, ...['deploy', 'snapshot'].flatMap(typescriptFiles)].filter(
      (file) => /process\.env/.test(textOf(file)),
    )
    expect(readers).toEqual(['api/server.ts', 'auditor/main.ts', 'deploy/main.ts', 'snapshot/main.ts'])
  })
})

function typescriptFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => join(folder, file))
    .sort()
}

function textOf(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}

function moduleSpecifiers(file: string): string[] {
  const text = textOf(file)
  const found = text.matchAll(
    /(?:^|\n)\s*(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]|(?:^|\n)import\s*['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/g,
  )
  return [...found].map((match) => match[1] ?? match[2] ?? match[3] ?? '')
}

function localImports(file: string): string[] {
  return moduleSpecifiers(file)
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => relative(root, normalize(join(root, dirname(file), specifier))))
}

/** Imports among the files of a folder. */
function importsWithin(folder: string): { file: string; target: string }[] {
  return typescriptFiles(folder).flatMap((file) =>
    localImports(file)
      .filter((target) => isWithin(target, folder))
      .map((target) => ({ file, target })),
  )
}

function isTypeImport(file: string, specifier: string): boolean {
  const text = textOf(file)
  const statements = text.match(/(?:^|\n)\s*(?:import|export)\b[^'"`;]*?\bfrom\s*['"][^'"]+['"]/g) ?? []
  return statements
    .filter((statement) => new RegExp(`['"]${specifier}['"]$`).test(statement))
    .every((statement) => /^\s*(?:import|export)\s+type\b/.test(statement))
}

function importsOnlyTypes(file: string, suffix: string): boolean {
  return moduleSpecifiers(file)
    .filter((specifier) => specifier.endsWith(suffix))
    .every((specifier) => isTypeImport(file, specifier))
}

function layerOf(file: string): number {
  return LAYERS.findIndex((layer) => inLayer(file, layer))
}

function inLayer(file: string, layer: readonly string[]): boolean {
  return layer.some((place) => isWithin(file, place))
}

function isWithin(file: string, place: string): boolean {
  return file === place || file.startsWith(`${place}/`)
}
