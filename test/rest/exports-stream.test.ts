/** An export larger than what fits between two sockets: how it ends, and what it leaves behind. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPool, createProjectionDb } from '../../api/projection/session/database.ts'
import { ROW_GROUP_ROWS } from '../../parquet/write.ts'
import { makeClaims } from '../projection/large.ts'
import { createGateway } from '../support/gateway.ts'
import { openParquetReader } from '../support/parquet.ts'
import { createDatabase } from '../support/postgres.ts'
import { serveHttp } from '../support/serve.ts'
import { signIn } from '../support/sign-in.ts'
import { createTestStore } from '../support/store.ts'
import { readCsv } from './csv.ts'

/** Some 15 MB of them. */
const CLAIMS = 30_000
/** The files that hold them all. */
const FILES = ['claims.csv', 'claims.parquet']
const IS_LONG = process.env.FAULTS === 'all'
/** Fewer than they are. */
const BYTES = 12_000_000
const HOUR_MS = 3_600_000

let database: Awaited<ReturnType<typeof createDatabase>>
let store: Awaited<ReturnType<typeof createTestStore>>
let admin: ReturnType<typeof createPool>
beforeAll(async () => {
  database = await createDatabase()
  store = await createTestStore()
  admin = createPool(database.url, 2)
  await makeClaims(admin, CLAIMS)
})
afterAll(async () => {
  await admin.end()
  await store.stop()
  await database.drop()
})

/** A gateway over all those claims, as a client over HTTP sees it. */
async function start(env: Record<string, string> = {}) {
  const pool = createPool(database.url, 5, 5000)
  pool.on('error', () => {})
  const log: { level: number; msg: string; err?: { message: string } }[] = []
  let skewMs = 0
  const app = createGateway(store, {
    db: createProjectionDb(pool),
    projectionUrl: database.url,
    // So that each client can say who it is.
    env: { TRUSTED_PROXIES: '1', EXPORT_IDLE_TIMEOUT_MS: '86400000', ...env },
    clock: () => Date.now() + skewMs,
    log: { write: (line) => void log.push(JSON.parse(line)) },
  })
  const server = await serveHttp(app.fetch)
  return {
    app,
    pool,
    /** Warnings and errors so far. */
    complaints: () => log.filter(({ level }) => level >= 40).map(({ msg }) => msg),
    /** Why exports broke off. */
    failures: () => log.flatMap(({ err }) => err?.message ?? []),
    download: (file: string, client = '192.0.2.1', signal?: AbortSignal, token?: string) =>
      fetch(`${server.url}/api/v1/exports/${file}`, {
        headers: { 'X-Forwarded-For': client, ...(token && { Authorization: `Bearer ${token}` }) },
        ...(signal && { signal }),
      }),
    /** Opens an export on a socket that reads its first bytes and then nothing. */
    downloadNothing: async (file: string, client: string) => {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
      socket.write(
        `GET /api/v1/exports/${file} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${client}\r\n\r\n`,
      )
      await once(socket, 'readable')
      return socket
    },
    /** Moves the clock of the gateway. */
    wait: (milliseconds: number) => {
      skewMs += milliseconds
    },
    stop: async () => {
      await server.close()
      await pool.end()
    },
  }
}

/** How many connections of the pool are in somebody's hands. */
const inUse = ({ pool }: { pool: ReturnType<typeof createPool> }) => pool.totalCount - pool.idleCount

/**
 * Expects that a download was aborted by its client while it ran. Each download whose slot a test counts is read at its
 * end: `fetch` cancels the body of a response that is garbage.
 */
async function expectCut(response: Response): Promise<void> {
  await expect(response.text()).rejects.toThrow('aborted')
}

/** Ends the connection that an export reads over. */
async function killReader(): Promise<void> {
  const { rows } = await admin.query(`
    select pg_terminate_backend(pid) as killed from pg_stat_activity
    where datname = current_database() and state = 'idle in transaction'`)
  expect(rows).toEqual([{ killed: true }])
}

