/** Each query of the hooks is kept under its whole input, and is repeated when the gateway says so. */
import { QueryClient, skipToken } from '@tanstack/react-query'
import { describe, expect, it } from 'vitest'
import { createGateway, GatewayError, graphql, type Hash } from '../../packages/client/src/index.ts'
import { accountQuery } from '../../packages/react/src/queries/account.ts'
import { claimsQuery } from '../../packages/react/src/queries/claims.ts'
import { documentQuery } from '../../packages/react/src/queries/document.ts'
import { gatewayKey, readKey, repeatReads } from '../../packages/react/src/queries/keys.ts'
import { quotesQuery } from '../../packages/react/src/queries/quotes.ts'
import { retrying } from '../../packages/react/src/queries/retry.ts'
import { tokensQuery } from '../../packages/react/src/queries/tokens.ts'
import { transactionQuery } from '../../packages/react/src/queries/transaction.ts'
import { unfinalizedQuery } from '../../packages/react/src/queries/unfinalized.ts'
import { vaultSeriesQuery, vaultsQuery } from '../../packages/react/src/queries/vaults.ts'

const ONE = `0x${'1'.repeat(40)}` as const
const OTHER = `0x${'2'.repeat(40)}` as const
const HASH: Hash = `0x${'3'.repeat(64)}`
const OTHER_HASH: Hash = `0x${'4'.repeat(64)}`
const NEVER = Number.POSITIVE_INFINITY

/** The network: notes each request, and answers in the shape that all queries take. */
function connect(url = 'http://gateway.test', answers: object = {}) {
  const requests: string[] = []
  const page = { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } }
  const transaction = { status: 'PROJECTED', block: null }
  const gateway = createGateway({
    url,
    fetch: async (request) => {
      const minBlock = request.headers.get('X-Min-Block')
      requests.push(`${request.url} ${minBlock} ${await request.text()}`)
      const data = {
        claims: page,
        vaults: page,
        account: { address: ONE },
        vault: { series: [] },
        tokens: page,
        unfinalized: null,
        ...answers,
      }
      return Response.json({ data, ...transaction })
    },
  })
  return { gateway, requests }
}

type Connected = ReturnType<typeof connect>
type Fetch = (connected: Connected, cache: QueryClient) => Promise<unknown>

const claims =
  (input: Parameters<typeof claimsQuery>[1]): Fetch =>
  ({ gateway }, cache) =>
    cache.fetchInfiniteQuery({ ...claimsQuery(gateway, input), staleTime: NEVER })
const vaults =
  (input: Parameters<typeof vaultsQuery>[1]): Fetch =>
  ({ gateway }, cache) =>
    cache.fetchInfiniteQuery({ ...vaultsQuery(gateway, input), staleTime: NEVER })
const series =
  (...input: [Parameters<typeof vaultSeriesQuery>[1], Parameters<typeof vaultSeriesQuery>[2]]): Fetch =>
  ({ gateway }, cache) =>
    cache.fetchQuery({ ...vaultSeriesQuery(gateway, ...input), staleTime: NEVER })
const account =
  (address: typeof ONE | typeof OTHER): Fetch =>
  ({ gateway }, cache) =>
    cache.fetchQuery({ ...accountQuery(gateway, address), staleTime: NEVER })
const quotes =
  (input: Parameters<typeof quotesQuery>[1]): Fetch =>
  ({ gateway }, cache) =>
    cache.fetchQuery({ ...quotesQuery(gateway, input), staleTime: NEVER })
const CLAIMS_OF = graphql('query ($first: Int!) { claims(first: $first) { nodes { claimId } } }')
const VAULTS_OF = graphql('query ($first: Int!) { vaults(first: $first) { nodes { address } } }')
const document =
  (read: typeof CLAIMS_OF | typeof VAULTS_OF, first: number): Fetch =>
  ({ gateway }, cache) =>
    cache.fetchQuery({
      ...documentQuery<unknown, { first: number }>(gateway, read, { first }),
      staleTime: NEVER,
    })
const transaction =
  (hash: Hash): Fetch =>
  ({ gateway }, cache) =>
    cache.fetchQuery(transactionQuery(gateway, cache, hash))

const unfinalized =
  (input: Parameters<typeof unfinalizedQuery>[1]): Fetch =>
  ({ gateway }, cache) =>
    cache.fetchQuery({ ...unfinalizedQuery(gateway, input), staleTime: NEVER })

const QUERIES: Readonly<Record<string, readonly Fetch[]>> = {
  claims: [
    claims({}),
    claims({ first: 3 }),
    claims({ filter: { financeable: true } }),
    claims({ filter: { financeable: false } }),
    claims({ orderBy: 'dueDate' }),
    claims({ orderDirection: 'asc' }),
    claims({ headers: { 'X-Min-Block': '7' } }),
  ],
  vaults: [
    vaults({}),
    vaults({ first: 3 }),
    vaults({ filter: { active: true } }),
    vaults({ orderDirection: 'desc' }),
    vaults({ headers: { 'X-Min-Block': '7' } }),
  ],
  'the series of a vault': [
    series(ONE, {}),
    series(OTHER, {}),
    series(ONE, { period: 'week' }),
    series(ONE, { from: '2026-01-01T00:00:00Z' }),
    series(ONE, { to: '2026-01-01T00:00:00Z' }),
  ],
  accounts: [account(ONE), account(OTHER)],
  quotes: [
    quotes({ claimId: HASH }),
    quotes({ claimId: OTHER_HASH }),
    quotes({ claimId: HASH, faceAmount: '1' }),
  ],
  documents: [document(CLAIMS_OF, 1), document(CLAIMS_OF, 2), document(VAULTS_OF, 1)],
  transactions: [transaction(HASH), transaction(OTHER_HASH)],
  'pending events': [
    unfinalized({}),
    unfinalized({ wallet: ONE }),
    unfinalized({ wallet: OTHER }),
    unfinalized({ vault: ONE }),
    unfinalized({ claimId: HASH }),
  ],
}

