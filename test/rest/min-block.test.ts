/** Every read takes `X-Min-Block`, REST and GraphQL. In test/flow the block comes while it is waited for. */
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { GRAPHQL_PATH } from '../../api/graphql/serve/endpoint.ts'
import { WAITING_ANONYMOUS_MAX } from '../../api/limits/min-block.ts'
import { WAIT_AHEAD_MAX } from '../../api/projection/session/at-block.ts'
import { signIn } from '../support/sign-in.ts'
import { sharedAccount } from '../support/world.ts'
import { type ReadGateway, startReadGateway } from './gateway.ts'

let gateway: ReadGateway
let token: string
let through: number
beforeAll(async () => {
  gateway = await startReadGateway({ MIN_BLOCK_WAIT_MS: '50' })
  const { address, signMessage } = privateKeyToAccount(sharedAccount('wallet-1').privateKey)
  token = await signIn(gateway.app, { address, signMessage })
  through = Number((await gateway.get('/vaults')).headers.get('X-Finalized-Through'))
})
afterAll(() => gateway.stop())

const document = z.object({
  paths: z.record(z.string(), z.object({ get: z.object({ tags: z.array(z.string()) }).optional() })),
})

/** Every read of the API's own description, for a wallet and for ids that nothing has. */
async function reads(): Promise<string[]> {
  const { paths } = document.parse(await (await gateway.get('/openapi.json')).json())
  return Object.entries(paths)
    .filter(([, { get }]) => get?.tags.includes('Reads'))
    .map(([path]) =>
      path
        .replace('/api/v1', '')
        .replace('{wallet}', sharedAccount('wallet-1').address)
        .replaceAll(/\{\w+\}/g, `0x${'ab'.repeat(32)}`),
    )
}

function ask(path: string, minBlock: number | string) {
  return gateway.get(path, { Authorization: `Bearer ${token}`, 'X-Min-Block': String(minBlock) })
}

function askGraphql(query: string, minBlock: number | string) {
  return gateway.app.request(GRAPHQL_PATH, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Min-Block': String(minBlock) },
    body: JSON.stringify({ query }),
  })
}

const behind = (minBlock: number) => ({ code: 'PROJECTION_BEHIND', minBlock, finalizedThrough: through })

describe('X-Min-Block', () => {
  it('changes nothing where the projection has the block', async () => {
    const paths = await reads()
    expect(paths.length).toBeGreaterThan(5)
    for (const path of paths) {
      const plain = await gateway.get(path, { Authorization: `Bearer ${token}` })
      expect((await ask(path, through)).status, path).toBe(plain.status)
      expect(gateway.pool.idleCount, 'connections that are free').toBe(gateway.pool.totalCount)
    }
  })

  it('holds no connection once a transaction was followed at its block', async () => {
    const hash = `0x${'ab'.repeat(32)}`
    for (let i = 0; i < 2; i += 1) {
      const rest = await ask(`/transactions/${hash}`, through)
      expect([rest.status, await rest.json()]).toMatchObject([200, { status: 'NOT_FOUND' }])
      expect(gateway.pool.idleCount, 'connections that are free').toBe(gateway.pool.totalCount)
      const graphql = await askGraphql(`{ transaction(hash: "${hash}") { status } }`, through)
      expect(await graphql.json()).toMatchObject({ data: { transaction: { status: 'NOT_FOUND' } } })
      expect(gateway.pool.idleCount, 'connections that are free').toBe(gateway.pool.totalCount)
    }
  })

  it('is a 503 on every read that would be behind it, also where the answer would be a 404', async () => {
    for (const minBlock of [through + 1, through + Number(WAIT_AHEAD_MAX) + 1, 999_999_999_999_999]) {
      for (const path of await reads()) {
        const response = await ask(path, minBlock)
        expect([response.status, await response.json()], path).toMatchObject([503, behind(minBlock)])
        expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(0)
        expect(gateway.pool.idleCount, 'connections that are free').toBe(gateway.pool.totalCount)
      }
    }
  })

  it('advises another try only for a block that a request would wait for', async () => {
    const detailOf = async (ahead: number) => (await (await ask('/vaults', through + ahead)).json()).detail
    expect(await detailOf(Number(WAIT_AHEAD_MAX))).toMatch(/try again\.$/)
    expect(await detailOf(Number(WAIT_AHEAD_MAX) + 1)).toContain('No request waits for a block more than 128')
  })

  it('is taken by GraphQL too, which then answers nothing at all', async () => {
    const query = `{ account(address: "${sharedAccount('wallet-1').address}") { address } claims { totalCount } }`
    const response = await askGraphql(query, through + 1)
    expect([response.status, response.headers.has('Retry-After')]).toEqual([503, true])
    const { errors, ...rest } = await response.json()
    expect(errors).toMatchObject([{ extensions: behind(through + 1) }])
    expect(rest).not.toHaveProperty('data')
    expect(await (await askGraphql(query, through)).json()).toMatchObject({
      data: {},
      extensions: { finalizedThrough: { blockNumber: through } },
    })
  })

  it.each(['', ' ', '-1', '+1', '0x10', '1.0', '1e3', '²', 'latest', '1, 2', '1,1', '9'.repeat(16)])(
    'is a 400 that names the header when it is %j',
    async (value) => {
      for (const response of [await ask('/vaults', value), await askGraphql('{ __typename }', value)]) {
        expect(response.status).toBe(400)
        const text = await response.text()
        expect([text.includes('VALIDATION_FAILED'), text.includes('"path":"X-Min-Block"')]).toEqual([
          true,
          true,
        ])
      }
    },
  )
})