describe('a large export', () => {
  it('has every row once, in the order of the list, as of one block whatever is written meanwhile', async () => {
    const gateway = await start()
    const response = await gateway.download('claims.csv')
    // The last that are read.
    await admin.query(`update projection.claim set state = 'REVOKED' where registered_block < 10`)
    const text = await response.text()
    expect(text.includes('REVOKED')).toBe(false)
    const [header = [], ...rows] = readCsv(text)
    expect([rows.length, new Set(rows.map(([id]) => id)).size]).toEqual([CLAIMS, CLAIMS])
    const times = rows.map((row) => row[header.indexOf('registeredAt')] ?? '')
    expect(times).toEqual(times.toSorted().toReversed())
    expect(inUse(gateway)).toBe(0)
    await gateway.stop()
  })

  // Shorter exports are compared in exports-parquet.test.ts: `npm run test:faults`.
  it.runIf(IS_LONG)('as Parquet has the rows of the CSV file, in row groups', async () => {
    const gateway = await start()
    const parquet = await openParquetReader()
    const path = parquet.save(await (await gateway.download('claims.parquet')).arrayBuffer())
    const [header = [], ...rows] = readCsv(await (await gateway.download('claims.csv')).text())
    const file = await parquet.rowsOf(path)
    const isNumber = file.columns.map(({ type }) => type === 'DECIMAL(38,0)')
    const own = <T>(cells: readonly T[]) => cells.filter((_, i) => !isNumber[i])
    expect(own(file.columns).map(({ name }) => name)).toEqual(header)
    expect(file.rows.map((row) => own(row).map((cell) => cell ?? ''))).toEqual(rows)
    const groups = await parquet.query(
      `select distinct row_group_id as id, row_group_num_rows::integer as n from parquet_metadata('${path}') order by id`,
    )
    expect(groups.map(({ n }) => n)).toEqual(Array(CLAIMS / ROW_GROUP_ROWS).fill(ROW_GROUP_ROWS))
    parquet.stop()
    await gateway.stop()
  })

  it.each(FILES)('waits for its client, and ends with it (%s)', async (file) => {
    const gateway = await start()
    const leaving = new AbortController()
    const { body } = await gateway.download(file, undefined, leaving.signal)
    await body?.getReader().read()
    expect(inUse(gateway)).toBe(1)
    leaving.abort()
    await expect.poll(() => inUse(gateway)).toBe(0)
    expect(gateway.complaints()).toEqual([])
    await gateway.stop()
  })

  it.each(FILES)('that loses its database breaks off, and the next one is whole (%s)', async (file) => {
    const gateway = await start()
    const response = await gateway.download(file)
    await expect.poll(killReader).toBeUndefined()
    await expect(response.text()).rejects.toThrow('terminated')
    expect(gateway.complaints()).toEqual(['a download broke off'])
    await expect.poll(() => inUse(gateway)).toBe(0)
    expect(readCsv(await (await gateway.download('issuers.csv')).text()).length).toBeGreaterThan(1)
    await gateway.stop()
  })

  it('ends when its time is up, though its client takes nothing', async () => {
    const gateway = await start({ EXPORT_TIMEOUT_MS: '1000' })
    const response = await gateway.download('claims.csv')
    await expect.poll(() => inUse(gateway)).toBe(0)
    await expect(response.text()).rejects.toThrow('terminated')
    expect(gateway.complaints()).toEqual(['a download broke off'])
    await gateway.stop()
  })

  it.each(IS_LONG ? FILES : FILES.slice(0, 1))(
    'ends when its client takes no data, and leaves its connection to others (%s)',
    async (file) => {
      const gateway = await start({ EXPORT_IDLE_TIMEOUT_MS: '1000' })
      const sockets = [
        await gateway.downloadNothing(file, '192.0.2.1'),
        await gateway.downloadNothing(file, '192.0.2.2'),
      ]
      await expect.poll(() => inUse(gateway)).toBe(0)
      const reason = expect.stringContaining('its client took no data for')
      expect(gateway.failures()).toEqual([reason, reason])
      expect((await gateway.download('issuers.csv', '192.0.2.3')).status).toBe(200)
      for (const socket of sockets) socket.destroy()
      await gateway.stop()
    },
  )

  it('does not end while its client takes data, however long it takes', async () => {
    const gateway = await start({ EXPORT_IDLE_TIMEOUT_MS: `${HOUR_MS}`, EXPORT_TIMEOUT_MS: '86400000' })
    const { body } = await gateway.download('claims.csv')
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
      text += part.value
      // The sockets hold less text than one hour of this pace.
      gateway.wait((part.value.length / BYTES) * 1.1 * HOUR_MS)
    }
    expect(text.length).toBeGreaterThan(BYTES)
    expect(readCsv(text).length).toBe(CLAIMS + 1)
    await gateway.stop()
  })

  it('aborts when the indexer has a new index to publish', async () => {
    const gateway = await start()
    const response = await gateway.download('claims.csv')
    const indexer = await admin.connect()
    await indexer.query('begin')
    await indexer.query('lock table projection.router in access exclusive mode')
    await indexer.query('rollback')
    indexer.release()
    await expect(response.text()).rejects.toThrow('terminated')
    await gateway.stop()
  })
})

