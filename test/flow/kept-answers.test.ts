/**
 * Answers of GraphQL that are kept within a block: over two gateways and a moving chain, none is of another block than
 * it names.
 */
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMetrics } from '../../api/metrics/metrics.ts'
import { createPool, createProjectionDb } from '../../api/projection/session/database.ts'
import { connectPipeline } from '../../api/projection/session/pipeline.ts'
import { watchProjection } from '../../api/projection/session/watch.ts'
import { createGateway } from '../support/gateway.ts'
import { until } from '../support/indexer.ts'
import { type LiveWorld, startLiveWorld } from '../support/live-world.ts'
import { countReads } from '../support/reads.ts'
import * as act from '../support/scenario.ts'
import { bearer, signIn } from '../support/sign-in.ts'
import { createTestStore } from '../support/store.ts'

type Gateway = Pick<LiveWorld, 'app' | 'readsOf'>

let the: LiveWorld
let other: Gateway & { stop: () => Promise<void> }
beforeAll(async () => {
  the = await startLiveWorld()
  other = await startOther()
})
afterAll(async () => {
  await other.stop()
  await the.stop()
})

const metrics = createMetrics(['Known'])

/** Another gateway over the same projection, which is measured. */
async function startOther() {
  const store = await createTestStore()
  const pool = createPool(the.databaseUrl, 5)
  const { pipeline, readsOf } = countReads(pool, connectPipeline(the.databaseUrl, 2000))
  const watch = watchProjection(the.databaseUrl, pino({ level: 'silent' }))
  const options = { db: createProjectionDb(pool), pipeline, projectionUrl: the.databaseUrl, watch, metrics }
  const stop = async () => {
    await watch.close()
    await Promise.all([pool.end(), pipeline.close()])
    await store.stop()
  }
  return { app: createGateway(store, { ...options, rpcUrl: the.world.rpcUrl }), readsOf, stop }
}

async function ask(gateway: Gateway, query: string, headers: Record<string, string> = {}) {
  const response = await gateway.app.request('/api/v1/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
    body: JSON.stringify({ query }),
  })
  return response.json()
}

const readsOf = (gateway: Gateway, query: string, headers?: Record<string, string>): Promise<number> =>
  gateway.readsOf(async () => expect((await ask(gateway, query, headers)).errors).toBeUndefined())

const CLAIMS = '{ claims(first: 200) { totalCount nodes { claimId state financedFaceValue } } }'
const blockOf = (answer: Awaited<ReturnType<typeof ask>>): number =>
  answer.extensions.finalizedThrough.blockNumber

async function registerAndRevoke() {
  const { issuer, beneficiary } = the.world.parties
  const terms = { issuer, beneficiary: beneficiary.address, token: the.world.usd, faceValue: 1_000_000n }
  const { claimId } = await act.registerClaim(the.world, terms)
  return { claimId, revoke: () => act.revokeClaim(the.world, { issuer, claimId }) }
}

/** The answer to a request, read and then kept, with one text and one tag. */
async function readAndKept(get: () => Promise<Response>) {
  const read = await get()
  const tag = read.headers.get('ETag') ?? ''
  const text = await read.text()
  await until(async () => (await the.readsOf(get)) === 0)
  const kept = await get()
  expect([await kept.text(), kept.headers.get('ETag')]).toEqual([text, tag])
  return { read, kept, text, tag }
}

