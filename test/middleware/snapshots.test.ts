/** How requests share the database: over HTTP, on real Postgres, with a lock that keeps reads of claims waiting. */

import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createMetrics, type Metrics } from '../../api/metrics/metrics.ts'
import { createPool, createProjectionDb } from '../../api/projection/session/database.ts'
import type { ReadServer } from '../../api/projection/session/read-servers.ts'
import { makeClaims } from '../projection/large.ts'
import { freePort } from '../support/anvil.ts'
import { createGateway } from '../support/gateway.ts'
import { createDatabase } from '../support/postgres.ts'
import { connectReadServer } from '../support/read-server.ts'
import { serveHttp } from '../support/serve.ts'
import { bearer, signIn } from '../support/sign-in.ts'
import { createTestStore } from '../support/store.ts'

const CONNECTIONS = 5
const ATTACKER = '192.0.2.1'
const OTHER = '192.0.2.2'
const LOCKED = '{ claims(first: 1) { nodes { claimId } } }'
const FREE = '{ vaults(first: 1) { nodes { address } } }'
/** Planned with their values, so they are read over connections of their own. */
const ALONE = '{ claims(first: 1, filter: { claimType: 1 }) { nodes { claimId } } }'
const FREE_ALONE = '{ vaults(first: 1, filter: { active: true }) { nodes { address } } }'

let database: Awaited<ReturnType<typeof createDatabase>>
let store: Awaited<ReturnType<typeof createTestStore>>
let admin: ReturnType<typeof createPool>
beforeAll(async () => {
  database = await createDatabase()
  store = await createTestStore()
  admin = createPool(database.url, 3)
  await makeClaims(admin, 1000)
})
afterAll(async () => {
  await admin.end()
  await store.stop()
  await database.drop()
})

/** A gateway that listens; each request names the address it comes from. */
async function start(
  env: Record<string, string> = {},
  statementTimeoutMs = 600_000,
  metrics?: Metrics,
  replicas: readonly ReadServer[] = [],
) {
  const pool = createPool(database.url, CONNECTIONS, statementTimeoutMs)
  pool.on('error', () => {})
  const log: { level: number; msg: string; replica?: number }[] = []
  const app = createGateway(store, {
    db: createProjectionDb(pool),
    projectionUrl: database.url,
    replicas,
    env: {
      TRUSTED_PROXIES: '1',
      DATABASE_POOL_SIZE: String(CONNECTIONS),
      DATABASE_TIMEOUT_MS: '600000',
      READ_TIMEOUT_MS: '600000',
      ...env,
    },
    log: { write: (line) => void log.push(JSON.parse(line)) },
    metrics,
  })
  const server = await serveHttp(app.fetch)
  const get = (path: string, address: string, signal?: AbortSignal, token?: string) =>
    fetch(`${server.url}/api/v1${path}`, {
      headers: { 'X-Forwarded-For': address, ...(token && bearer(token).headers) },
      ...(signal && { signal }),
    })
  return {
    url: server.url,
    app,
    pool,
    log,
    complaints: () => log.filter(({ level }) => level >= 40).map(({ msg }) => msg),
    get,
    post: (query: string, address: string, signal: AbortSignal) =>
      fetch(`${server.url}/api/v1/graphql`, {
        method: 'POST',
        headers: { 'X-Forwarded-For': address, 'Content-Type': 'application/json' },
        body: JSON.stringify({ query }),
        signal,
      }),
    ask: (query: string, address: string, signal?: AbortSignal, token?: string) =>
      get(`/graphql?${new URLSearchParams({ query })}`, address, signal, token),
    stop: async () => {
      await server.close()
      await pool.end()
    },
  }
}

type Gateway = Awaited<ReturnType<typeof start>>
let gateway: Gateway
let unlock = async () => {}

/** From now on, whatever reads claims waits. */
async function lockClaims(): Promise<void> {
  const client = await admin.connect()
  await client.query('begin')
  await client.query('lock table projection.claim in access exclusive mode')
  unlock = async () => {
    unlock = async () => {}
    await client.query('rollback')
    client.release()
  }
}

/** Statements of the gateway that wait for the lock. */
async function waiting(): Promise<number> {
  const { rows } = await admin.query(`
    select count(*) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'relation'`)
  return Number(rows[0].count)
}

