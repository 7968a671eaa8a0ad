/** The OpenAPI 3.1 document, derived from the schemas that validate requests and the catalogue of errors. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import packageJson from '../../package.json' with { type: 'json' }
import { catalogue, type ErrorCode, errorCodes, problemType } from '../errors.ts'
import type { AppEnv } from '../http/env.ts'
import { type RouteRules, rulesOf } from '../http/route-rules.ts'
import { IF_NONE_MATCH_LENGTH_MAX } from '../limits/header-limits.ts'
import { WAIT_AHEAD_MAX } from '../projection/session/at-block.ts'
import { cookieSchemes, type Document, describeCookies, type Operation } from './cookies.ts'
import { stateIntegerFormats } from './integers.ts'
import { nameReferences } from './references.ts'

type Responses = NonNullable<Operation['responses']>

const BEARER_SCHEME = 'bearer'

/**
 * Describes the registered routes. To be called after all of them are registered.
 *
 * @param sessionCookie name of the cookie, where sessions can be in one
 */
export function describeApi(app: OpenAPIHono<AppEnv>, sessionCookie?: string): Document {
  app.openAPIRegistry.registerComponent('securitySchemes', BEARER_SCHEME, {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'The token of `POST /api/v1/auth/verify`. It is issued and verified by the best current practices for JWTs (RFC8725): one algorithm, with issuer, audience and expiry.',
  })
  for (const [name, scheme] of sessionCookie === undefined ? [] : cookieSchemes(sessionCookie)) {
    app.openAPIRegistry.registerComponent('securitySchemes', name, scheme)
  }
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
    servers: [
      { url: '/', description: 'This gateway, in production as in development.', 'x-internal': false },
    ],
    tags: [...TAGS],
  })
  if (sessionCookie !== undefined) describeCookies(document)
  for (const operation of operationsOf(document)) describeCommon(operation)
  nameReferences(document)
  stateIntegerFormats(document)
  return document
}

const TAGS = [
  {
    name: 'Sign-in',
    description: 'Sign-In with Ethereum (EIP-4361): a wallet signs a message and gets a token.',
  },
  { name: 'Reads', description: 'Reads at the last finalized block.' },
  {
    name: 'Exports',
    description:
      'Complete lists as CSV or Parquet, with the filters, orders and values of GraphQL. All rows of a download are read at one finalized block.',
  },
  {
    name: 'Statements',
    description:
      'Balances before and after a period, and every entry in between, for wallets, vaults and issuers.',
  },
  {
    name: 'Routes',
    description: 'The cheapest route to an advance over several claims and vaults: planned, then prepared.',
  },
  {
    name: 'Prepares',
    description:
      'Messages and transactions for a wallet to sign or send, with a description and the issues that would make them fail.',
  },
  { name: 'Transactions', description: 'Status of submitted transactions.' },
  { name: 'Health', description: 'Liveness, readiness and audit, for operators.' },
] as const