describe('an answer within a block', () => {
  it('is read once, and its repetition reads nothing', async () => {
    await registerAndRevoke()
    await the.project()
    await until(async () => (await readsOf(the, CLAIMS)) === 0)
    expect(await readsOf(the, CLAIMS)).toBe(0)
    expect(await ask(the, CLAIMS)).toEqual(await ask(the, `${CLAIMS} `))
    expect(await readsOf(the, CLAIMS.replace('200', '199'))).toBeGreaterThan(0)
  })

  it('is the same as one event, kept or read', async () => {
    await the.project()
    const headers = { accept: 'text/event-stream', 'content-type': 'application/json' }
    const body = JSON.stringify({ query: CLAIMS })
    const events = async () => {
      const response = await the.app.request('/api/v1/graphql', { method: 'POST', headers, body })
      expect(response.headers.get('content-type')).toContain('text/event-stream')
      return response.text()
    }
    const read = await events()
    await until(async () => (await readsOf(the, CLAIMS)) === 0)
    const kept = await events()
    const answer = await ask(the, CLAIMS)
    const dataOf = (text: string) => JSON.parse(/^data: (?<json>{.+})$/m.exec(text)?.groups?.json ?? 'null')
    expect([dataOf(read), dataOf(kept)]).toEqual([answer, answer])
  })

  it('over REST is read once, with one tag, and read again at the next block', async () => {
    const { claimId } = await registerAndRevoke()
    await the.project()
    const path = `/api/v1/claims/${claimId}`
    const get = (headers: Record<string, string> = {}) => Promise.resolve(the.app.request(path, { headers }))
    const { read, kept, tag } = await readAndKept(get)
    expect(kept.headers.get('Content-Type')).toBe(read.headers.get('Content-Type'))
    expect(kept.headers.get('X-Finalized-Through')).toBe(read.headers.get('X-Finalized-Through'))
    for (const named of [tag, `W/${tag}`, `"another", ${tag}`, '*']) {
      const unchanged = await get({ 'If-None-Match': named })
      expect([named, unchanged.status, unchanged.headers.get('ETag')]).toEqual([named, 304, tag])
      expect([await unchanged.text(), unchanged.headers.get('Content-Type')]).toEqual(['', null])
      expect(unchanged.headers.get('X-Finalized-Through')).toBe(read.headers.get('X-Finalized-Through'))
      expect(unchanged.headers.get('Cache-Control')).toBe(read.headers.get('Cache-Control'))
    }
    for (const named of ['"another"', tag.slice(1, -1), '']) {
      expect([named, (await get({ 'If-None-Match': named })).status]).toEqual([named, 200])
    }
    const before = Number(read.headers.get('X-Finalized-Through'))
    const next = get({ 'X-Min-Block': `${before + 1}` })
    await registerAndRevoke()
    await the.project()
    expect(Number((await next).headers.get('X-Finalized-Through'))).toBeGreaterThan(before)
    const later = await get({ 'If-None-Match': tag })
    expect(later.status).toBe(200)
    expect(Number(later.headers.get('X-Finalized-Through'))).toBeGreaterThan(before)
  })

  it('by GET is read once, with one tag, which names no answer of the next block', async () => {
    await the.project()
    const path = `/api/v1/graphql?${new URLSearchParams({ query: CLAIMS })}`
    const get = (headers: Record<string, string> = {}) => Promise.resolve(the.app.request(path, { headers }))
    const { text, tag } = await readAndKept(get)
    const { headers } = bearer(await signIn(the.app, the.world.parties.issuer.key))
    for (const caller of [{}, headers]) {
      const unchanged = await get({ ...caller, 'If-None-Match': tag })
      expect([unchanged.status, await unchanged.text()]).toEqual([304, ''])
    }
    await registerAndRevoke()
    await the.project()
    const later = await get({ 'If-None-Match': tag })
    expect(later.status).toBe(200)
    expect(later.headers.get('ETag')).not.toBe(tag)
    expect(blockOf(await later.json())).toBeGreaterThan(blockOf(JSON.parse(text)))
  })

  it('by GET that depends on the caller or the chain is stored by no cache', async () => {
    const { issuer } = the.world.parties
    const { headers } = bearer(await signIn(the.app, issuer.key))
    const ofViewer = '{ viewer { address } claims { totalCount } }'
    const unknown = `{ execution(executionId: "0x${'12'.repeat(32)}") { status } claims { totalCount } }`
    for (const [query, caller] of [
      [ofViewer, headers],
      [unknown, {}],
    ] as const) {
      const path = `/api/v1/graphql?${new URLSearchParams({ query })}`
      const answer = await the.app.request(path, { headers: { ...caller, 'If-None-Match': '*' } })
      expect([answer.status, answer.headers.get('ETag')]).toEqual([200, null])
      expect(answer.headers.get('Cache-Control')).toBe('no-store')
      expect((await answer.json()).errors).toBeUndefined()
    }
  })

  it('is read again at the next block, and for a caller who asks for a later one', async () => {
    await the.project()
    await until(async () => (await readsOf(the, CLAIMS)) === 0)
    const kept = blockOf(await ask(the, CLAIMS))
    expect(await readsOf(the, CLAIMS, { 'X-Min-Block': String(kept) })).toBe(0)
    const { claimId } = await registerAndRevoke()
    const later = ask(the, CLAIMS, { 'X-Min-Block': String(kept + 1) })
    const block = Number(await the.project())
    const answer = await later
    expect(blockOf(answer)).toBeGreaterThan(kept)
    const seen = await ask(the, CLAIMS, { 'X-Min-Block': String(block) })
    expect(JSON.stringify(seen)).toContain(claimId)
  })

  it('counts under its operation, read or kept', async () => {
    await the.project()
    const query = `query Known ${CLAIMS}`
    let sent = 0
    await until(async () => {
      sent += 1
      return (await readsOf(other, query)) === 0
    })
    const lines = (await metrics.registry.metrics()).split('\n')
    const of = 'gateway_request_duration_seconds_count{route="POST /api/v1/graphql",operation='
    expect(lines.filter((line) => line.startsWith(`${of}"Known"`))).toEqual([
      `${of}"Known",status="200"} ${sent}`,
    ])
  })

  it('that depends on the caller or the chain is never kept', async () => {
    const { issuer, beneficiary } = the.world.parties
    const ofViewer = '{ viewer { address } _meta { finalizedThrough { blockNumber } } }'
    for (const party of [issuer, beneficiary, issuer]) {
      const { headers } = bearer(await signIn(the.app, party.key))
      const { data } = await ask(the, ofViewer, headers)
      expect(data.viewer.address).toBe(party.address.toLowerCase())
    }
    const unknown = `{ execution(executionId: "0x${'12'.repeat(32)}") { status } claims { totalCount } }`
    await until(async () => (await readsOf(the, CLAIMS)) === 0)
    for (const _ of [1, 2, 3]) expect(await readsOf(the, unknown)).toBeGreaterThan(0)
    // Balances are those of the chain, and the past of a block may be corrected.
    for (const path of [`/account/${issuer.address}`, '/vaults?asOfBlock=1']) {
      const get = async () => expect((await the.app.request(`/api/v1${path}`)).status).toBe(200)
      for (const _ of [1, 2, 3]) expect(await the.readsOf(get), path).toBeGreaterThan(0)
    }
  })
})