const codeOf = async (response: Response) => {
  const body = await response.json()
  return body.code ?? body.errors?.[0]?.extensions.code
}

describe('one address with many reads that wait', () => {
  beforeEach(async () => {
    gateway = await start({ READS_PER_CLIENT: '2', READ_QUEUE_PER_CLIENT: '10' })
    await lockClaims()
  })
  afterEach(async () => {
    await unlock()
    await gateway.stop()
  })

  it('holds its share of the connections, and another address and readiness are answered meanwhile', async () => {
    const pending = Array.from({ length: 12 }, () => gateway.ask(LOCKED, ATTACKER))
    await expect.poll(waiting).toBe(2)
    expect((await gateway.ask(FREE, OTHER)).status).toBe(200)
    expect((await gateway.get('/vaults', OTHER)).status).toBe(200)
    expect((await gateway.get('/health/ready', OTHER)).status).toBe(200)
    expect(await waiting()).toBe(2)
    await unlock()
    const answers = await Promise.all(pending)
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200))
  })

  it('has one share of the connections however many wallets it signs in with', async () => {
    const wallets = Array.from({ length: 4 }, () => privateKeyToAccount(generatePrivateKey()))
    const tokens = await Promise.all(wallets.map((wallet) => signIn(gateway.app, wallet)))
    const pending = tokens.flatMap((token) =>
      Array.from({ length: 2 }, () => gateway.ask(LOCKED, ATTACKER, undefined, token)),
    )
    await expect.poll(waiting).toBe(2)
    expect((await gateway.ask(FREE, OTHER)).status).toBe(200)
    expect(await waiting()).toBe(2)
    await unlock()
    const answers = await Promise.all(pending)
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
  })

  it('is refused with a code beyond its queue', async () => {
    const pending = Array.from({ length: 12 }, () => gateway.ask(LOCKED, ATTACKER))
    await expect.poll(waiting).toBe(2)
    for (const refused of [await gateway.ask(FREE, ATTACKER), await gateway.get('/vaults', ATTACKER)]) {
      expect([refused.status, refused.headers.has('Retry-After')]).toEqual([429, true])
      expect(await codeOf(refused)).toBe('TOO_MANY_READS')
    }
    await unlock()
    await Promise.all(pending)
    expect((await gateway.ask(FREE, ATTACKER)).status).toBe(200)
  })
})

describe('one address that may read over more connections than there are', () => {
  beforeEach(lockClaims)
  afterEach(async () => {
    await unlock()
    await gateway.stop()
  })

  it('leaves one of them to others', async () => {
    gateway = await start({ READS_PER_CLIENT: '1000', READ_QUEUE_MAX: '0' })
    const pending = Array.from({ length: CONNECTIONS - 2 }, () => gateway.ask(ALONE, ATTACKER))
    await expect.poll(waiting).toBe(CONNECTIONS - 2)
    expect(await codeOf(await gateway.ask(FREE_ALONE, ATTACKER))).toBe('READS_BUSY')
    expect((await gateway.ask(FREE_ALONE, OTHER)).status).toBe(200)
    await unlock()
    const answers = await Promise.all(pending)
    expect(answers.map(({ status }) => status)).toEqual(Array(CONNECTIONS - 2).fill(200))
  })
})

describe('reads of two replicas', () => {
  const READS = { READS_PER_CLIENT: '1', READ_QUEUE_MAX: '0' }
  let replicas: ReturnType<typeof connectReadServer>[]
  const startWith = (urls: readonly string[]) => {
    replicas = urls.map((url) => connectReadServer(url, CONNECTIONS))
    const servers = replicas.map(({ server }) => server)
    return start(READS, undefined, undefined, servers)
  }
  afterEach(async () => {
    await unlock()
    await gateway.stop()
    await Promise.all(replicas.map(({ stop }) => stop()))
  })

  it('have all connections of each replica, and those beyond them are refused', async () => {
    await lockClaims()
    gateway = await startWith([database.url, database.url])
    const pending = Array.from({ length: 2 * CONNECTIONS }, (_, i) => gateway.ask(ALONE, `198.51.100.${i}`))
    await expect.poll(waiting).toBe(2 * CONNECTIONS)
    expect(await codeOf(await gateway.ask(FREE_ALONE, OTHER))).toBe('READS_BUSY')
    await unlock()
    const answers = await Promise.all(pending)
    expect(answers.map(({ status }) => status)).toEqual(Array(2 * CONNECTIONS).fill(200))
  })

  it('are answered by the other one while one is gone, which the log names by its position', async () => {
    const gone = new URL(database.url)
    gone.port = String(await freePort())
    gateway = await startWith([database.url, gone.href])
    for (let i = 0; i < 3; i += 1) expect((await gateway.ask(FREE_ALONE, OTHER)).status).toBe(200)
    const named = gateway.log.filter(({ level }) => level >= 40).map(({ msg, replica }) => [msg, replica])
    expect(named).toEqual([['a read replica does not answer; others answer for it', 2]])
  })
})

