/** The API's own description (OpenAPI 3.1), from the schemas that check its requests and the catalogue of its errors. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import packageJson from '../package.json' with { type: 'json' }
import { catalogue, type ErrorCode } from './errors.ts'
import type { AppEnv } from './middleware/env.ts'
import { type RouteRules, rulesOf } from './middleware/route-rules.ts'
import { WAIT_AHEAD_MAX } from './projection/wait.ts'

type Document = ReturnType<OpenAPIHono<AppEnv>['getOpenAPI31Document']>
type Operation = NonNullable<NonNullable<Document['paths']>[string]['get']>
type Responses = NonNullable<Operation['responses']>

const BEARER_SCHEME = 'bearer'

/** Describes the routes registered so far: call it when all of them are. */
export function describeApi(app: OpenAPIHono<AppEnv>): Document {
  app.openAPIRegistry.registerComponent('securitySchemes', BEARER_SCHEME, {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The token that `POST /api/v1/auth/verify` gives a wallet.',
  })
  for (const [name, header] of Object.entries(HEADERS)) {
    app.openAPIRegistry.registerComponent('headers', name, header)
  }
  const document = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Claim financing gateway',
      version: packageJson.version,
      description: introduction,
      license: { name: 'MIT', url: 'https://spdx.org/licenses/MIT' },
    },
    servers: [{ url: '/', description: 'The gateway that serves this document.' }],
    tags: [...TAGS],
  })
  for (const operation of operationsOf(document)) describeCommon(operation)
  return document
}

const TAGS = [
  {
    name: 'Sign-in',
    description: 'Sign-In with Ethereum (EIP-4361): a wallet proves itself once and gets a token.',
  },
  { name: 'Reads', description: 'What the chain says at the last finalized block.' },
  {
    name: 'Exports',
    description:
      'Whole lists as CSV, for spreadsheets and notebooks: those of GraphQL, with their filters, orders and values. A download is of one finalized block, however long it takes.',
  },
  {
    name: 'Routes',
    description: 'The cheapest way to an advance over several claims and vaults, planned and then prepared.',
  },
  {
    name: 'Prepares',
    description:
      'What a wallet signs or sends itself, ready made: checked, in plain words, with what would fail now.',
  },
  { name: 'Transactions', description: 'What became of a transaction after the wallet sent it.' },
  { name: 'Health', description: 'Liveness, readiness and audit, for operators.' },
] as const

const introduction = `
Every answer is read at one finalized block and names it. Money is a decimal string of base units; addresses are written
in lowercase; dates are ISO 8601 in UTC. The same data, with connections and filters, is served as GraphQL at
\`/api/v1/graphql\`.

## Signing in

1. \`GET /api/v1/auth/nonce\`
2. Build a Sign-In with Ethereum message (EIP-4361) with that nonce and have the wallet sign it. Contract wallets sign
   too, also before they are deployed (ERC-1271, ERC-6492).
3. \`POST /api/v1/auth/verify\` with the message and the signature gives a token that is good for an hour.
4. Send \`Authorization: Bearer <token>\` with every request that wants it.
5. \`POST /api/v1/auth/logout\` ends the session before its hour is over.

## Reading your own write

A transaction is read once its block is final and projected. Send that block's number as \`X-Min-Block\` with any read, REST
or GraphQL: the answer is at that block or later, or a 503 \`PROJECTION_BEHIND\` with \`Retry-After\`. Previews, routes and prepares take
it too: what they check on the chain is checked at that block or later, or it is a 503 \`CHAIN_BEHIND\`. To be notified instead,
subscribe: GraphQL's \`claim\`, \`account\`, \`execution\` and \`finalizedBlock\` are served as events (\`text/event-stream\`).

## Downloads

Every list of GraphQL is served whole as CSV, with the filter and the order that the list takes there: \`filter\` is the filter as
JSON, \`columns\` picks columns. All rows are of one finalized block, which the file's name and \`X-Finalized-Through\` state.

\`\`\`sh
curl -fOJG localhost:3000/api/v1/exports/claims.csv -d orderBy=dueDate -d columns=claimId,state,faceValue,dueDate \\
  --data-urlencode 'filter={"state_in":["ELIGIBLE","PARTIALLY_FUNDED"],"faceValue_gte":"1000000"}'
\`\`\`

Rows are sent as they are read. A download that fails on the way breaks off (curl: exit code 18) rather than end as if it were whole.
Amounts are too large for the numbers of a spreadsheet: have it import them as text.

## Limits

Requests are counted per wallet with a token and per client address without one; all wallets of one client address together have a
higher limit, whose name ends in \`-address\`. \`RateLimit-Policy\` names the limit
that a request counted against (\`q\` requests in \`w\` seconds), \`RateLimit\` what is left of it (\`r\` requests, whole
again in \`t\` seconds). Past it the answer is a 429 with \`Retry-After\`.

## Errors

Errors are problem details (RFC 9457): decide by \`code\`, which never changes its meaning; \`detail\` says what to do.
GraphQL carries the same code in \`extensions.code\`.

${errorSections()}
`.trim()

/** An entry for each error; the `type` of a problem links to its heading. */
function errorSections(): string {
  return errorCodes()
    .map(
      (code) => `### ${inWords(code)}\n\n\`${code}\`, ${catalogue[code].status}: ${catalogue[code].title}.`,
    )
    .join('\n\n')
}

/** Underscores would do as a heading, but Scalar takes a pair of them for emphasis and then misses the link. */
function inWords(code: ErrorCode): string {
  return code.charAt(0) + code.slice(1).toLowerCase().replaceAll('_', ' ')
}

