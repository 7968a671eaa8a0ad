/** The process of Ponder, in whose place another program writes a log. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startPonder } from '../../indexer/service/ponder-process.ts'

let project: string
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'claim-financing-ponder-'))
})
afterEach(() => rmSync(project, { recursive: true }))

/** Starts a program that writes the entries, and then does the last statement. */
function start(entries: readonly object[], last: string) {
  const bin = join(project, 'node_modules/ponder/dist/esm/bin')
  mkdirSync(bin, { recursive: true })
  const lines = entries.map((entry) => `console.log(${JSON.stringify(JSON.stringify(entry))})`)
  writeFileSync(join(bin, 'ponder.js'), [...lines, last].join('\n'))
  return startPonder({
    chainId: 1,
    rpcUrls: ['http://127.0.0.1:1'],
    databaseUrl: 'postgres://127.0.0.1:1/none',
    project,
    root: project,
    schema: 'indexer',
    genesis: `0x${'1'.repeat(64)}`,
    known: undefined,
    deploymentsDir: project,
    pollingIntervalMs: 1000,
    requestsPerSecond: 20,
    host: '127.0.0.1',
    port: 0,
    onLog: () => {},
  })
}

describe('a process that ends before it is ready', () => {
  it('states its code and its last five errors, with their reasons', async () => {
    const errors = Array.from({ length: 6 }, (_, number) => ({ level: 50, msg: `error ${number}` }))
    const fatal = { level: 60, msg: 'the process ends', error: { message: 'no room' } }
    const warning = { level: 40, msg: 'a warning' }
    const ponder = start([...errors, fatal, warning], 'process.exitCode = 75')
    const last = ['error 2', 'error 3', 'error 4', 'error 5', 'no room']
    expect(await ponder.exited).toEqual({ code: 75, signal: null, errors: last })
    await expect(ponder.ready).rejects.toThrow(
      `the indexer exited (75) before it was ready: ${last.join(' | ')}`,
    )
  })
})

describe('a process that is ready', () => {
  it('states so by its endpoint `/ready`, and has no error', async () => {
    const health = { level: 30, msg: 'Started returning 200 responses', endpoint: '/health' }
    const ponder = start([health, { ...health, endpoint: '/ready' }], 'process.exitCode = 0')
    await expect(ponder.ready).resolves.toBeUndefined()
    expect(await ponder.exited).toEqual({ code: 0, signal: null, errors: [] })
  })
})