const introduction = `
Every answer is read at one finalized block and states it. Amounts are decimal strings of base units, addresses are lowercase, and
times are ISO 8601 in UTC. GraphQL at \`/api/v1/graphql\` serves the same data with connections and filters.

## Signing in

1. \`GET /api/v1/auth/nonce\`
2. Build a Sign-In with Ethereum message (EIP-4361) with that nonce and have the wallet sign it. Contract wallets can sign, even
   before they are deployed (ERC-1271, ERC-6492).
3. \`POST /api/v1/auth/verify\` with the message and the signature returns a token that is valid for one hour.
4. Send \`Authorization: Bearer <token>\` with every request that requires it.
5. \`POST /api/v1/auth/logout\` ends the session earlier.

## Reading your own write

A transaction is visible once its block is final and projected. Send the number of that block as \`X-Min-Block\` with any read, REST
or GraphQL: the answer is at that block or later, or a 503 \`PROJECTION_BEHIND\` with \`Retry-After\`. Previews, routes and prepared messages
take it too: their checks on the chain are at that block or later, or the answer is a 503 \`CHAIN_BEHIND\`. To be notified instead,
use the GraphQL subscriptions \`claim\`, \`account\`, \`execution\` and \`finalizedBlock\` (\`text/event-stream\`).

## Downloads

Every list of GraphQL is available as a complete CSV or Parquet file with the same filters and orders: \`filter\` is the filter as JSON,
\`columns\` selects columns. All rows are of one finalized block, which the file name and \`X-Finalized-Through\` state.
\`GATEWAY\` is the address of this service; the development system has \`http://127.0.0.1:4000\`.

\`\`\`sh
curl -fOJG "$GATEWAY/api/v1/exports/claims.csv" -d orderBy=dueDate -d columns=claimId,state,faceValue,dueDate \\
  --data-urlencode 'filter={"state_in":["ELIGIBLE","PARTIALLY_FUNDED"],"faceValue_gte":"1000000"}'
\`\`\`

Rows are streamed. A download that fails is aborted (curl: exit code 18), so it never ends as if it were complete.
Amounts exceed the numbers of a spreadsheet: import them as text. \`amounts=units\` adds each amount in whole units of its token.
A Parquet file (\`claims.parquet\`) has types. The column after an amount, such as \`faceValue_decimal\`, has its number as DECIMAL(38,0).

## Limits

Requests with a token are counted per wallet, others per client address. All wallets of one client address together have a
higher limit, whose name ends in \`-address\`. \`RateLimit-Policy\` states the limits of the request (\`q\` requests in \`w\` seconds),
\`RateLimit\` the remaining requests (\`r\`) and the seconds to the next window (\`t\`). Reads also have a limit named \`cost\`, which
has points of cost instead of requests. Above a limit the answer is a 429 with \`Retry-After\`.

## Errors

Errors are problem details (RFC 9457). Decide by \`code\`: its meaning never changes. \`detail\` states the cause and what to do.
GraphQL has the same code in \`extensions.code\`. \`type\` is the address of the page on the code: its cause, what to do, and whether
the same request can succeed later.

${errorTable((code) => `[\`${code}\`](${problemType(code)})`)}
`.trim()

/** Writes the catalogue as a table, by status. */
export function errorTable(name = (code: ErrorCode) => `\`${code}\``): string {
  const rows = errorCodes.map(
    (code) => `| ${name(code)} | ${catalogue[code].status} | ${catalogue[code].title} |`,
  )
  return ['| code | status | meaning |', '| --- | --- | --- |', ...rows].join('\n')
}

/** Writes the routes of these tags as a table, for docs/rest.md. */
export function routeTable(app: OpenAPIHono<AppEnv>, tags: readonly string[]): string {
  const rows = app.openAPIRegistry.definitions.flatMap((definition) => {
    if (definition.type !== 'route' || !definition.route.tags?.some((tag) => tags.includes(tag))) return []
    const { method, path, summary } = definition.route
    const { access, limit } = rulesOf(definition.route)
    const request = `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`
    return [`| \`${request}\` | ${summary} | ${access === 'wallet' ? 'yes' : 'no'} | ${limit} |`]
  })
  return ['| request | purpose | token | limit |', '| --- | --- | --- | --- |', ...rows].join('\n')
}

function operationsOf(document: Document): Operation[] {
  return Object.values(document.paths ?? {}).flatMap(({ get, post }) =>
    [get, post].filter((found) => found !== undefined),
  )
}

/** Adds the parameters, responses and headers of middleware, derived from the rules of the route. */
function describeCommon(operation: Operation): void {
  const rules = rulesOf(operation)
  const others = operation.security ?? []
  operation.security = rules.access === 'public' ? [] : [{ [BEARER_SCHEME]: [] }, ...others]
  const common = [
    rules.isConditional && IF_NONE_MATCH,
    rules.minBlock === 'projection' && X_MIN_BLOCK,
    rules.minBlock === 'chain' && X_MIN_BLOCK_ON_CHAIN,
  ].filter((one) => one !== false && one !== undefined)
  if (common.length > 0) operation.parameters = [...(operation.parameters ?? []), ...common]
  const responses: Responses = {
    ...(rules.isConditional && {
      304: { description: 'The answer that `If-None-Match` names has not changed.' },
    }),
    ...(rules.access === 'wallet' && { 401: problemOf('UNAUTHENTICATED') }),
    ...(rules.limit !== 'none' && { 429: problemOf('RATE_LIMITED', 'ANSWERS_UNREAD') }),
    ...operation.responses,
  }
  operation.responses = Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [
      status,
      { ...response, headers: { ...headersOf(Number(status), rules), ...response.headers } },
    ]),
  )
}

function problemOf(...codes: readonly ErrorCode[]) {
  const schema = { $ref: '#/components/schemas/Problem' }
  return {
    description: codes.map((code) => `\`${code}\`: ${catalogue[code].title}.`).join('\n\n'),
    content: { 'application/problem+json': { schema } },
  }
}

