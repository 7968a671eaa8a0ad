/**
 * Subscriptions as HTTP: who may open one, with which client, and the form of a refusal. Their events are in
 * test/flow/live.
 */
import { createClient as createUrql, type SubscriptionForwarder, subscriptionExchange } from '@urql/core'
import { createClient as createSse } from 'graphql-sse'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { GRAPHQL_PATH } from '../../api/graphql/serve/endpoint.ts'
import { createGateway, type GatewayError, graphql } from '../../packages/client/src/index.ts'
import { startProxy } from '../support/proxy.ts'
import { serveHttp } from '../support/serve.ts'
import { sharedWorld } from '../support/world.ts'
import { createClient } from './client.ts'

const [claimId = '0x'] = sharedWorld().claimIds
const QUERY = 'subscription ($id: Hash!) { claim(claimId: $id) { claimId state } }'
const CLAIM = graphql('subscription ($id: Hash!) { claim(claimId: $id) { claimId state } }')
const variables = { id: claimId }

const gateway = createClient(sharedWorld().databaseUrl)
let url: string
let server: Awaited<ReturnType<typeof serveHttp>>

beforeAll(async () => {
  server = await serveHttp(gateway.app.fetch)
  url = server.url + GRAPHQL_PATH
})
afterAll(async () => {
  await server.close()
  await gateway.stop()
})

function post(query: string, values: object = {}, headers: Record<string, string> = {}) {
  return fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'text/event-stream', ...headers },
    body: JSON.stringify({ query, variables: values }),
  })
}

/** Reads a stream until it says the given, then leaves. */
async function readUntil(response: Response, wanted: string): Promise<string> {
  let text = ''
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  while (!text.includes(wanted)) text += (await reader?.read())?.value ?? ''
  await reader?.cancel()
  return text
}

describe('a subscription', () => {
  it('is a stream of events, by POST and as an EventSource asks for it, kept open by comments', async () => {
    const search = new URLSearchParams({ query: QUERY, variables: JSON.stringify(variables) })
    const byGet = () => fetch(`${url}?${search}`, { headers: { Accept: 'text/event-stream' } })
    for (const ask of [
      () => post(QUERY, variables),
      byGet,
      () => post(QUERY, variables, { Accept: '*/*' }),
    ]) {
      const response = await ask()
      expect(response.headers.get('Content-Type')).toBe('text/event-stream')
      expect(response.headers.get('Cache-Control')).toBe('no-cache')
      expect(response.headers.get('X-Accel-Buffering')).toBe('no')
      const text = await readUntil(response, 'event: next')
      expect(text.startsWith(':\n\n')).toBe(true)
    }
    const text = await readUntil(await post(QUERY, variables), '}\n\n:\n\n')
    expect(text).toMatch(new RegExp(`data: {"data":{"claim":{"claimId":"${claimId}".*"finalizedThrough":{`))
  })

  it('whose field fails goes on: its first event has the error, with the id of the request', async () => {
    const query =
      'subscription ($id: Hash!) { claim(claimId: $id) { settlements(after: "none") { totalCount } } }'
    const text = await readUntil(
      await post(query, variables, { 'X-Request-Id': 'of-this-test' }),
      'event: next',
    )
    expect(text).toMatch(/"data":null,"errors":.*"requestId":"of-this-test"/)
    expect(text).not.toContain('event: complete')
  })

  it('runs in urql over graphql-sse', async () => {
    const sse = createSse({ url, retryAttempts: 0 })
    const forwardSubscription: SubscriptionForwarder = ({ query = '', variables: values = {} }) => ({
      subscribe: (sink) => ({ unsubscribe: sse.subscribe({ query, variables: values }, sink) }),
    })
    const urql = createUrql({
      url,
      exchanges: [subscriptionExchange({ forwardSubscription })],
      preferGetMethod: false,
    })
    const first = await new Promise((resolve) => {
      const { unsubscribe } = urql.subscription(QUERY, variables).subscribe(({ data }) => {
        resolve(data)
        unsubscribe()
      })
    })
    expect(first).toMatchObject({ claim: { claimId } })
  })
})

