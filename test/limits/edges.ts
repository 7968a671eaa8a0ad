/** Requests of an exact size for each limit on requests, and what the answer beyond the limit contains. */
import { getNamedType, isLeafType } from 'graphql'
import { GRAPHQL_PATH } from '../../api/graphql/serve/endpoint.ts'
import { objectType } from '../graphql/walk.ts'

type App = { request: (path: string, init?: RequestInit) => Response | Promise<Response> }
/** @param size in the unit of the limit */
type Send = (app: App, size: number) => Promise<string>
export type Edge = { readonly limit: number; readonly send: Send; readonly refusal: string }

const WALLET = `0x${'11'.repeat(20)}`
/** Seconds of 2026-01-01. */
const NEW_YEAR = 1_767_225_600

const repeat = (times: number, part: (i: number) => string, between = ' ') =>
  Array.from({ length: times }, (_, i) => part(i)).join(between)
const iso = (seconds: number) => new Date(seconds * 1000).toISOString()

async function graphql(app: App, query: string, variables?: unknown): Promise<string> {
  const response = await app.request(GRAPHQL_PATH, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json' },
    body: JSON.stringify({ query, variables }),
  })
  return response.text()
}

const query =
  (text: (size: number) => string): Send =>
  (app, size) =>
    graphql(app, text(size))
const variables =
  (value: (size: number) => unknown): Send =>
  (app, size) =>
    graphql(app, '{ __typename }', value(size))
const filter =
  (value: (size: number) => unknown): Send =>
  (app, size) =>
    graphql(app, 'query ($filter: ClaimFilter) { claims(filter: $filter) { nodes { state } } }', {
      filter: value(size),
    })
const get =
  (path: (size: number) => string, headers: (size: number) => Record<string, string> = () => ({})): Send =>
  async (app, size) =>
    (await app.request(`/api/v1${path(size)}`, { headers: headers(size) })).text()
const post =
  (path: string, body: (size: number) => unknown): Send =>
  async (app, size) => {
    const headers = { 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify(body(size)) }
    return (await app.request(`/api/v1${path}`, init)).text()
  }

/** Rows whose allocations are read twice over cost 145 each. */
const COSTLY = 'nodes { allocations { claim { allocations { vault { address } } } } }'
const subscription = (cost: number) =>
  `subscription { account(address: "${WALLET}") { claims(first: 53) { ${COSTLY} } activity(first: ${cost - 7912}) { nodes { kind } } } }`

/** Opens the stream, and leaves it after the first event. */
const subscribe: Send = async (app, size) => {
  const leave = new AbortController()
  const response = await app.request(GRAPHQL_PATH, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ query: subscription(size) }),
    signal: leave.signal,
  })
  let text = ''
  const reader = response.body?.getReader()
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    text += new TextDecoder().decode(part.value)
    if (text.includes('data:')) break
  }
  leave.abort()
  return text
}

const leaves = Object.values(objectType('Claim').getFields())
  .filter(({ type, args }) => isLeafType(getNamedType(type)) && args.length === 0)
  .map(({ name }) => name)
const leaf = (i: number) => leaves[i % leaves.length] ?? ''

const nested = (levels: number): unknown => (levels === 1 ? {} : { a: nested(levels - 1) })
const levelsOfFilter = (levels: number): unknown =>
  levels === 1 ? {} : { AND: [levelsOfFilter(levels - 1)] }

