/**
 * Backup and restore of the gateway's schema by the commands of docs/operations.md, on the server that `pg_dump`
 * belongs to.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPool } from '../../api/projection/session/database.ts'
import { createStore } from '../../api/store/database.ts'
import { migrateStore } from '../../api/store/migrations/migrate.ts'
import {
  findPreparedAnswer,
  findPreparedExecution,
  storePreparedRoute,
} from '../../api/store/prepared-executions.ts'
import { consumeIntent, createIntent } from '../../api/store/route-intents.ts'
import { createRoles, grantRoles } from '../../devnet/database-roles.ts'
import { freePort } from '../../devnet/ports.ts'
import { ensureDatabase, type Postgres, startPostgres } from '../../devnet/postgres.ts'
import { rejection } from '../support/coded.ts'
import { createGateway, type TestStore } from '../support/gateway.ts'
import { bearer, postVerify, type Requestable, readJson, signIn, signInMessage } from '../support/sign-in.ts'

const programs = programsOfServer()
const NEW_SECRET = 'Vb7qmX0tR2yLwK9cZ4hJ8nPfD3sGaE6u'
const wallet = privateKeyToAccount(generatePrivateKey())

/** `npm run test:backup` fails without the server; `npm test` then leaves these tests out. */
describe.skipIf(programs === undefined && process.env.BACKUP !== 'yes')('a restored schema', () => {
  let folder: string
  let postgres: Postgres
  const opened: TestStore[] = []

  beforeAll(async () => {
    if (programs === undefined)
      throw new Error('there is no server of the version of pg_dump. Install it: apt-get install postgresql')
    folder = await mkdtemp(join(tmpdir(), 'claim-financing-backup-'))
    await chmod(folder, 0o755)
    const settings = ['fsync=off', 'max_connections=50']
    postgres = await startPostgres({ data: join(folder, 'data'), port: await freePort(), programs, settings })
    await createRoles(postgres.url)
  })
  afterAll(async () => {
    await Promise.all(opened.map(({ stop }) => stop()))
    await postgres?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  /** A new database with the rights of the roles. @returns the URL of the gateway's role */
  async function createDatabase(name: string): Promise<string> {
    return (await grantRoles(await ensureDatabase(postgres.url, name))).gateway
  }

  /** As a gateway opens it at its start. */
  async function open(url: string): Promise<TestStore> {
    const pool = createPool(url, 5)
    pool.on('error', () => {})
    await migrateStore(pool)
    const opening = { store: createStore(pool), pool, url, stop: () => pool.end() }
    opened.push(opening)
    return opening
  }

  /** Runs the command of the documentation that begins with `program`. */
  function run(program: string, url: string) {
    const command = documented(program)
    return spawnSync('sh', ['-ec', command], {
      cwd: folder,
      env: { PATH: process.env.PATH, DATABASE_URL: url },
      encoding: 'utf8',
    })
  }

  it('knows the nonces, sessions, answers and executions of the time of the backup, and none of its intents', async () => {
    const url = await createDatabase('first')
    const first = await open(url)
    const app = createGateway(first)
    const before = await signedIn(app)
    const ended = await signIn(app, wallet)
    await logOut(app, ended)
    const route = await prepareRoute(first)
    expect(run('pg_dump', url)).toMatchObject({ status: 0, stderr: '' })

    const after = await signedIn(app)
    const endedAfter = await signIn(app, wallet)
    await logOut(app, endedAfter)

    const copy = await createDatabase('copy')
    expect(run('pg_restore', copy)).toMatchObject({ status: 0, stderr: '' })
    const restored = await open(copy)
    expect([await countRates(first), await countRates(restored)]).toEqual([1, 0])
    const again = createGateway(restored)
    expect(await replay(again, before)).toBe('NONCE_USED')
    expect(await stateOf(again, ended)).toBe('TOKEN_REVOKED')
    expect(await findPreparedAnswer(restored.store, route.claimant, new Date())).toBe('the answer')
    expect(
      await findPreparedExecution(restored.store, {
        executionId: route.executionId,
        user: route.claimant.user,
      }),
    ).toMatchObject({
      routeId: route.claimant.routeId,
    })
    const consumed = consumeIntent(restored.store, route.claimant, new Date())
    expect(await rejection(consumed)).toBe('ROUTE_INTENT_NOT_FOUND')

    // Nonces used and sessions ended after the backup are valid under the former secret: the reason for the new one.
    expect(await stateOf(again, endedAfter)).toBe('OPEN')
    expect(await replay(again, after)).toBe('SIGNED_IN')
    const renewed = createGateway(restored, { env: { AUTH_SECRETS: NEW_SECRET } })
    for (const token of [before.token, ended, after.token, endedAfter]) {
      expect(await stateOf(renewed, token)).toBe('TOKEN_INVALID')
    }
    for (const used of [before, after]) expect(await replay(renewed, used)).toBe('NONCE_INVALID')
    expect(await stateOf(renewed, await signIn(renewed, wallet))).toBe('OPEN')
  })

  it('is refused by a schema with tables, which keeps its rows, and replaces one that is dropped', async () => {
    const url = await createDatabase('used')
    const opening = await open(url)
    const app = createGateway(opening)
    const before = await signedIn(app)
    const { status, stderr } = run('pg_restore', url)
    expect([status, stderr]).toEqual([1, expect.stringContaining('already exists')])
    expect(await replay(app, before)).toBe('NONCE_USED')
    await opening.pool.query('drop schema gateway cascade')
    await createDatabase('used')
    expect(run('pg_restore', url)).toMatchObject({ status: 0, stderr: '' })
    expect(await stateOf(createGateway(await open(url)), before.token)).toBe('OPEN')
  })
})

type SignedIn = { message: string; signature: `0x${string}`; token: string }

async function signedIn(app: Requestable): Promise<SignedIn> {
  const message = await signInMessage(app, wallet.address)
  const signature = await wallet.signMessage({ message })
  const { token } = await readJson(await postVerify(app, { message, signature }))
  return { message, signature, token: String(token) }
}

/** The outcome of the same sign-in once more. */
async function replay(app: Requestable, { message, signature }: SignedIn): Promise<string> {
  const { code = 'SIGNED_IN' } = await readJson(await postVerify(app, { message, signature }))
  return String(code)
}

async function logOut(app: Requestable, token: string): Promise<void> {
  const { status } = await app.request('/api/v1/auth/logout', { method: 'POST', ...bearer(token) })
  expect(status).toBeLessThan(300)
}

/** Whether a session is open, or why it is not. */
async function stateOf(app: Requestable, token: string): Promise<string> {
  const response = await app.request('/api/v1/auth/me', bearer(token))
  const { reason = 'OPEN' } = await readJson(response)
  return String(reason)
}

async function countRates({ pool }: TestStore): Promise<number> {
  return (await pool.query('select 1 from gateway.wallet_rate_limit')).rows.length
}

/** A route that was planned, and prepared under a key. */
async function prepareRoute({ store }: TestStore) {
  const now = new Date()
  const later = new Date(now.getTime() + 120_000)
  const user = wallet.address
  const routeId = `0x${'01'.repeat(32)}` as const
  const executionId = `0x${'02'.repeat(32)}` as const
  const claimant = { routeId, user, idempotencyKey: 'key' }
  await createIntent(store, {
    routeId,
    user,
    blockNumber: 1n,
    request: {
      claimIds: [routeId],
      targetAdvance: 1n,
      maxTotalFace: undefined,
      maxTotalCost: undefined,
      routeDeadlineSeconds: 300,
    },
    legs: [],
    createdAt: now,
    expiresAt: later,
    userDeadline: BigInt(Math.floor(later.getTime() / 1000)),
  })
  const { intentId } = await consumeIntent(store, claimant, now)
  const execution = { executionId, routeId, userAddress: user, preparedAt: now, deadline: later }
  const uses = { nonce: 1n, claimId: null, sliceIndex: null }
  await storePreparedRoute(store, { ...claimant, intentId }, { ...execution, ...uses }, 'the answer')
  return { claimant, executionId }
}

/** The one command of the documentation that begins with the name of a program. */
function documented(program: string): string {
  const text = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8')
  const commands = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith(`${program} `))
  expect(commands).toHaveLength(1)
  return commands.join()
}

/** Folder of the server that is as old as `pg_dump`, which refuses later ones; undefined without either. */
function programsOfServer(): string | undefined {
  const { stdout } = spawnSync('pg_dump', ['--version'], { encoding: 'utf8' })
  const [, major] = / (\d+)/.exec(stdout ?? '') ?? []
  const places = [`/usr/lib/postgresql/${major}/bin`, ...(process.env.PATH ?? '').split(':')]
  return places.find((place) =>
    ['initdb', 'postgres', 'pg_dump'].every((name) => existsSync(join(place, name))),
  )
}