/** Requests 60 answers of 300 kB over one connection, and reads nothing of them. @returns closes the connection */
function ignoreAnswers(address: string): () => void {
  const path = '/api/v1/openapi.json'
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1').pause()
  socket.on('error', () => {})
  socket.write(`GET ${path} HTTP/1.1\r\nHost: test\r\nX-Forwarded-For: ${address}\r\n\r\n`.repeat(60))
  return () => socket.destroy()
}

describe('a read that waits while its client leaves other answers unread', () => {
  it('is refused before it is read, and its share is free again', async () => {
    gateway = await start({ READS_PER_CLIENT: '1' })
    await lockClaims()
    const pending = Array.from({ length: 2 }, () => gateway.ask(LOCKED, ATTACKER))
    await expect.poll(waiting).toBe(1)
    const close = ignoreAnswers(ATTACKER)
    await expect.poll(async () => codeOf(await gateway.get('/vaults', ATTACKER))).toBe('ANSWERS_UNREAD')
    await unlock()
    const answers = await Promise.all(pending)
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 429])
    const refused = answers.find(({ status }) => status === 429)
    expect(refused && (await codeOf(refused))).toBe('ANSWERS_UNREAD')
    close()
    await expect.poll(async () => (await gateway.ask(FREE_ALONE, ATTACKER)).status).toBe(200)
    await gateway.stop()
  })
})

/** Statements that wait for the lock in transactions that have lasted for two seconds. */
async function waitingForLong(): Promise<number> {
  const { rows } = await admin.query(`
    select count(*) from pg_stat_activity
    where datname = current_database() and wait_event = 'relation' and clock_timestamp() - xact_start > '2 seconds'`)
  return Number(rows[0].count)
}

describe('an export', () => {
  beforeEach(lockClaims)
  afterEach(async () => {
    await unlock()
    await gateway.stop()
  })

  it('has its own time, and not that of a read', async () => {
    gateway = await start({ READ_TIMEOUT_MS: '1000', EXPORT_TIMEOUT_MS: '600000' })
    const pending = gateway.get('/exports/claims.csv', ATTACKER)
    await expect.poll(waitingForLong).toBe(1)
    await unlock()
    const answer = await pending
    expect(answer.status).toBe(200)
    expect((await answer.text()).trim().split('\n').length).toBeGreaterThan(1000)
  })
})

describe('an export that cannot begin', () => {
  it('leaves its connection free', async () => {
    gateway = await start({ DATABASE_TIMEOUT_MS: '1000' })
    await admin.query('alter schema projection rename to hidden')
    for (let i = 0; i < CONNECTIONS; i += 1) {
      expect(await codeOf(await gateway.get('/exports/claims.csv', ATTACKER))).toBe('NOT_READY')
    }
    await admin.query('alter schema hidden rename to projection')
    expect((await gateway.ask(FREE_ALONE, OTHER)).status).toBe(200)
    await gateway.stop()
  })
})

/** The sum of `gateway_read_wait_seconds`. */
async function secondsWaited({ registry }: Metrics): Promise<number> {
  const text = await registry.getSingleMetricAsString('gateway_read_wait_seconds')
  return Number(/_sum (\S+)/.exec(text)?.[1])
}

