/** `npm run snapshot` as a process, and its files as DuckDB reads them. */
import { createHash, randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createChain } from '../../api/chain/client.ts'
import { createPool, createProjectionDb } from '../../api/projection/session/database.ts'
import { startChild } from '../../devnet/child.ts'
import { decimalName } from '../../parquet/columns.ts'
import { toFileColumns } from '../../snapshot/columns.ts'
import { writeSnapshot } from '../../snapshot/write-snapshot.ts'
import { makeProjection } from '../projection/large.ts'
import { startAnvil } from '../support/anvil.ts'
import { INHERITED } from '../support/inherited.ts'
import { openParquetReader, type ParquetReader } from '../support/parquet.ts'
import { createDatabase, type TestDatabase } from '../support/postgres.ts'
import { sharedWorld } from '../support/world.ts'

const MAIN = join(import.meta.dirname, '../../snapshot/main.ts')
const CLAIMS = 40_000

const manifestShape = z.strictObject({
  chainId: z.number(),
  blockNumber: z.number(),
  blockTime: z.string(),
  blockHash: z.string().nullable(),
  tables: z.array(
    z.strictObject({
      name: z.string(),
      meaning: z.string(),
      file: z.string(),
      rows: z.number(),
      bytes: z.number(),
      sha256: z.string(),
      columns: z.array(z.strictObject({ name: z.string(), type: z.string(), meaning: z.string() })),
    }),
  ),
})

let folder: string
let parquet: ParquetReader
beforeAll(async () => {
  parquet = await openParquetReader()
})
afterAll(() => parquet.stop())
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'snapshots-'))
  return () => rmSync(folder, { recursive: true })
})

function start(databaseUrl: string, env: Record<string, string> = {}, ...more: string[]) {
  return startChild({
    name: 'the snapshot',
    program: process.execPath,
    args: [MAIN, '--folder', folder, ...more],
    stopSignal: 'SIGTERM',
    spawn: { env: { ...INHERITED, DATABASE_URL: databaseUrl, ...env } },
  })
}

async function run(databaseUrl: string, env: Record<string, string> = {}) {
  const { code, lastWords } = await start(databaseUrl, env).exited
  return { code, words: lastWords.join('\n') }
}