describe('answers while blocks are projected', () => {
  it('of one block are equal at both gateways, kept or read, and never go back to an earlier block', async () => {
    const byBlock = new Map<number, string>()
    let isMoving = true
    let kept = 0
    const follow = async (gateway: Gateway, reader: number) => {
      let last = 0
      for (let i = 0; isMoving; i++) {
        // Every third request has a text of its own, which no answer is kept for.
        const query = i % 3 === 0 ? `${CLAIMS} # ${reader} ${i}` : CLAIMS
        const answer = await ask(gateway, query)
        expect(answer.errors).toBeUndefined()
        const block = blockOf(answer)
        expect(block).toBeGreaterThanOrEqual(last)
        last = block
        const content = JSON.stringify(answer.data)
        expect(content).toBe(byBlock.get(block) ?? content)
        byBlock.set(block, content)
        if (i % 3 && (await readsOf(gateway, CLAIMS)) === 0) kept += 1
      }
    }
    const readers = [the, other].map(follow)
    const move = async () => {
      for (let i = 0; i < 12; i++) {
        const { revoke } = await registerAndRevoke()
        await the.project()
        await revoke()
        await the.project()
      }
    }
    const moving = move().finally(() => {
      isMoving = false
    })
    await Promise.all([...readers, moving])
    expect(byBlock.size).toBeGreaterThan(5)
    expect(kept).toBeGreaterThan(0)
  })
})