const IF_NONE_MATCH = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The `ETag` of an earlier answer. If nothing has changed, the answer is a 304 without a body.',
  schema: { type: 'string', maxLength: IF_NONE_MATCH_LENGTH_MAX },
} as const

const X_MIN_BLOCK = {
  name: 'X-Min-Block',
  in: 'header',
  description: [
    'Minimum finalized block of the answer, such as the block of your own transaction.',
    'The gateway waits a few seconds for the projection, then answers 503 `PROJECTION_BEHIND` with the block reached;',
    `at once for a block more than ${WAIT_AHEAD_MAX} ahead.`,
  ].join(' '),
  // Without an example, which the reference would send.
  schema: { type: 'string', pattern: '^[0-9]{1,15}$', maxLength: 15 },
} as const

const X_MIN_BLOCK_ON_CHAIN = {
  ...X_MIN_BLOCK,
  description: [
    'Minimum finalized block of the checks (`blockNumber` of the answer), such as the block of your own transaction.',
    'The gateway waits a few seconds for the block to be final, then answers 503 `CHAIN_BEHIND` with the finalized block;',
    `at once for a block more than ${WAIT_AHEAD_MAX} ahead.`,
  ].join(' '),
} as const

const text = (description: string, example: string, schema: { pattern: string; maxLength: number }) =>
  ({ description, schema: { type: 'string', ...schema }, example }) as const

/** Headers of answers, as `#/components/headers`. */
const HEADERS = {
  'X-Request-Id': text(
    'The `X-Request-Id` of the request if it is well-formed; otherwise a new id.',
    'b1f7c1de-0f3b-4b53-8f0e-6a4c0b7d2f8e',
    { pattern: '^[\\w=-]+$', maxLength: 255 },
  ),
  // The longest host name (RFC 1035) has 253 characters.
  'Access-Control-Allow-Origin': text(
    'The `Origin` of the request if its pages may call the gateway, or `*` if all pages may; otherwise the header is absent.',
    'https://app.example',
    { pattern: '^(\\*|https?://[^/]+)$', maxLength: 'https://'.length + 253 + ':65535'.length },
  ),
  'RateLimit-Policy': text(
    'The limits on requests and on cost.',
    '"default";q=120;w=60, "cost";q=800000;w=60',
    {
      pattern: '^"[a-z-]+";q=[0-9]+;w=[0-9]+(, "[a-z-]+";q=[0-9]+;w=[0-9]+)?$',
      maxLength: 128,
    },
  ),
  RateLimit: text('The remaining requests and cost.', '"default";r=119;t=60, "cost";r=799600;t=60', {
    pattern: '^"[a-z-]+";r=[0-9]+;t=[0-9]+(, "[a-z-]+";r=[0-9]+;t=[0-9]+)?$',
    maxLength: 128,
  }),
  'Retry-After': {
    description: 'Seconds to wait.',
    schema: { type: 'integer', minimum: 1, maximum: 86_400 },
    example: 2,
  },
  'WWW-Authenticate': text('How to authenticate (RFC 6750).', 'Bearer', {
    pattern: '^Bearer( error="invalid_token")?$',
    maxLength: 'Bearer error="invalid_token"'.length,
  }),
  ETag: text('Entity tag of the answer, for `If-None-Match`.', `"${'5f2b7a0c'.repeat(8)}"`, {
    pattern: '^"[0-9a-f]{64}"$',
    maxLength: 66,
  }),
  'Content-Disposition': text(
    'File name of the download; none for a page.',
    'attachment; filename="claims-1234567.csv"',
    {
      pattern: '^(inline|attachment; filename="[\\w-]+\\.[a-z]+")$',
      maxLength: 128,
    },
  ),
  'X-Finalized-Through': text('Number of the finalized block of the answer.', '1234567', {
    pattern: '^[0-9]+$',
    maxLength: Number.MAX_SAFE_INTEGER.toString().length,
  }),
} as const

function headersOf(status: number, { limit, isConditional }: RouteRules) {
  const names: (keyof typeof HEADERS)[] = ['X-Request-Id', 'Access-Control-Allow-Origin']
  if (limit !== 'none') names.push('RateLimit-Policy', 'RateLimit')
  if (isConditional && (status === 200 || status === 304)) names.push('ETag', 'X-Finalized-Through')
  if (status === 401) names.push('WWW-Authenticate')
  if (status === 429 || status === 503) names.push('Retry-After')
  return Object.fromEntries(names.map((name) => [name, refOf(name)]))
}

function refOf(name: keyof typeof HEADERS) {
  return { $ref: `#/components/headers/${name}` }
}
