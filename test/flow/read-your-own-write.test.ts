/**
 * Who has written something reads it by naming the block it is in: nothing is polled, and nothing stale is answered.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProjectionDb } from '../../api/projection/session/database.ts'
import { createEmptyProjection } from '../support/empty-projection.ts'
import { createGateway } from '../support/gateway.ts'
import { until } from '../support/indexer.ts'
import { type LiveWorld, startLiveWorld } from '../support/live-world.ts'
import { connectReadServer } from '../support/read-server.ts'
import * as act from '../support/scenario.ts'

let the: LiveWorld
beforeAll(async () => {
  the = await startLiveWorld({ DATABASE_POOL_SIZE: '1' })
})
afterAll(() => the.stop())

/** A claim that is registered, and the block it is in, which is not final yet. */
async function register() {
  const { issuer, beneficiary } = the.world.parties
  const terms = { issuer, beneficiary: beneficiary.address, token: the.world.usd, faceValue: 1_000_000n }
  const { claimId } = await act.registerClaim(the.world, terms)
  return { claimId, block: await the.world.chain.getBlockNumber({ cacheTime: 0 }) }
}

const at = (block: bigint) => ({ 'X-Min-Block': `${block}` })

function askGraphql(query: string, headers: Record<string, string>, signal?: AbortSignal) {
  return fetch(the.url('/graphql'), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ query }),
    ...(signal && { signal }),
  })
}

describe('a claim that was just registered', () => {
  it('is there for who asks at its block, by REST and GraphQL alike, as soon as it is final', async () => {
    const { claimId, block } = await register()
    expect((await fetch(the.url(`/claims/${claimId}`))).status).toBe(404)
    const rest = fetch(the.url(`/claims/${claimId}`), { headers: at(block) })
    const graphql = askGraphql(`{ claim(claimId: "${claimId}") { state } }`, at(block))
    await the.project()

    const response = await rest
    expect([response.status, await response.json()]).toMatchObject([200, { claimId, state: 'ELIGIBLE' }])
    expect(BigInt(response.headers.get('X-Finalized-Through') ?? 0)).toBeGreaterThanOrEqual(block)
    const { data, extensions } = await (await graphql).json()
    expect(data).toEqual({ claim: { state: 'ELIGIBLE' } })
    expect(extensions.finalizedThrough.blockNumber).toBeGreaterThanOrEqual(Number(block))
  })

  it('lets others read meanwhile: those who wait hold no connection, however many they are', async () => {
    const { claimId, block } = await register()
    const waiting = Array.from({ length: 10 }, () =>
      fetch(the.url(`/claims/${claimId}`), { headers: at(block) }),
    )
    expect(the.pool.options.max).toBe(1)
    expect((await fetch(the.url('/vaults'))).status).toBe(200)
    await the.project()
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(waiting.map(() => 200))
  })
})

describe('a gateway with a replica that is behind', () => {
  it('follows a transaction to the block of its primary', async () => {
    const empty = await createEmptyProjection()
    const { server, stop } = connectReadServer(empty.urls.gateway, 1)
    const app = createGateway(the.store, {
      db: createProjectionDb(the.pool),
      projectionUrl: the.databaseUrl,
      rpcUrl: the.world.rpcUrl,
      replicas: [server],
    })
    const projected = Number(await the.project())
    const response = await app.request(`/api/v1/transactions/0x${'ab'.repeat(32)}`)
    expect(await response.json()).toMatchObject({
      status: 'NOT_FOUND',
      finalizedThrough: { blockNumber: projected },
    })
    await stop()
    await empty.drop()
  })
})

describe('a client that leaves while it waits', () => {
  it('is waited for no longer, and is no failure of ours', async () => {
    const { block } = await register()
    const logged = the.log.length
    const leaving = new AbortController()
    const asked = [
      fetch(the.url('/vaults'), { headers: at(block), signal: leaving.signal }),
      askGraphql('{ vaults { totalCount } }', at(block), leaving.signal),
    ].map((answer) => expect(answer).rejects.toThrow('aborted'))
    // That they wait shows in nothing; that a request behind them on the only connection is answered shows that they
    // could.
    expect((await fetch(the.url('/vaults'))).status).toBe(200)
    leaving.abort()
    await Promise.all(asked)
    const left = () => the.log.slice(logged).filter(({ status }) => status === 499)
    await until(async () => left().length === 2)
    expect(left().every(({ level }) => level === 30)).toBe(true)
    expect(the.log.slice(logged).filter(({ level }) => level > 30)).toEqual([])
  })
})

describe('a gateway that stops', () => {
  it('answers those who wait at once: come back', async () => {
    const { block } = await register()
    const waiting = fetch(the.url('/vaults'), { headers: at(block) })
    await fetch(the.url('/vaults'))
    await the.watch.close()
    const response = await waiting
    expect([response.status, await response.json()]).toMatchObject([503, { code: 'PROJECTION_BEHIND' }])
  })
})
