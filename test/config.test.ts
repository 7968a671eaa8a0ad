import { describe, expect, it } from 'vitest'
import { parseConfig } from '../api/config/config.ts'
import { gatewaySettings } from '../settings/gateway/index.ts'
import { TEST_SECRET } from './support/gateway.ts'

const complete = {
  NODE_ENV: 'test',
  DATABASE_URL: 'postgres://gateway:hunter2@db.example:5432/projection',
  RPC_URLS: 'https://a.example/v2/hunter2, https://b.example',
  CHAIN_ID: '31337',
}

/** Properties whose names are not those of their variables. */
const RENAMED: Readonly<Record<string, string>> = {
  GATEWAY_METRICS_HOST: 'metricsHost',
  GATEWAY_METRICS_PORT: 'metricsPort',
  OTEL_TRACES_SAMPLER_ARG: 'tracesRatio',
}
const POLICY = /^RATE_LIMIT_(DEFAULT|PREPARE|QUOTE|SIGN_IN)$/

const camelCase = (name: string) =>
  name.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Each number, one above its default; and each text that can have another value. */
const others: readonly (readonly [variable: string, text: string, value: unknown])[] = [
  ...Object.entries(gatewaySettings.parse(complete)).flatMap(([variable, value]) =>
    typeof value === 'number' && variable !== 'OTEL_TRACES_SAMPLER_ARG'
      ? [[variable, `${value + 1}`, value + 1] as const]
      : [],
  ),
  ['OTEL_TRACES_SAMPLER_ARG', '0.25', 0.25],
  ['OTEL_TRACES_SAMPLER_ARG', '0', 0],
  ['OTEL_TRACES_SAMPLER_ARG', '1.0', 1],
  ['GATEWAY_METRICS_PORT', '65535', 65_535],
  ['GATEWAY_METRICS_HOST', '10.0.0.6', '10.0.0.6'],
  ['HOST', '10.0.0.5', '10.0.0.5'],
  ['LOG_LEVEL', 'warn', 'warn'],
  ['TOKEN_ISSUER', 'a', 'a'],
  ['TOKEN_AUDIENCE', 'b'.repeat(128), 'b'.repeat(128)],
  ['SESSION_COOKIES', 'on', true],
  ['PLAYGROUND', 'off', false],
  ['DEPLOYMENTS_DIR', '/manifests', '/manifests'],
  ['DOCUMENTS_FILE', 'documents.json', 'documents.json'],
  ['DOCUMENTATION_URL', '/docs', '/docs'],
  ['EXPLORER_FOLDER', '/explorer', '/explorer'],
  ['UNREADY_ON_DIFFERENCES', 'any', 'any'],
  ['METRICS_OPERATIONS', 'A, B,', ['A', 'B']],
]