describe('many addresses with reads that wait', () => {
  beforeEach(lockClaims)
  afterEach(async () => {
    await unlock()
    await gateway.stop()
  })

  it('leave readiness its own connection, and are refused beyond the common queue', async () => {
    gateway = await start({ READS_PER_CLIENT: '1', READ_QUEUE_MAX: '3' })
    const pending = Array.from({ length: 7 }, (_, i) => gateway.ask(LOCKED, `198.51.100.${i}`))
    await expect.poll(waiting).toBe(CONNECTIONS - 1)
    expect((await gateway.get('/health/ready', OTHER)).status).toBe(200)
    const refused = await gateway.ask(FREE_ALONE, OTHER)
    expect([refused.status, refused.headers.has('Retry-After')]).toEqual([503, true])
    expect(await codeOf(refused)).toBe('READS_BUSY')
    await unlock()
    await Promise.all(pending)
  })

  it('leave short reads, up to a cost of 3,000, the connection that these have in common', async () => {
    gateway = await start({ READS_PER_CLIENT: '1', READ_QUEUE_MAX: '0' })
    const pending = Array.from({ length: CONNECTIONS - 1 }, (_, i) => gateway.ask(LOCKED, `198.51.100.${i}`))
    await expect.poll(waiting).toBe(CONNECTIONS - 1)
    const answers = await Promise.all(Array.from({ length: 10 }, (_, i) => gateway.ask(FREE, `192.0.2.${i}`)))
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
    const addresses = Array.from({ length: 17 }, (_, i) => `a${i}: address`).join(' ')
    const names = 'a: __typename b: __typename c: __typename d: __typename'
    const short = await gateway.ask(`{ ${names} vaults(first: 149) { nodes { ${addresses} } } }`, OTHER)
    expect([short.status, (await short.json()).extensions?.cost.cost]).toEqual([200, 3000])
    const longer = `{ ${names} vaults(first: 150) { nodes { ${addresses} } } }`
    expect(await codeOf(await gateway.ask(longer, OTHER))).toBe('READS_BUSY')
    expect(await waiting()).toBe(CONNECTIONS - 1)
    await unlock()
    await Promise.all(pending)
  })

  it('wait no longer than the time that a connection may take', async () => {
    const metrics = createMetrics([])
    gateway = await start({ READS_PER_CLIENT: '1', DATABASE_TIMEOUT_MS: '300' }, undefined, metrics)
    const pending = Array.from({ length: CONNECTIONS - 1 }, (_, i) => gateway.ask(LOCKED, `198.51.100.${i}`))
    await expect.poll(waiting).toBe(CONNECTIONS - 1)
    const before = await secondsWaited(metrics)
    const began = performance.now()
    expect(await codeOf(await gateway.ask(FREE_ALONE, OTHER))).toBe('READS_BUSY')
    expect(await codeOf(await gateway.ask(FREE, '198.51.100.0'))).toBe('TOO_MANY_READS')
    const measured = (await secondsWaited(metrics)) - before
    expect(measured).toBeGreaterThan(0)
    expect(measured).toBeLessThanOrEqual((performance.now() - began) / 1000)
    await unlock()
    await Promise.all(pending)
  })
})

describe('a client that leaves', () => {
  const cases: [title: string, request: (signal: AbortSignal) => Promise<Response>][] = [
    ['a GraphQL query', (signal) => gateway.ask(LOCKED, ATTACKER, signal)],
    ['a GraphQL query by POST', (signal) => gateway.post(LOCKED, ATTACKER, signal)],
    ['a REST read', (signal) => gateway.get(`/claims/0x${'11'.repeat(32)}`, ATTACKER, signal)],
    ['an export', (signal) => gateway.get('/exports/claims.csv', ATTACKER, signal)],
  ]
  beforeEach(async () => {
    gateway = await start()
    await lockClaims()
  })
  afterEach(async () => {
    await unlock()
    await gateway.stop()
  })

  it.each(cases)(
    'ends the statements of %s, and its connection serves the next request',
    async (_, request) => {
      const leaving = new AbortController()
      const left = request(leaving.signal).catch(() => 'left')
      await expect.poll(waiting).toBe(1)
      leaving.abort()
      expect(await left).toBe('left')
      await expect.poll(waiting).toBe(0)
      await expect.poll(() => gateway.pool.idleCount).toBe(1)
      expect((await gateway.ask(FREE, ATTACKER)).status).toBe(200)
      expect(gateway.pool.totalCount).toBe(1)
      expect(gateway.complaints()).toEqual([])
    },
  )

  it('leaves the queue, too', async () => {
    const held = gateway.ask(LOCKED, ATTACKER)
    await expect.poll(waiting).toBe(1)
    const leaving = new AbortController()
    const left = gateway.ask(LOCKED, ATTACKER, leaving.signal).catch(() => 'left')
    leaving.abort()
    expect(await left).toBe('left')
    await unlock()
    expect((await held).status).toBe(200)
    await expect.poll(() => gateway.pool.idleCount).toBe(gateway.pool.totalCount)
    expect(gateway.complaints()).toEqual([])
  })
})

