/** Effects of a run of the development system on an earlier one, and on files and ports of others. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type Folder, openFolder } from '../../devnet/folder.ts'
import {
  checkContracts,
  persistableWorld,
  persistWorld,
  readPersistedWorld,
} from '../../devnet/persisted-world.ts'
import { portNear, reservePort } from '../../devnet/ports.ts'
import { identify, isAlive } from '../../devnet/process-identity.ts'
import { openRecord, recover, recoveryLine, refuseSecondRun } from '../../devnet/processes.ts'
import { dropIndex } from '../../devnet/stale-index.ts'
import { planWorld, SMALL_SCALE } from '../../devnet/world/plan-world.ts'
import { createDatabase } from '../support/postgres.ts'

let folder: Folder
beforeEach(() => {
  folder = openFolder(mkdtempSync(join(tmpdir(), 'claim-financing-recovery-')))
})
afterEach(() => rmSync(folder.root, { recursive: true }))

/** A process that ends by SIGTERM alone. */
const startProcess = async () => identify(idOf(await startProgram('')))

async function startProgram(program: string) {
  const waits = `process.on('SIGINT', () => {}); setInterval(() => {}, 1000); console.log('ready')`
  const child = spawn(process.execPath, ['-e', `${program};${waits}`])
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return child
}

function idOf({ pid }: ChildProcess): number {
  if (pid === undefined) throw new Error('the process was not started')
  return pid
}

/** The record of a run that was killed. */
function leave(children: readonly object[]): void {
  const supervisor = { pid: process.pid, startedAt: 'long ago' }
  writeFileSync(folder.processes, JSON.stringify({ supervisor, children }))
}

describe('a run that was killed', () => {
  it('has its running children stopped, but no other process that has the id of one', async () => {
    const [chain, database, other] = [await startProcess(), await startProcess(), await startProcess()]
    leave([
      { name: 'chain', stopSignal: 'SIGTERM', ...chain },
      { name: 'database', stopSignal: 'SIGTERM', ...database },
      { name: 'gateway', stopSignal: 'SIGTERM', ...other, startedAt: 'long ago' },
    ])
    refuseSecondRun(folder)
    const recovery = await recover(folder)
    expect(recovery).toEqual({ stopped: ['chain', 'database'], chainWasKilled: false })
    expect(recoveryLine(recovery)).toContain('(chain, database)')
    expect([chain, database, other].map(isAlive)).toEqual([false, false, true])
    expect(existsSync(folder.processes)).toBe(false)
    expect(await recover(folder)).toBeUndefined()
  })

  it('has lost the last blocks of a chain that was killed with it', async () => {
    const database = await startProcess()
    leave([
      { name: 'chain', stopSignal: 'SIGTERM', ...database, startedAt: 'long ago' },
      { name: 'database', stopSignal: 'SIGTERM', ...database },
    ])
    expect(await recover(folder)).toEqual({ stopped: ['database'], chainWasKilled: true })
  })

  it('is on record until its children have ended, so that another run can stop those that are left', async () => {
    const report = `process.on('SIGTERM', () => {
      console.log(require('node:fs').existsSync(${JSON.stringify(folder.processes)}))
      process.exit()
    })`
    const child = await startProgram(report)
    const seen = once(child.stdout, 'data')
    leave([{ name: 'chain', stopSignal: 'SIGTERM', ...identify(idOf(child)) }])
    await recover(folder)
    expect(String(await seen)).toBe('true\n')
    expect(existsSync(folder.processes)).toBe(false)
  })

  it('leaves a folder to the next one, which refuses any other', () => {
    leave([])
    rmSync(folder.processes)
    const record = openRecord(folder)
    expect(() => refuseSecondRun(folder)).toThrow(`already running here (process ${process.pid})`)
    expect(() => openRecord(folder)).toThrow('another npm run dev is starting here')
    record.add('gateway', process.pid, 'SIGINT')
    expect(JSON.parse(readFileSync(folder.processes, 'utf8')).children).toEqual([
      { name: 'gateway', stopSignal: 'SIGINT', ...identify(process.pid) },
    ])
    record.close()
    expect(() => refuseSecondRun(folder)).not.toThrow()
  })
})

it('every index of lost blocks is dropped, with the cache of Ponder, and nothing else', async () => {
  const database = await createDatabase()
  onTestFinished(() => database.drop())
  const client = new pg.Client({ connectionString: database.urls.indexer })
  await client.connect()
  for (const schema of ['ponder_sync', 'indexer_1', 'indexer_2', 'indexers']) {
    await client.query(`create schema ${schema}; create table ${schema}.claim ()`)
  }
  await dropIndex(database.urls.indexer)
  const { rows } = await client.query(
    `select nspname as name from pg_namespace where nspname ~ '^(ponder|indexer|projection)' order by 1`,
  )
  expect(rows).toEqual([{ name: 'indexers' }, { name: 'projection' }])
  await client.end()
})

it('a world is kept with the contracts that it was made with, and refused beside others', () => {
  const plan = planWorld({ seed: 1, scale: SMALL_SCALE, now: 1_790_000_000 })
  const world = persistableWorld(plan, '0x01')
  expect(readPersistedWorld(folder)).toBeUndefined()
  persistWorld(folder, world)
  expect(readPersistedWorld(folder)).toEqual(world)
  expect(() => checkContracts(world)).not.toThrow()
  expect(() => checkContracts({ ...world, contracts: 'others' })).toThrow('npm run dev -- --fresh')
  writeFileSync(folder.world, '{}')
  expect(readPersistedWorld(folder)).toBeUndefined()
})

it('a port is reserved until it is released, and another one is taken meanwhile', async () => {
  const { port, release } = await reservePort(0)
  const other = await reservePort(port)
  expect(other.port).not.toBe(port)
  const refused = await fetch(`http://127.0.0.1:${port}`).then(
    () => false,
    () => true,
  )
  expect(refused).toBe(true)
  await Promise.all([release(), other.release()])
  expect(await portNear(port)).toBe(port)
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  expect(await portNear(port)).not.toBe(port)
  server.close()
})