describe('a live read of the client', () => {
  it('replaces a connection that neither end has closed, but that carries nothing more', async () => {
    const proxy = await startProxy(new URL(server.url))
    const live = createGateway({ url: proxy.url, idleMs: 500, random: () => 0 })
    const leaving = new AbortController()
    const lost: (GatewayError | undefined)[] = []
    const options = { signal: leaving.signal, onLost: (error?: GatewayError) => lost.push(error) }
    const claims = live.live(CLAIM, { id: claimId }, options)
    try {
      const first = await claims.next()
      proxy.silence()
      expect(await claims.next()).toEqual(first)
      expect(lost[0]).toMatchObject({ code: 'UNREACHABLE', message: expect.stringContaining('nothing') })
    } finally {
      leaving.abort()
      proxy.stop()
    }
  })
})

describe('a subscription that is refused', () => {
  const deep = `subscription { account(address: "0x${'11'.repeat(20)}") { ${'claims(first: 200) { nodes { beneficiary { '.repeat(3)}address${' } } }'.repeat(3)} } }`
  const cases: [title: string, query: string, values: object, code: string][] = [
    ['beyond the bounds of queries', deep, {}, 'QUERY_TOO_COMPLEX'],
    ['for an id that is none', QUERY, { id: '0x12' }, 'VALIDATION_FAILED'],
    ['for a field that is none', 'subscription { nope }', {}, 'GRAPHQL_VALIDATION_FAILED'],
    [
      'for two things at once',
      'subscription { finalizedBlock { blockNumber } claim(claimId: "0x00") { state } }',
      {},
      'GRAPHQL_VALIDATION_FAILED',
    ],
  ]

  it.each(cases)('%s gets a coded error, and the stream completes', async (_, query, values, code) => {
    const text = await (await post(query, values)).text()
    expect(text).toContain(`"code":"${code}"`)
    expect(text).toMatch(/"requestId":"[\w-]{8,}"/)
    expect(text).toContain('event: complete')
  })

  it('is refused in JSON with a status when it takes no events', async () => {
    const response = await post(QUERY, variables, { Accept: 'application/graphql-response+json' })
    expect(response.status).toBe(400)
    const { errors } = await response.json()
    expect(errors).toMatchObject([
      { extensions: { code: 'VALIDATION_FAILED', errors: [{ path: 'Accept' }] } },
    ])
  })

  it('at a block that is not there yet is a 503 as any read', async () => {
    const response = await post(QUERY, variables, { 'X-Min-Block': '999999999' })
    expect([response.status, response.headers.has('Retry-After')]).toEqual([503, true])
    expect(await response.text()).toContain('"code":"PROJECTION_BEHIND"')
  })

  it('counts its cost against the client address, for all subscriptions together', async () => {
    // 5,000 of an execution, which may ask the chain, and 60,000 of an address: the twelfth does not fit.
    const query = 'subscription ($id: Hash!) { execution(executionId: $id) { executionId } }'
    const { extensions } = await gateway.ask(query.replace('subscription', 'query'), variables)
    const open: Response[] = []
    try {
      for (;;) {
        const response = await post(query, variables)
        open.push(response)
        if (response.status !== 200) break
        expect(open.length).toBeLessThan(12)
      }
      expect(open).toHaveLength(Math.floor(60_000 / extensions.cost.cost) + 1)
      expect([open.at(-1)?.status, open.at(-1)?.headers.get('Retry-After')]).toEqual([429, '10'])
      expect(await open.at(-1)?.text()).toMatch(/"maximum":60000,"code":"TOO_MANY_SUBSCRIPTIONS"/)
    } finally {
      await Promise.all(open.slice(0, -1).map((response) => response.body?.cancel()))
    }
  })

  it('leaves no connection behind, and counts as open no longer', async () => {
    const behind = { 'X-Min-Block': '999999999' }
    for (let i = 0; i < 25; i += 1) {
      await (await post(QUERY, { id: '0x12' })).text()
      expect((await post(QUERY, variables, behind)).status).toBe(503)
    }
    await readUntil(await post(QUERY, variables), 'event: next')
    expect(gateway.pool.idleCount).toBe(gateway.pool.totalCount)
  })
})