/** By declaration: `file NAME`. */
export const edges: Readonly<Record<string, Edge>> = {
  'api/auth/sign-in-limits.ts MESSAGE_FIELDS_LENGTH_MAX': {
    limit: 1024,
    send: post('/auth/verify', (size) => ({ message: 'm'.repeat(size), signature: '0x00' })),
    refusal: 'besides its statement and resources; the maximum is 1024',
  },
  'api/auth/sign-in-limits.ts MESSAGE_LENGTH_MAX': {
    limit: 4096,
    send: post('/auth/verify', (size) => ({ message: 'm'.repeat(size), signature: '0x00' })),
    refusal: 'must have 4096 characters at most',
  },
  'api/auth/sign-in-limits.ts SIGNATURE_LENGTH_MAX': {
    limit: 65_536,
    send: post('/auth/verify', (size) => ({ message: 'm', signature: `0x${'0'.repeat(size - 2)}` })),
    refusal: 'the maximum is 65536',
  },
  'api/domain/limits.ts JSON_DEPTH_MAX': {
    limit: 16,
    send: variables(nested),
    refusal: 'the maximum is 16 levels',
  },
  'api/domain/limits.ts JSON_ENTRIES_MAX': {
    limit: 200,
    send: variables((size) => ({ v: Array(size).fill(1) })),
    refusal: 'the maximum is 200',
  },
  'api/domain/limits.ts JSON_OBJECTS_MAX': {
    limit: 200,
    send: variables((size) => ({ v: Array(size - 1).fill({}) })),
    refusal: 'more than 200 objects',
  },
  'api/domain/limits.ts JSON_VALUES_MAX': {
    limit: 2000,
    // The variables themselves and ten lists are values, too.
    send: variables((size) => ({
      ...Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`v${i}`, Array(199).fill(1)])),
      last: Array(size - 11 - 9 * 199).fill(1),
    })),
    refusal: 'more than 2000 values',
  },
  'api/domain/limits.ts PAGE_LIMIT_MAX': {
    limit: 200,
    send: get((size) => `/vaults?limit=${size}`),
    refusal: 'from 1 to 200',
  },
  'api/domain/limits.ts VALUE_LENGTH_MAX': {
    limit: 1024,
    send: variables((size) => ({ v: 'v'.repeat(size) })),
    refusal: 'the maximum is 1024',
  },
  'api/domain/money.ts DIGITS_MAX': {
    limit: 78,
    send: filter((size) => ({ faceValue: `1${'0'.repeat(size - 1)}` })),
    refusal: 'must be at most 2^256-1',
  },
  'api/domain/time.ts TIME_LENGTH_MAX': {
    limit: 64,
    send: filter((size) => ({ dueDate_gte: `2026-01-31T12:00:00.${'0'.repeat(size - 21)}Z` })),
    refusal: 'must have at most 64 characters',
  },
  'api/errors.ts FIELD_ERRORS_MAX': {
    limit: 20,
    send: get((size) => `/vaults?${repeat(size, (i) => `p${i}=1`, '&')}`),
    refusal: 'and 1 more',
  },
  'api/errors.ts QUOTE_LENGTH_MAX': {
    limit: 500,
    send: get((size) => `/vaults?${'p'.repeat(size)}=1`),
    refusal: '…',
  },
  'api/graphql/operation/measure/measure.ts BREADTH_MAX': {
    limit: 400,
    // The two lists and their rows are four of them.
    send: query(
      (size) =>
        `{ a: claims(first: 1) { nodes { ${repeat(196, leaf)} } } b: claims(first: 1) { nodes { ${repeat(size - 200, leaf)} } } }`,
    ),
    refusal: 'breadth',
  },
  'api/graphql/operation/measure/measure.ts COST_MAX': {
    limit: 20_000,
    send: query(
      (size) => `{ claims(first: 136) { ${COSTLY} } activity(first: ${size - 19_926}) { nodes { kind } } }`,
    ),
    refusal: 'The cost of the query is 20001; at most 20000',
  },
  'api/graphql/operation/measure/measure.ts SUBSCRIPTION_COST_MAX': {
    limit: 8000,
    send: subscribe,
    refusal: 'The cost of the query is 8001; at most 8000',
  },
  'api/graphql/operation/measure/measure.ts TOKENS_MAX': {
    limit: 2000,
    send: query(
      (size) => `{ claims(filter: { claimType_in: [${'1 '.repeat(size - 19)}] }) { nodes { state } } }`,
    ),
    refusal: 'more that 2000 tokens',
  },
  'api/graphql/kit/filter.ts DEPTH_MAX': {
    limit: 5,
    send: filter(levelsOfFilter),
    refusal: 'the maximum is 5 levels',
  },
  'api/graphql/schema/shared/aggregate.ts DIMENSIONS_MAX': {
    limit: 4,
    send: query((size) => {
      const names = ['state', 'issuer', 'beneficiary', 'claimType', 'dueDay'].slice(0, size)
      return `{ claimAggregates(groupBy: [${names}]) { nodes { count } } }`
    }),
    refusal: 'must name at most 4',
  },
  'api/graphql/schema/market/maturities.ts PERIODS_MAX': {
    limit: 400,
    send: query((size) => `{ marketMaturities(token: "${WALLET}", periods: ${size}) { kind } }`),
    refusal: 'must be from 1 to 400',
  },
  'api/graphql/schema/market/payment-record.ts MONTHS_MAX': {
    limit: 60,
    send: query((size) => `{ paymentRecords(first: 1) { nodes { cohorts(months: ${size}) { month } } } }`),
    refusal: 'must be from 1 to 60',
  },
  'api/graphql/schema/market/series-request.ts POINTS_MAX': {
    limit: 399,
    send: query(
      (size) =>
        `{ marketSeries(token: "${WALLET}", period: day, from: "${iso(NEW_YEAR - size * 86_400)}", to: "${iso(NEW_YEAR)}") { start } }`,
    ),
    refusal: 'must be at most 398 periods before to',
  },
  'api/graphql/schema/vaults/terms.ts CLAIM_TYPE_MAX': {
    limit: 255,
    send: query((type) => `{ vaultTerms(claimType: ${type}) { nodes { totalBps(daysToDue: 1) } } }`),
    refusal: 'must be from 0 to 255',
  },
  'api/graphql/schema/vaults/terms.ts DAYS_MAX': {
    limit: 36_500,
    send: query((size) => `{ vaultTerms(claimType: 1) { nodes { totalBps(daysToDue: ${size}) } } }`),
    refusal: 'must be from 0 to 36500',
  },
  'api/head/unfinalized.ts EVENTS_SHOWN_MAX': {
    limit: 200,
    send: query((size) => `{ unfinalized(first: ${size}) { truncated } }`),
    refusal: 'must be from 1 to 200',
  },
  'api/limits/header-limits.ts ACCEPT_LENGTH_MAX': {
    limit: 1000,
    send: get(
      () => '/vaults?limit=1',
      (size) => ({ accept: '*'.repeat(size) }),
    ),
    refusal: 'the maximum is 1000',
  },
  'api/limits/header-limits.ts IF_NONE_MATCH_LENGTH_MAX': {
    limit: 1024,
    send: get(
      () => '/vaults?limit=1',
      (size) => ({ 'if-none-match': `"${'x'.repeat(size - 2)}"` }),
    ),
    refusal: 'the maximum is 1024',
  },
  'api/rest/shared/as-of.ts BLOCK_MAX': {
    limit: 999_999_999_999_999,
    send: get((block) => `/vaults?asOfBlock=${block}`),
    refusal: 'must be a block number',
  },
  'api/rest/exports/exports.routes.ts PARAMETER_LENGTH_MAX': {
    limit: 16_384,
    send: get((size) => `/exports/tokens.csv?filter={${'+'.repeat(size - 2)}}`),
    refusal: 'must have at most 16384 characters',
  },
}