describe('the reads of one request', () => {
  afterEach(async () => {
    await unlock()
    await gateway.stop()
  })

  it('fail together with one error, and log no internal error', async () => {
    gateway = await start({}, 500)
    await lockClaims()
    const query = `{ claim(claimId: "0x${'11'.repeat(32)}") { state } vault(address: "0x${'11'.repeat(20)}") { name } }`
    const answer = await (await gateway.ask(query, ATTACKER)).json()
    expect(answer).not.toHaveProperty('data')
    expect(answer.errors).toMatchObject([{ extensions: { code: 'DATABASE_UNAVAILABLE' } }])
    expect(gateway.complaints()).toEqual([])
  })

  let asked = 0
  const left = async () => {
    // A kept answer would state no cost.
    asked += 1
    const { headers } = await gateway.ask(`query Q${asked} { __typename }`, ATTACKER)
    return Number(/"cost";r=(\d+)/.exec(headers.get('RateLimit') ?? '')?.[1])
  }
  const POINTS_PER_SECOND = 300_000

  it('cost none of their time if the database is at fault', async () => {
    gateway = await start({}, 1000)
    await lockClaims()
    const before = await left()
    const answer = await gateway.ask(`{ claim(claimId: "0x${'11'.repeat(32)}") { state } }`, ATTACKER)
    expect(await codeOf(answer)).toBe('DATABASE_UNAVAILABLE')
    expect(before - (await left())).toBeLessThan(POINTS_PER_SECOND)
  })

  it('cost their time if their own filter needs more of it than a statement may take', async () => {
    gateway = await start({}, 2000)
    await admin.query(`
      alter table projection.claim rename to row;
      create view projection.claim as select * from projection.row where pg_sleep(600) is not null`)
    try {
      const before = await left()
      const answer = await gateway.ask(
        '{ claims(filter: { claimType_gte: 0 }) { nodes { claimId } } }',
        ATTACKER,
      )
      expect(await codeOf(answer)).toBe('READ_TOO_SLOW')
      expect(before - (await left())).toBeGreaterThanOrEqual(2 * POINTS_PER_SECOND)
    } finally {
      await admin.query('drop view projection.claim; alter table projection.row rename to claim')
    }
  })

  it('cost their time though their client has left', async () => {
    gateway = await start()
    await lockClaims()
    let before = await left()
    const client = new AbortController()
    const answer = gateway.ask(LOCKED, ATTACKER, client.signal).catch(() => undefined)
    await expect.poll(waiting).toBe(1)
    await pause(1000)
    client.abort()
    await answer
    await expect.poll(waiting).toBe(0)
    // The polls themselves cost a little each.
    const spentSince = async () => {
      const spent = before - (await left())
      before -= spent
      return spent
    }
    await expect.poll(spentSince).toBeGreaterThanOrEqual(POINTS_PER_SECOND)
  })

  it('cost the time of the estimate of a statement, too', async () => {
    gateway = await start()
    await lockClaims()
    const before = await left()
    const answer = gateway.ask(
      '{ claims(first: 1, filter: { state: ELIGIBLE }) { nodes { claimId } } }',
      ATTACKER,
    )
    // The lock keeps the estimate waiting.
    await expect.poll(waiting).toBe(1)
    await pause(1000)
    await unlock()
    expect((await answer).status).toBe(200)
    expect(before - (await left())).toBeGreaterThanOrEqual(POINTS_PER_SECOND)
  })

  it('end at their deadline in the database, with a 503 that says when to retry', async () => {
    gateway = await start({ READ_TIMEOUT_MS: '1000', READS_PER_CLIENT: '1', DATABASE_TIMEOUT_MS: '30000' })
    await lockClaims()
    const response = await gateway.ask(LOCKED, ATTACKER)
    expect([response.status, response.headers.has('Retry-After')]).toEqual([503, true])
    expect(await codeOf(response)).toBe('DATABASE_UNAVAILABLE')
    expect(await waiting()).toBe(0)
    // The deadline took the connection with it; the client's one share is free again.
    expect((await gateway.ask(FREE, ATTACKER)).status).toBe(200)
  })
})