describe.each(Object.entries(QUERIES))('the query of %s', (_, fetches) => {
  it('has an answer of its own for each input, and one for equal inputs', async () => {
    const connected = connect()
    const cache = new QueryClient()
    for (const fetch of fetches) await fetch(connected, cache)
    expect(new Set(connected.requests).size).toBe(fetches.length)
    for (const fetch of fetches) await fetch(connected, cache)
    expect(connected.requests).toHaveLength(fetches.length)
  })
})

it('queries of two gateways are apart, and one key has all of a gateway', async () => {
  const [one, other] = [connect(), connect('http://other.test')]
  const cache = new QueryClient()
  for (const connected of [one, other]) await account(ONE)(connected, cache)
  expect([one.requests.length, other.requests.length]).toEqual([1, 1])
  expect(cache.getQueryCache().findAll({ queryKey: gatewayKey(one.gateway) })).toHaveLength(1)
  expect(readKey(one.gateway, 'claims')).not.toEqual(readKey(one.gateway, 'tokens'))
})

describe('a list', () => {
  const pageOf = (rows: number[], hasNextPage: boolean) => ({
    nodes: rows.map((row) => ({ claimId: row, address: row })),
    pageInfo: { hasNextPage, endCursor: `after ${rows.at(-1)}` },
  })

  const fetchPages = {
    claims: ({ gateway }: Connected) =>
      new QueryClient().fetchInfiniteQuery({ ...claimsQuery(gateway), pages: 2 }),
    vaults: ({ gateway }: Connected) =>
      new QueryClient().fetchInfiniteQuery({ ...vaultsQuery(gateway), pages: 2 }),
  }

  it.each(['claims', 'vaults'] as const)(
    'of %s is read a page after the other, up to the last',
    async (list) => {
      const long = connect(undefined, { [list]: pageOf([1, 2], true) })
      await fetchPages[list](long)
      const cursors = long.requests.map((request) => /"after":(null|"[^"]*")/.exec(request)?.[1])
      expect(cursors).toEqual(['null', '"after 2"'])
      const short = connect(undefined, { [list]: pageOf([3], false) })
      await fetchPages[list](short)
      expect(short.requests).toHaveLength(1)
    },
  )
})

describe('a read', () => {
  it('of tokens is not repeated for ten minutes', async () => {
    const { gateway, requests } = connect()
    const cache = new QueryClient()
    for (let times = 0; times < 2; times++) await cache.fetchQuery(tokensQuery(gateway))
    expect(requests).toHaveLength(1)
    expect(tokensQuery(gateway).staleTime).toBe(600_000)
  })

  it('of nobody is none, and the series of no vault is null', async () => {
    const { gateway } = connect(undefined, { vault: null })
    expect(accountQuery(gateway, undefined).queryFn).toBe(skipToken)
    expect(await new QueryClient().fetchQuery(vaultSeriesQuery(gateway, ONE))).toBeNull()
  })
})

describe('a transaction', () => {
  it.each(['NOT_FOUND', 'PENDING', 'MINED', 'FINALIZED', 'REVERTED'])(
    'that was left before reads show it (%s) is followed anew, and one that they show is not',
    async (status) => {
      const connected = connect()
      const cache = new QueryClient()
      cache.setQueryData(readKey(connected.gateway, 'transaction', HASH), { status })
      await transaction(HASH)(connected, cache)
      expect(connected.requests).toHaveLength(1)
      await transaction(HASH)(connected, cache)
      expect(connected.requests).toHaveLength(1)
    },
  )

  it('is not read again with the reads of its gateway, and neither are those of another one', () => {
    const { gateway } = connect()
    const cache = new QueryClient()
    const other = connect('http://other.test').gateway
    const keys = [readKey(gateway, 'transaction', HASH), readKey(gateway, 'claims'), readKey(other, 'claims')]
    for (const key of keys) cache.setQueryData(key, {})
    repeatReads(cache, gateway)
    expect(keys.map((key) => cache.getQueryState(key)?.isInvalidated)).toEqual([false, true, false])
  })
})

describe('a read that failed', () => {
  const error = (retryAfter?: number) =>
    new GatewayError({ code: 'RATE_LIMITED', message: '', ...(retryAfter !== undefined && { retryAfter }) })

  it('is repeated after the seconds of Retry-After', () => {
    expect(retrying.retryDelay(0, error(7))).toBe(7000)
    expect(retrying.retryDelay(3, error(0))).toBe(0)
    expect([0, 1, 2].map((failures) => retrying.retryDelay(failures, error()))).toEqual([1000, 2000, 4000])
  })

  it('is repeated at most four times, and only if it can succeed', () => {
    expect([3, 4].map((failures) => retrying.retry(failures, error()))).toEqual([true, false])
    expect(retrying.retry(0, new GatewayError({ code: 'CLAIM_NOT_FOUND', message: '' }))).toBe(false)
    expect(retrying.retry(0, new Error('of a program'))).toBe(false)
  })
})