/** The catalogue as a table, by status, for the README. */
export function errorTable(): string {
  const rows = errorCodes().map(
    (code) => `| \`${code}\` | ${catalogue[code].status} | ${catalogue[code].title} |`,
  )
  return ['| code | status | meaning |', '| --- | --- | --- |', ...rows].join('\n')
}

/** The routes of these tags as a table, for the README. */
export function routeTable(app: OpenAPIHono<AppEnv>, tags: readonly string[]): string {
  const rows = app.openAPIRegistry.definitions.flatMap((definition) => {
    if (definition.type !== 'route' || !definition.route.tags?.some((tag) => tags.includes(tag))) return []
    const { method, path, summary } = definition.route
    const { access, limit } = rulesOf(definition.route)
    const request = `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`
    return [`| \`${request}\` | ${summary} | ${access === 'wallet' ? 'yes' : 'no'} | ${limit} |`]
  })
  return ['| request | answer | token | limit |', '| --- | --- | --- | --- |', ...rows].join('\n')
}

function errorCodes(): ErrorCode[] {
  return codes(catalogue).toSorted((a, b) => catalogue[a].status - catalogue[b].status)
}

function codes<Key extends string>(table: Record<Key, unknown>): Key[] {
  const isKey = (name: string): name is Key => name in table
  return Object.keys(table).filter(isKey)
}

function operationsOf(document: Document): Operation[] {
  return Object.values(document.paths ?? {}).flatMap(({ get, post }) =>
    [get, post].filter((found) => found !== undefined),
  )
}

/** What middleware does on each route, from the rules of the route. */
function describeCommon(operation: Operation): void {
  const rules = rulesOf(operation)
  operation.security = rules.access === 'public' ? [] : [{ [BEARER_SCHEME]: [] }]
  const common = [
    rules.isConditional && IF_NONE_MATCH,
    rules.minBlock === 'projection' && X_MIN_BLOCK,
    rules.minBlock === 'chain' && X_MIN_BLOCK_ON_CHAIN,
  ].filter((one) => one !== false && one !== undefined)
  if (common.length > 0) operation.parameters = [...(operation.parameters ?? []), ...common]
  const responses: Responses = {
    ...(rules.isConditional && {
      304: { description: 'The answer that `If-None-Match` names is still the one.' },
    }),
    ...(rules.access === 'wallet' && { 401: problemOf('UNAUTHENTICATED') }),
    ...(rules.limit !== 'none' && { 429: problemOf('RATE_LIMITED') }),
    ...operation.responses,
  }
  operation.responses = Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [
      status,
      { ...response, headers: { ...headersOf(Number(status), rules), ...response.headers } },
    ]),
  )
}

function problemOf(code: ErrorCode) {
  const schema = { $ref: '#/components/schemas/Problem' }
  return {
    description: `\`${code}\`: ${catalogue[code].title}.`,
    content: { 'application/problem+json': { schema } },
  }
}

const IF_NONE_MATCH = {
  name: 'If-None-Match',
  in: 'header',
  description:
    'The `ETag` of an earlier answer: where nothing has changed the answer is a 304 without a body.',
  schema: { type: 'string', maxLength: 1024 },
} as const

const X_MIN_BLOCK = {
  name: 'X-Min-Block',
  in: 'header',
  description: [
    'Read at this finalized block or a later one: the block of your own transaction, to read what it wrote.',
    'The answer waits a few seconds for the projection, then is a 503 `PROJECTION_BEHIND` that says where it is;',
    `at once for a block more than ${WAIT_AHEAD_MAX} ahead.`,
  ].join(' '),
  schema: { type: 'string', pattern: '^[0-9]{1,15}$' },
  example: '1234567',
} as const

const X_MIN_BLOCK_ON_CHAIN = {
  ...X_MIN_BLOCK,
  description: [
    'Use this finalized block or a later one (`blockNumber` of the answer): the block of your own transaction, to build on what it wrote.',
    'The answer waits a few seconds for the block to be final, then is a 503 `CHAIN_BEHIND` that says which one is;',
    `at once for a block more than ${WAIT_AHEAD_MAX} ahead.`,
  ].join(' '),
} as const

const text = (description: string, example: string) =>
  ({ description, schema: { type: 'string' }, example }) as const

/** Headers of answers, as `#/components/headers`. */
const HEADERS = {
  'X-Request-Id': text(
    "The caller's X-Request-Id when well-formed, else a new one.",
    'b1f7c1de-0f3b-4b53-8f0e-6a4c0b7d2f8e',
  ),
  'RateLimit-Policy': text('The limit that the request counted against.', '"default";q=120;w=60'),
  RateLimit: text('What is left of it.', '"default";r=119;t=60'),
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 }, example: 2 },
  'WWW-Authenticate': text('How to authenticate (RFC 6750).', 'Bearer'),
  ETag: text('Names this answer, for `If-None-Match`.', '"5f2b7a"'),
  'Content-Disposition': text('A name for the file.', 'attachment; filename="claims-1234567.csv"'),
  'X-Finalized-Through': text('Number of the finalized block that was read.', '1234567'),
} as const

function headersOf(status: number, { limit, isConditional }: RouteRules) {
  const names: (keyof typeof HEADERS)[] = ['X-Request-Id']
  if (limit !== 'none') names.push('RateLimit-Policy', 'RateLimit')
  if (isConditional && (status === 200 || status === 304)) names.push('ETag', 'X-Finalized-Through')
  if (status === 401) names.push('WWW-Authenticate')
  if (status === 429 || status === 503) names.push('Retry-After')
  return Object.fromEntries(names.map((name) => [name, refOf(name)]))
}

function refOf(name: keyof typeof HEADERS) {
  return { $ref: `#/components/headers/${name}` }
}