function readManifest(name: string) {
  return manifestShape.parse(JSON.parse(readFileSync(join(folder, name, 'manifest.json'), 'utf8')))
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

describe('a snapshot of the shared world', () => {
  let client: pg.Client
  beforeAll(async () => {
    client = new pg.Client({ connectionString: sharedWorld().databaseUrl })
    await client.connect()
  })
  afterAll(() => client.end())

  async function checkpoint() {
    const { rows } = await client.query(
      'select substr(latest_checkpoint, 27, 16)::bigint as block, left(latest_checkpoint, 10)::bigint as at from projection._ponder_checkpoint',
    )
    return { block: Number(rows[0].block), at: Number(rows[0].at) }
  }

  it('has every published table with each value that SQL has, in the order of the key', async () => {
    const { code, words } = await run(sharedWorld().databaseUrl)
    expect(code, words).toBe(0)
    const { block, at } = await checkpoint()
    expect(readdirSync(folder)).toEqual([`31337-${block}`])
    const { tables, ...head } = readManifest(`31337-${block}`)
    expect(head).toEqual({
      chainId: 31337,
      blockNumber: block,
      blockTime: new Date(at * 1000).toISOString().replace('.000Z', 'Z'),
      blockHash: null,
    })
    const published = await client.query(
      "select viewname as name from pg_views where schemaname = 'projection' and viewname not like '\\_%' order by 1",
    )
    expect(tables.map(({ name }) => name)).toEqual(published.rows.map(({ name }) => name))
    expect(readdirSync(join(folder, `31337-${block}`)).toSorted()).toEqual(
      [...tables.map(({ file }) => file), 'manifest.json'].toSorted(),
    )
    for (const { name, file, rows, bytes, sha256: hash, columns, meaning } of tables) {
      const content = readFileSync(join(folder, `31337-${block}`, file))
      expect([content.length, sha256(content)], name).toEqual([bytes, hash])
      expect(meaning, name).not.toBe('')
      const path = parquet.save(new Uint8Array(content).buffer)
      const read = await parquet.rowsOf(path)
      const typed = columns.map((column) => ({
        name: column.name,
        type: column.type.replace('TIMESTAMP', 'TIMESTAMP WITH TIME ZONE'),
      }))
      expect(read.columns, name).toEqual(typed)
      expect(
        columns.filter((column) => column.meaning === ''),
        name,
      ).toEqual([])
      const own = columns.filter(
        (column) => !columns.some((other) => decimalName(other.name) === column.name),
      )
      const values = own.map(({ name: column, type }) => `${textOf(column, type)} as "${column}"`)
      const expected = await client.query(`select ${values} from projection.${name}`)
      expect(rows, name).toBe(expected.rows.length)
      const found = read.rows.map((row) => own.map((column) => row[columns.indexOf(column)]))
      const sorted = (all: unknown[][]) => all.map((row) => JSON.stringify(row)).toSorted()
      expect(sorted(found), name).toEqual(
        sorted(expected.rows.map((row) => own.map((column) => row[column.name]))),
      )
      expect(own.length, name).toBe(expected.fields.length)
      const numbers = columns.filter(({ type }) => type === 'DECIMAL(38,0)').map((column) => column.name)
      const amounts = numbers.map((number) => number.replace(/_decimal$/, ''))
      if (numbers.length === 0) continue
      const sums = amounts.map(
        (amount) =>
          `coalesce(sum("${amount}") filter (where abs("${amount}") < 1e38), 0)::text as "${amount}"`,
      )
      const ours = numbers.map((number, i) => `coalesce(sum("${number}"), 0)::varchar as "${amounts[i]}"`)
      const [sumsOfFile] = await parquet.query(`select ${ours} from read_parquet('${path}')`)
      expect(sumsOfFile, name).toEqual((await client.query(`select ${sums} from projection.${name}`)).rows[0])
    }
    for (const [table, key] of [
      ['claim', ['id']],
      ['vault_terms', ['vault', 'claim_type']],
      ['position_day', ['vault', 'owner', 'day']],
    ] as const) {
      const content = readFileSync(join(folder, `31337-${block}`, `${table}.parquet`))
      const { columns, rows } = await parquet.rowsOf(parquet.save(new Uint8Array(content).buffer))
      const { fields } = await client.query(`select * from projection.${table} limit 0`)
      const ofView = columns
        .map(({ name }) => name)
        .filter((name) => fields.some((field) => field.name === name))
      expect(ofView, table).toEqual(fields.map(({ name }) => name))
      const ordered = await client.query(`select ${key} from projection.${table} order by ${key}`)
      const places = key.map((name) => columns.findIndex((column) => column.name === name))
      expect(rows.length, table).toBeGreaterThan(2)
      // A time of the file is a text.
      const own = key.map((name) => (name === 'day' ? timeOf : String))
      expect(
        rows.map((row) => places.map((place) => row[place])),
        table,
      ).toEqual(ordered.rows.map((row) => key.map((name, index) => own[index]?.(row[name]))))
    }
  })

  it.each([
    ['DATABASE_URL', 'postgres://analyst:secret@203.0.113.5/claims'],
    ['SNAPSHOT_RPC_URLS', 'http://203.0.113.5:8545'],
  ])('is not written over an unencrypted connection to the internet: %s', async (setting, url) => {
    const { code, words } = await run(sharedWorld().databaseUrl, { [setting]: url })
    expect([code, words]).toEqual([1, expect.stringContaining(`${setting} leads to a public address`)])
    expect(readdirSync(folder)).toEqual([])
  })

  it('is written once for a block, and equals any other of this block', async () => {
    const url = sharedWorld().databaseUrl
    expect((await run(url)).words).toMatch(/ is written\.$/)
    const { block } = await checkpoint()
    const first = readFileSync(join(folder, `31337-${block}`, 'manifest.json'), 'utf8')
    expect(await run(url)).toEqual({
      code: 0,
      words: expect.stringContaining('exists: the finalized block is the same.'),
    })
    rmSync(join(folder, `31337-${block}`), { recursive: true })
    await run(url)
    expect(readFileSync(join(folder, `31337-${block}`, 'manifest.json'), 'utf8')).toBe(first)
  })

  it.each([
    ['earlier', -400],
    ['later', 400],
  ])('is not written beside a node whose block is %s, nor beside one without it', async (_, days) => {
    const { databaseUrl } = sharedWorld()
    const { block, at } = await checkpoint()
    const other = await startAnvil({ timestamp: at + days * 86_400 })
    try {
      const refused = await run(databaseUrl, { SNAPSHOT_RPC_URLS: other.rpcUrl })
      expect(refused).toEqual({ code: 1, words: expect.stringMatching(/^No snapshot was written: /) })
      await other.client.mine({ blocks: block })
      const differing = await run(databaseUrl, { SNAPSHOT_RPC_URLS: other.rpcUrl })
      expect(differing).toEqual({ code: 1, words: expect.stringContaining('these are two blocks') })
      expect(readdirSync(folder)).toEqual([])
    } finally {
      await other.stop()
    }
  })

  it('has the hash of its block from a node', async () => {
    const { databaseUrl, rpcUrl } = sharedWorld()
    expect((await run(databaseUrl, { SNAPSHOT_RPC_URLS: rpcUrl })).code).toBe(0)
    const { block } = await checkpoint()
    const chain = createChain({ urls: [rpcUrl], timeout: 60_000 })
    const { hash } = await chain.getBlock({ blockNumber: BigInt(block), includeTransactions: false })
    expect(readManifest(`31337-${block}`).blockHash).toBe(hash)
  })

  it('takes each column of Unix seconds for a time, and each number of a block and place of an event for one', async () => {
    const { rows } = await client.query(`
      select relname as table, attname as name, format_type(atttypid, null) as type,
        col_description(pg_class.oid, attnum) as meaning
      from pg_class join pg_attribute on attrelid = pg_class.oid
      where relnamespace = 'projection'::regnamespace and relkind = 'v' and left(relname, 1) <> '_' and attnum > 0`)
    expect(rows.length).toBeGreaterThan(200)
    for (const { table, ...column } of rows) {
      const [{ type } = { type: 'none' }] = toFileColumns(column)
      const isTime = /, Unix seconds/.test(column.meaning)
      const isPlace = /^(?:Number of the block|Place of the event)/.test(column.meaning)
      expect([type === 'TIMESTAMP', type === 'BIGINT'], `${table}.${column.name}`).toEqual([isTime, isPlace])
    }
  })
})

/** Unix seconds as the file has them. */
const timeOf = (seconds: unknown) => new Date(Number(seconds) * 1000).toISOString().replace('.000Z', 'Z')

/** The value of a column as the file has it, in SQL. */
function textOf(column: string, type: string): string {
  if (type === 'TIMESTAMP') {
    return `to_char(to_timestamp(case when "${column}" < 253402300799 then "${column}" end) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`
  }
  if (type.endsWith('[]')) {
    return `replace(to_json("${column}"${type === 'VARCHAR[]' ? '::text[]' : ''})::text, ' ', '')`
  }
  return type === 'BOOLEAN' ? `case when "${column}" then 'true' else 'false' end` : `"${column}"::text`
}

describe('a snapshot of many claims', () => {
  let database: TestDatabase
  let indexer: pg.Pool
  beforeAll(async () => {
    database = await createDatabase()
    indexer = createPool(database.urls.indexer, 2)
    await makeProjection(indexer, async (query) => {
      await query(`insert into router values ('0x01', false, 1, 1)`)
      await query(`insert into status_version (subject, block, at, status)
        values ('0x01', 100, 1, false), ('0x01', 10, 1, true), ('0x01', 9, 1, false)`)
      await query(`insert into claim
        select '0x' || md5(i::text) || md5(i || 'x'), md5((i % 9)::text), md5((i % 999)::text), md5((i % 3)::text), i * 1000003::numeric, i, 0,
          1700000000 + i, i % 5, 0, 'ELIGIBLE', md5(i || 'd'), i, 1600000000 + i, md5(i || 't'), i, i, i, 1600000000 + i
        from generate_series(1, ${CLAIMS}) as i`)
    })
  })
  afterAll(async () => {
    await indexer.end()
    await database.drop()
  })

  it('that is killed leaves nothing that looks whole, and the next one is whole and removes what is a day old', async () => {
    const child = start(database.urls.analyst)
    await expect
      .poll(() =>
        readdirSync(folder, { recursive: true }).some((name) => String(name).endsWith('claim.parquet')),
      )
      .toBe(true)
    process.kill(child.pid, 'SIGKILL')
    expect(await child.exited).toMatchObject({ signal: 'SIGKILL' })
    const [rest = '', ...others] = readdirSync(folder)
    expect([others, rest]).toEqual([[], expect.stringMatching(/^\.31337-1000000-/)])
    expect(readdirSync(join(folder, rest))).not.toContain('manifest.json')
    // Another process may still write the one that is less than a day old.
    const other = `.31337-999999-${randomUUID()}`
    await mkdir(join(folder, other))
    await mkdir(join(folder, '.kept'))
    for (const [name, hours] of [
      [rest, 25],
      [other, 23],
    ] as const) {
      const changedAt = new Date(Date.now() - hours * 3_600_000)
      utimesSync(join(folder, name), changedAt, changedAt)
    }
    expect((await run(database.urls.analyst)).code).toBe(0)
    expect(readdirSync(folder).toSorted()).toEqual([other, '.kept', '31337-1000000'])
    const claims = readManifest('31337-1000000').tables.find(({ name }) => name === 'claim')
    expect(claims?.rows).toBe(CLAIMS)
  })

  it('whose last bytes do not fit on the disk is refused, and removes its files', async () => {
    expect((await run(database.urls.analyst)).code).toBe(0)
    const { bytes = 0 } = readManifest('31337-1000000').tables.find(({ name }) => name === 'claim') ?? {}
    rmSync(join(folder, '31337-1000000'), { recursive: true })
    // The system takes the bytes of a file up to this limit, and no more.
    const limit = `ulimit -f ${Math.floor((bytes - 1) / 1024)}; exec "$0" "$@"`
    const { code, lastWords } = await startChild({
      name: 'the snapshot',
      program: 'bash',
      args: ['-c', limit, process.execPath, MAIN, '--folder', folder],
      stopSignal: 'SIGTERM',
      spawn: { env: { ...INHERITED, DATABASE_URL: database.urls.analyst } },
    }).exited
    expect([code, lastWords]).toEqual([1, [expect.stringMatching(/^No snapshot was written: EFBIG/)]])
    expect(readdirSync(folder)).toEqual([])
  })

  it.each(['SIGTERM', 'SIGINT'] as const)('that is stopped by %s removes its files', async (signal) => {
    const child = start(database.urls.analyst)
    await expect.poll(() => readdirSync(folder).length).toBe(1)
    process.kill(child.pid, signal)
    const { code, lastWords } = await child.exited
    expect([code, lastWords]).toEqual([1, [`No snapshot was written: ${signal} was received.`]])
    expect(readdirSync(folder)).toEqual([])
  })

  it('ends at the first page after its signal, whatever time has passed', async () => {
    const pool = createPool(database.urls.analyst, 1)
    const stopping = new AbortController()
    // Each page reads the clock, which stands still.
    let reads = 0
    const clock = () => {
      reads += 1
      if (reads === 10) stopping.abort(new Error('it is stopped'))
      return 0
    }
    const db = createProjectionDb(pool)
    await expect(writeSnapshot({ db, folder, clock, signal: stopping.signal })).rejects.toThrow(
      'it is stopped',
    )
    expect([reads, readdirSync(folder)]).toEqual([10, []])
    await pool.end()
  })

  it('ends when the indexer waits for it', async () => {
    const pool = createPool(database.urls.analyst, 1)
    const session = await indexer.connect()
    // Every check is due at once.
    let now = 0
    const written = writeSnapshot({
      db: createProjectionDb(pool),
      folder,
      clock: () => (now += 10_000),
      signal: new AbortController().signal,
    })
    await expect.poll(() => readdirSync(folder).length).toBe(1)
    const locking = session.query('begin; lock table projection.router in access exclusive mode; rollback')
    await expect(written).rejects.toThrow('The indexer waits for this snapshot to end')
    await locking
    expect(readdirSync(folder)).toEqual([])
    session.release()
    await pool.end()
  })

  it('has exact texts of amounts without a number, and the last second for later times', async () => {
    const amount = '9'.repeat(78)
    await indexer.query(
      'update projection.claim set face_value = $1, due_at = $2 where id = (select min(id) from projection.claim)',
      [amount, String(2n ** 64n - 1n)],
    )
    await run(database.urls.analyst)
    const bytes = readFileSync(join(folder, '31337-1000000/claim.parquet'))
    const path = parquet.save(new Uint8Array(bytes).buffer)
    expect(
      await parquet.query(
        `select face_value, face_value_decimal is null as has_none, epoch_ms(due_at)::varchar as due from read_parquet('${path}') limit 1`,
      ),
    ).toEqual([{ face_value: amount, has_none: true, due: '253402300799000' }])
  })

  it('has its rows in the order of the numbers of their keys', async () => {
    await run(database.urls.analyst)
    const bytes = readFileSync(join(folder, '31337-1000000/status_version.parquet'))
    const { columns, rows } = await parquet.rowsOf(parquet.save(new Uint8Array(bytes).buffer))
    const place = columns.findIndex(({ name }) => name === 'block')
    expect(rows.map((row) => row[place])).toEqual(['9', '10', '100'])
  })

  it('before the first index is refused, as is a folder or a database that is not there', async () => {
    const empty = await createDatabase()
    expect(await run(empty.urls.analyst)).toEqual({
      code: 1,
      words: 'No snapshot was written: The first index of the chain is not complete yet. Try again shortly.',
    })
    await empty.drop()
    expect(await run('postgres://analyst:secret@127.0.0.1:1/claims')).toEqual({
      code: 1,
      words: expect.stringMatching(/^No snapshot was written: .*ECONNREFUSED/),
    })
    const { code, lastWords } = await start(database.urls.analyst, {}, '--folder', '/dev/null/none').exited
    expect([code, lastWords.join()]).toEqual([
      1,
      expect.stringMatching(/^No snapshot was written: .*\/dev\/null\/none/),
    ])
    expect(readdirSync(folder)).toEqual([])
  })
})
