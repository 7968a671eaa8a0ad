/** The log of requests: no client writes more than a short line, or a warning, by the text that it sends. */
import type pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { startChain } from '../../api/http/define-middleware.ts'
import { requestLog } from '../../api/http/log.ts'
import { onError } from '../../api/http/problem.ts'
import { requestId } from '../../api/http/request-id.ts'
import { routeRules } from '../../api/http/route-rules.ts'
import { createPool, createProjectionDb } from '../../api/projection/session/database.ts'
import { makeProjection } from '../projection/large.ts'
import { createGateway, type TestStore } from '../support/gateway.ts'
import { createDatabase, type TestDatabase } from '../support/postgres.ts'
import { createTestStore } from '../support/store.ts'

let store: TestStore
let database: TestDatabase
let pool: pg.Pool
let app: ReturnType<typeof createGateway>
const lines: string[] = []
const parsed = z.looseObject({ requestId: z.string().optional() })
/** The lines about requests: others are about connections of the gateway itself, at any time. */
const linesOfRequests = () =>
  lines.map((line) => parsed.parse(JSON.parse(line))).filter(({ requestId }) => requestId !== undefined)

beforeAll(async () => {
  store = await createTestStore()
  database = await createDatabase()
  pool = createPool(database.url, 2)
  await makeProjection(pool, async () => {})
  const db = createProjectionDb(pool)
  const log = { write: (line: string) => void lines.push(line) }
  app = createGateway(store, { db, projectionUrl: database.url, log })
})
beforeEach(() => {
  lines.length = 0
})
afterAll(async () => {
  await pool.end()
  await Promise.all([store.stop(), database.drop()])
})

it('has the first 200 characters of a path, which one of a route is within', async () => {
  const long = `/api/v1/${'%41'.repeat(9000)}`
  const claim = `/api/v1/claims/0x${'0'.repeat(64)}/settlement/prepare`
  await app.request(long)
  await app.request(claim, { method: 'POST' })
  const paths = linesOfRequests().map(({ path }) => path)
  expect(paths).toEqual([`${`/api/v1/${'A'.repeat(200)}`.slice(0, 200)}…`, claim])
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(1000)
})

it('has no warning because of a block that a client names', async () => {
  const headers = { 'X-Min-Block': '9999999' }
  const query = encodeURIComponent('{ vaults { totalCount } }')
  const answers = await Promise.all([
    app.request('/api/v1/vaults', { headers }),
    app.request(`/api/v1/graphql?query=${query}`, { headers }),
  ])
  for (const answer of answers) expect(await answer.text()).toContain('PROJECTION_BEHIND')
  expect(linesOfRequests().map(({ level }) => level)).toEqual([30, 30])
})

it('warns of a database that does not answer', async () => {
  const nowhere = createPool('postgres://a@127.0.0.1:1/a', 1)
  const log = { write: (line: string) => void lines.push(line) }
  const alone = createGateway(store, { db: createProjectionDb(nowhere), projectionUrl: database.url, log })
  expect((await alone.request('/api/v1/vaults')).status).toBe(503)
  expect(
    linesOfRequests()
      .map(({ level }) => level)
      .toSorted(),
  ).toEqual([30, 40])
  await nowhere.end()
})

it('has the method, the status and the milliseconds of each request, by the clock of the gateway', async () => {
  let now = 1_800_000_000_000
  const log = pino({}, { write: (line) => void lines.push(line) })
  const timed = startChain()
    .use(requestId())
    .use(routeRules(new Map([['POST /a', { access: 'public', limit: 'none' }]])))
    .use(requestLog(log, () => now))
    .createApp()
  timed.post('/a', (c) => {
    now += 250
    return c.text('made', 201)
  })
  await timed.request('/a?of=a-query', { method: 'POST', headers: { 'X-Request-Id': 'one' } })
  await timed.request('/b', { headers: { 'X-Request-Id': 'other' } })
  const [made, missing] = linesOfRequests()
  expect(made).toMatchObject({ requestId: 'one', method: 'POST', path: '/a', status: 201, milliseconds: 250 })
  expect(missing).toMatchObject({
    requestId: 'other',
    method: 'GET',
    path: '/b',
    status: 404,
    milliseconds: 0,
  })
})

it('has the fault of a query of GraphQL under the id that the answer names', async () => {
  const broken = createPool(database.url, 1)
  broken.on('acquire', (client) => {
    Object.assign(client, { query: () => Promise.reject(new Error('a fault of ours')) })
  })
  const log = { write: (line: string) => void lines.push(line) }
  const alone = createGateway(store, { db: createProjectionDb(broken), projectionUrl: database.url, log })
  const query = encodeURIComponent('{ vaults { totalCount } }')
  const headers = { 'X-Request-Id': 'of-this-test', Accept: 'application/json' }
  const answer = await alone.request(`/api/v1/graphql?query=${query}`, { headers })
  expect(await answer.json()).toMatchObject({ errors: [{ extensions: { requestId: 'of-this-test' } }] })
  expect(linesOfRequests()).toMatchObject([
    { level: 50, requestId: 'of-this-test', err: { message: 'a fault of ours' } },
    { level: 30, requestId: 'of-this-test' },
  ])
  await broken.end()
})

it('has the stack of a fault under the id that the answer names, and the answer has no word of it', async () => {
  const log = pino({}, { write: (line) => void lines.push(line) })
  const faulty = startChain()
    .use(requestId())
    .use(routeRules(new Map([['GET /', { access: 'public', limit: 'none' }]])))
    .use(requestLog(log, Date.now))
    .createApp()
  faulty.get('/', () => {
    throw new Error('a fault of ours')
  })
  faulty.onError(onError)
  const answer = await faulty.request('/', { headers: { 'X-Request-Id': 'of-this-test' } })
  const text = await answer.text()
  expect(JSON.parse(text)).toMatchObject({ status: 500, code: 'INTERNAL', requestId: 'of-this-test' })
  expect(text).not.toContain('a fault of ours')
  expect(linesOfRequests()).toMatchObject([
    {
      level: 50,
      requestId: 'of-this-test',
      err: { message: 'a fault of ours', stack: expect.stringContaining('request-log.test.ts') },
    },
    { level: 30, requestId: 'of-this-test', status: 500 },
  ])
})