describe('the settings', () => {
  it.each(others)('change one property, that of their name: %s=%s', (variable, text, value) => {
    const standard = parseConfig(complete)
    const policy = POLICY.exec(variable)?.[1]?.toLowerCase().replace('_', '-')
    const changed = policy
      ? { rateLimits: { ...standard.rateLimits, [policy]: value } }
      : { [RENAMED[variable] ?? camelCase(variable)]: value }
    expect(Object.keys(standard)).toEqual(expect.arrayContaining(Object.keys(changed)))
    expect(parseConfig({ ...complete, [variable]: text })).toEqual({ ...standard, ...changed })
  })

  it.each([
    ['PORT', 0, 65_535],
    ['TRUSTED_PROXIES', 0, 16],
    ['DATABASE_POOL_SIZE', 1, 1000],
    ['CHAIN_ID', 1, Number.MAX_SAFE_INTEGER],
  ])('take %s from %d to %d, both included', (variable, least, most) => {
    const read = (value: number) => parseConfig({ ...complete, [variable]: `${value}` })
    const property = camelCase(variable)
    expect(read(least)).toHaveProperty(property, least)
    expect(read(most)).toHaveProperty(property, most)
  })

  it('leave out the blank entries of lists', () => {
    const lists = { RPC_URLS: ' https://a.example, ,,https://b.example, ', READ_DATABASE_URLS: ' , ' }
    expect(parseConfig({ ...complete, ...lists })).toMatchObject({
      rpcUrls: ['https://a.example', 'https://b.example'],
      readDatabaseUrls: [],
    })
  })

  it('need a database, a chain and its nodes, and have a default for the rest', () => {
    expect(parseConfig(complete)).toMatchObject({
      databaseUrl: complete.DATABASE_URL,
      rpcUrls: ['https://a.example/v2/hunter2', 'https://b.example'],
      chainId: 31_337,
      host: '127.0.0.1',
      port: 3000,
      logLevel: 'info',
      corsOrigins: { listed: [], local: false },
      deploymentsDir: undefined,
    })
  })

  it.each(['test', 'production'])('refuse wallets of GraphiQL with NODE_ENV=%s', (mode) => {
    const start = (env: Record<string, string>) => () =>
      parseConfig({
        ...complete,
        ...env,
        NODE_ENV: mode,
        AUTH_SECRETS: TEST_SECRET,
        SITE_ORIGINS: 'https://app.example',
      })
    expect(start({ PLAYGROUND_SIGNER: 'http://127.0.0.1:8545' })).toThrow(
      'PLAYGROUND_SIGNER must not be set: it is for NODE_ENV=development only',
    )
    expect(start({ PLAYGROUND_WALLETS: `0x${'1'.repeat(40)}` })).toThrow(
      'PLAYGROUND_WALLETS must not be set: it is for NODE_ENV=development only',
    )
    expect(start({})).not.toThrow()
  })

  it('have no wallets of GraphiQL without the node that signs for them, nor a node without wallets', () => {
    const development = { ...complete, NODE_ENV: 'development' }
    const signer = 'http://127.0.0.1:8545'
    const wallet = `0x${'1'.repeat(40)}`
    const read = (env: Record<string, string>) => parseConfig({ ...development, ...env }).demoWallets
    expect(read({ PLAYGROUND_SIGNER: signer, PLAYGROUND_WALLETS: wallet })).toEqual({
      signer,
      wallets: [wallet],
    })
    expect(read({ PLAYGROUND_SIGNER: signer })).toBeUndefined()
    expect(read({ PLAYGROUND_WALLETS: wallet })).toBeUndefined()
  })

  it('state what a check of the connections needs, each under its own name', () => {
    const read = (env: Record<string, string>) => parseConfig({ ...complete, ...env }).connectionSettings
    expect(read({ ALLOW_UNENCRYPTED: 'yes' })).toEqual({ ALLOW_UNENCRYPTED: 'yes' })
    expect(read({ NODE_TLS_REJECT_UNAUTHORIZED: '0' })).toEqual({
      ALLOW_UNENCRYPTED: 'no',
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
    })
  })

  it.each([39, 41])('refuse a wallet of GraphiQL with %i digits', (digits) => {
    const wallet = (length: number) => `0x${'1'.repeat(length)}`
    const development = { ...complete, NODE_ENV: 'development', PLAYGROUND_SIGNER: 'http://127.0.0.1:8545' }
    const start = (PLAYGROUND_WALLETS: string) => parseConfig({ ...development, PLAYGROUND_WALLETS })
    expect(start(wallet(40)).demoWallets?.wallets).toEqual([wallet(40)])
    expect(() => start(`${wallet(40)},${wallet(digits)}`)).toThrow(/^PLAYGROUND_WALLETS must list addresses/)
  })

  it.each(['http://127.0.0.1:8545/path', 'https://node.example', 'http://localhost.example:8545'])(
    'refuse %s as the node of the wallets of GraphiQL',
    (PLAYGROUND_SIGNER) => {
      const start = () => parseConfig({ ...complete, NODE_ENV: 'development', PLAYGROUND_SIGNER })
      expect(start).toThrow(/^PLAYGROUND_SIGNER must be an origin of this machine/)
    },
  )

  it('name every variable that is missing at once', () => {
    expect(() => parseConfig({ NODE_ENV: 'test' })).toThrow(/DATABASE_URL must.*RPC_URLS must.*CHAIN_ID must/)
  })

  it.each([
    ['DATABASE_URL', 'mysql://gateway:hunter2@db.example/projection'],
    ['DATABASE_URL', 'hunter2'],
    ['DATABASE_URL', 'postgres://gateway:hunter2%@db.example/projection'],
    ['DATABASE_URL', 'postgres://hunter2%@db.example/projection'],
    ['READ_DATABASE_URLS', 'postgres://a.example/x,mysql://hunter2.example/x'],
    ['RPC_URLS', ' , '],
    ['RPC_URLS', 'https://user:hunter2%E9@a.example'],
    ['RPC_URLS', 'https://hunter2%E9@a.example'],
    ['RPC_URLS', 'https://a.example,wss://b.example/hunter2'],
    ['CHAIN_ID', '0'],
    ['CHAIN_ID', '1.5'],
    ['CHAIN_ID', 'mainnet'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['LOG_LEVEL', 'loud'],
    ['NODE_ENV', 'prod'],
    ['CORS_ORIGINS', 'https://app.example/'],
    ['CORS_ORIGINS', 'app.example'],
    ['CORS_ORIGINS', 'ftp://app.example'],
    ['CORS_ORIGINS', 'https://App.example'],
    ['CORS_ORIGINS', 'https://app.example:443'],
    ['CORS_ORIGINS', 'https://bücher.example'],
    ['SITE_ORIGINS', 'https://App.example'],
    ['SITE_ORIGINS', 'https://app.example:443'],
    ['SITE_ORIGINS', 'https://bücher.example'],
    ['DOCUMENTATION_URL', 'http://docs.example/hunter2'],
    ['DOCUMENTATION_URL', 'javascript:alert(1)'],
    ['DOCUMENTATION_URL', '//docs.example/hunter2'],
    ['DOCUMENTATION_URL', '/\\docs.example'],
    ['DOCUMENTATION_URL', 'docs'],
    ['DOCUMENTATION_URL', 'https://'],
    ['DOCUMENTATION_URL', '/a hunter2'],
    ['SESSION_COOKIES', 'yes'],
    ['PLAYGROUND_SIGNER', 'https://node.example/hunter2'],
    ['PLAYGROUND_WALLETS', '0xhunter2'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'ftp://hunter2.example'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
    ['TOKEN_ISSUER', 't'.repeat(129)],
    ['TOKEN_AUDIENCE', 't'.repeat(129)],
    ['BODY_LIMIT_BYTES', '1'],
    ['DATABASE_POOL_SIZE', '0'],
    ['GATEWAY_METRICS_PORT', '65536'],
    ['DRAIN_TIMEOUT_MS', '1e3'],
    ['ALLOW_UNENCRYPTED', 'hunter2'],
  ])('refuse %s=%s in a sentence that names the variable and keeps its value to itself', (name, value) => {
    const start = () => parseConfig({ ...complete, [name]: value })
    expect(start).toThrow(new RegExp(`^${name} must `))
    expect(start).not.toThrow('hunter2')
  })

  it.each([
    { PORT: '9465' },
    { HOST: '10.0.0.5', PORT: '9465', GATEWAY_METRICS_HOST: '0.0.0.0' },
    { HOST: '::', PORT: '9465', GATEWAY_METRICS_HOST: '10.0.0.5' },
  ])('refuse one address for the API and its metrics: %o', (addresses) => {
    const start = () => parseConfig({ ...complete, GATEWAY_METRICS_PORT: '9465', ...addresses })
    expect(start).toThrow(/^GATEWAY_METRICS_PORT is 9465, the port of the API \(PORT\): set another one\.$/)
  })

  it.each(['prefer', 'only'])('refuse DOCUMENTS=%s without registered documents', (DOCUMENTS) => {
    expect(() => parseConfig({ ...complete, DOCUMENTS })).toThrow(/^DOCUMENTS_FILE must be set/)
    expect(parseConfig({ ...complete, DOCUMENTS, DOCUMENTS_FILE: 'a.json' }).documents).toBe(DOCUMENTS)
  })

  it('take one port for both at two addresses, and any free port for both', () => {
    const start = (change: object) => parseConfig({ ...complete, ...change })
    const apart = { HOST: '10.0.0.5', PORT: '9465', GATEWAY_METRICS_PORT: '9465' }
    expect(start(apart)).toMatchObject({ port: 9465, metricsPort: 9465 })
    expect(start({ PORT: '0', GATEWAY_METRICS_PORT: '0' })).toMatchObject({ port: 0, metricsPort: 0 })
  })

  it('list everything that the gateway connects to', () => {
    const env = {
      ...complete,
      READ_DATABASE_URLS: 'postgres://b.example/x,postgres://c.example/x',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://traces.example',
    }
    expect(parseConfig(env).connections).toEqual([
      { setting: 'DATABASE_URL', url: complete.DATABASE_URL },
      { setting: 'READ_DATABASE_URLS', url: 'postgres://b.example/x' },
      { setting: 'READ_DATABASE_URLS', url: 'postgres://c.example/x' },
      { setting: 'RPC_URLS', url: 'https://a.example/v2/hunter2' },
      { setting: 'RPC_URLS', url: 'https://b.example' },
      { setting: 'OTEL_EXPORTER_OTLP_ENDPOINT', url: 'http://traces.example' },
    ])
  })

  it('take the address of a database by either name of its scheme', () => {
    const url = 'postgresql://gateway@db.example/projection'
    expect(parseConfig({ ...complete, DATABASE_URL: url }).databaseUrl).toBe(url)
  })

  it.each(['https://docs.example', 'http://127.0.0.1:4001', '/manual/', '/'])(
    'take %s as the address of the documentation',
    (text) => {
      expect(parseConfig({ ...complete, DOCUMENTATION_URL: text }).documentationUrl).toBe(text)
    },
  )

  it('take a blank variable for one that is not set', () => {
    expect(parseConfig({ ...complete, PORT: '', LOG_LEVEL: ' ', DEPLOYMENTS_DIR: '' })).toEqual(
      parseConfig(complete),
    )
  })

  it('list at most 100 operations that are measured apart', () => {
    const listed = (count: number) =>
      parseConfig({
        ...complete,
        METRICS_OPERATIONS: Array.from({ length: count }, (_, i) => `Q${i}`).join(),
      })
    expect(listed(100).metricsOperations).toHaveLength(100)
    expect(() => listed(101)).toThrow(/^METRICS_OPERATIONS must list at most 100 names/)
  })

  it('take several origins, or all', () => {
    const origins = (CORS_ORIGINS: string) => parseConfig({ ...complete, CORS_ORIGINS }).corsOrigins.listed
    expect(origins('https://app.example, http://localhost:5173')).toEqual([
      'https://app.example',
      'http://localhost:5173',
    ])
    expect(origins('*')).toEqual(['*'])
  })
})