describe('a block that is waited for', () => {
  it('admits at most 500 requests without a token or with one that is refused, which take no room from others', async () => {
    const crowded = await startReadGateway({ MIN_BLOCK_WAIT_MS: '60000', TRUSTED_PROXIES: '1' })
    const leaving = new AbortController()
    const all: Promise<unknown>[] = []
    let answered = 0
    onTestFinished(async () => {
      leaving.abort()
      await Promise.allSettled(all)
      await crowded.stop()
    })
    const wait = (address: string, headers: Record<string, string> = {}) => {
      const named = { 'X-Forwarded-For': address, 'X-Min-Block': String(through + 1), ...headers }
      const init = { headers: named, signal: leaving.signal }
      const answer = Promise.resolve(crowded.app.request('/api/v1/vaults', init))
      all.push(answer.then(() => answered++))
    }
    for (let i = 0; i <= WAITING_ANONYMOUS_MAX; i += 1)
      wait(`192.0.2.${i % 6}`, i % 2 === 0 ? {} : { Authorization: `Bearer ${token}x` })
    await expect.poll(() => answered).toBe(1)
    const withToken = { Authorization: `Bearer ${token}` }
    wait('192.0.2.9', withToken)
    for (const limit of [1, 2, 3, 4, 5]) {
      expect((await crowded.get(`/vaults?limit=${limit}`, withToken)).status).toBe(200)
    }
    expect(answered).toBe(1)
  })
})

describe('extensions.finalizedThrough', () => {
  it('is on every answer of GraphQL that reads, also one that finds nothing or needs no row', async () => {
    for (const query of [
      `{ claim(claimId: "0x${'ab'.repeat(32)}") { state } }`,
      `{ claims(filter: { state_in: [] }) { nodes { state } } }`,
      `{ account(address: "${sharedAccount('wallet-1').address}") { address } }`,
      '{ __typename vaults(first: 1) { nodes { name } } }',
    ]) {
      const { extensions } = await (await askGraphql(query, 0)).json()
      expect(extensions.finalizedThrough, query).toMatchObject({ blockNumber: through })
    }
  })

  it('is not on one that asks for the schema alone', async () => {
    const { extensions } = await (await askGraphql('{ __schema { queryType { name } } }', 0)).json()
    expect(extensions).not.toHaveProperty('finalizedThrough')
  })
})