describe('the concurrency limits', () => {
  it('bound the exports of a client, and of all; a client that disconnects frees its slot', async () => {
    const gateway = await start({ EXPORTS_PER_CLIENT: '1', EXPORTS_MAX: '4' })
    const [first, second] = [new AbortController(), new AbortController()]
    const oldest = await gateway.download('claims.csv', '192.0.2.1', first.signal)
    const again = await gateway.download('claims.csv', '192.0.2.1')
    expect([again.status, again.headers.has('Retry-After'), await again.json()]).toMatchObject([
      429,
      true,
      { code: 'TOO_MANY_EXPORTS', maximum: 1 },
    ])
    const newer = await gateway.download('claims.csv', '192.0.2.2', second.signal)
    const other = await gateway.download('claims.csv', '192.0.2.3')
    expect([other.status, other.headers.has('Retry-After'), await other.json()]).toMatchObject([
      503,
      true,
      { code: 'EXPORTS_BUSY' },
    ])
    first.abort()
    await expectCut(oldest)
    const status = async () => {
      const response = await gateway.download('issuers.csv', '192.0.2.3')
      await response.text()
      return response.status
    }
    await expect.poll(status).toBe(200)
    second.abort()
    await expectCut(newer)
    await expect.poll(() => inUse(gateway)).toBe(0)
    await gateway.stop()
  })

  it('without a token or with one that is refused are at most half of all, and a caller with a token gets the rest', async () => {
    const gateway = await start({ EXPORTS_MAX: '2' })
    const leaving = new AbortController()
    const token = await signIn(gateway.app, privateKeyToAccount(generatePrivateKey()))
    const anonymous = await gateway.download('claims.csv', '192.0.2.1', leaving.signal)
    for (const invalid of [undefined, `${token}x`]) {
      const refused = await gateway.download('claims.csv', '192.0.2.2', leaving.signal, invalid)
      expect([refused.status, await refused.json()]).toMatchObject([503, { code: 'EXPORTS_BUSY' }])
    }
    const withToken = await gateway.download('claims.csv', '192.0.2.2', leaving.signal, token)
    expect(withToken.status).toBe(200)
    leaving.abort()
    await expectCut(anonymous)
    await expectCut(withToken)
    await expect.poll(() => inUse(gateway)).toBe(0)
    await gateway.stop()
  })

  it('without a token are never all of one client, however many networks it has', async () => {
    const gateway = await start({ EXPORTS_MAX: '4', DATABASE_POOL_SIZE: '9' })
    const leaving = new AbortController()
    const first = await gateway.download('claims.csv', '2001:db8:0:1::1', leaving.signal)
    const refused = await gateway.download('claims.csv', '2001:db8:0:ff00::1')
    expect([refused.status, await refused.json()]).toMatchObject([
      429,
      { code: 'TOO_MANY_EXPORTS', maximum: 1 },
    ])
    const other = await gateway.download('claims.csv', '2001:db8:1::1', leaving.signal)
    expect(other.status).toBe(200)
    leaving.abort()
    await expectCut(first)
    await expectCut(other)
    await expect.poll(() => inUse(gateway)).toBe(0)
    await gateway.stop()
  })

  it('are never all connections of the pool', async () => {
    const gateway = await start({ EXPORTS_MAX: '4', DATABASE_POOL_SIZE: '1' })
    const response = await gateway.download('issuers.csv')
    expect([response.status, await response.json()]).toMatchObject([503, { code: 'EXPORTS_BUSY' }])
    await gateway.stop()
  })

  it('are left by an export that cannot begin', async () => {
    const gateway = await start({ EXPORTS_MAX: '1' })
    await admin.query('alter table projection.claim rename to claim_away')
    expect((await gateway.download('claims.csv')).status).toBe(500)
    await admin.query('alter table projection.claim_away rename to claim')
    expect((await gateway.download('issuers.csv')).status).toBe(200)
    await gateway.stop()
  })
})

describe('a name that a spreadsheet would run', () => {
  it('is marked as text, and quoted where it must be', async () => {
    const name = '=HYPERLINK("http://evil.example", "Click")'
    await admin.query('update projection.vault set name = $1', [name])
    const gateway = await start()
    const text = await (await gateway.download('vaults.csv')).text()
    expect(text).toContain(`"'=HYPERLINK(""http://evil.example"", ""Click"")"`)
    const [header = [], row] = readCsv(text)
    expect(row?.[header.indexOf('name')]).toBe(`'${name}`)
    await gateway.stop()
  })

  it('is in a Parquet file as it is', async () => {
    const name = '=1+1\u202e\u0001"\r\n\t\ufeff😀'
    await admin.query('update projection.vault set name = $1', [name])
    const gateway = await start()
    const parquet = await openParquetReader()
    const path = parquet.save(await (await gateway.download('vaults.parquet')).arrayBuffer())
    expect(await parquet.query(`select distinct name from read_parquet('${path}')`)).toEqual([{ name }])
    parquet.stop()
    await gateway.stop()
  })
})
