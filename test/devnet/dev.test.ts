/** The command of the README as one scenario: started, refused twice, killed, recovered, stopped. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { freePort } from '../../devnet/ports.ts'
import { SMALL_SCALE } from '../../devnet/world/plan-world.ts'
import {
  askForClaims,
  type DevRun,
  hasEndpoints,
  leftovers,
  lives,
  livingChildren,
  readEndpoints,
  startDev,
} from './dev-run.ts'

const parent = mkdtempSync(join(tmpdir(), 'claim-financing-dev-'))
chmodSync(parent, 0o755)
const folder = join(parent, 'devnet')
let run: DevRun

afterAll(async () => {
  run.kill('SIGTERM')
  await run.exited
  rmSync(parent, { recursive: true, force: true })
})

async function refused(url: string): Promise<boolean> {
  return fetch(url).then(
    () => false,
    () => true,
  )
}

async function blockNumber(): Promise<number> {
  const response = await fetch(readEndpoints(folder).rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] }),
  })
  return Number(z.object({ result: z.string() }).parse(await response.json()).result)
}

/** The query that the run prints between the sentence and the next one. */
function printedQuery(output: string): string {
  return /Paste this into GraphiQL:\n\n([\s\S]*?)\n\nor ask/.exec(output)?.[1] ?? ''
}

/** Listens on a port once nobody else does: a development system of another test ends in its own time. */
async function holdPort(port: number): Promise<Server> {
  while (true) {
    const server = createServer()
    const isHeld = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => resolve(true))
    })
    if (isHeld) return server
    await pause(200)
  }
}

describe('npm run dev', () => {
  test('starts on other ports where its default ports are taken, and reports it', async () => {
    const squatter = await holdPort(4000)
    const origins = ['--origin', 'http://page.example:5173', '--origin', 'https://other.example']
    run = startDev(folder, '--watch', ...origins)
    await run.ready
    squatter.close()
    expect(run.output()).toContain('(port 4000 is taken)')
    expect(readEndpoints(folder).gatewayUrl).not.toContain(':4000')
  })

  test('prints a query that returns the seeded claims, and what the demo wallets own', async () => {
    const { totalCount, nodes } = await askForClaims(folder, printedQuery(run.output()))
    expect(totalCount).toBeGreaterThan(0)
    expect(nodes.length).toBeGreaterThan(0)
    expect((await askForClaims(folder, '{ claims { totalCount nodes { claimId } } }')).totalCount).toBe(
      SMALL_SCALE.claims,
    )
    for (const role of ['wallet-1', 'wallet-2', 'wallet-3']) {
      const account = readEndpoints(folder).accounts.find((candidate) => candidate.role === role)
      expect(run.output()).toContain(account?.address)
    }
    const page = await fetch(readEndpoints(folder).graphqlUrl, { headers: { accept: 'text/html' } })
    expect(await page.text()).toContain(`data-signer="${readEndpoints(folder).rpcUrl}"`)
    expect(run.output()).toMatch(/owns {5}\d+ claims: \d+ open to financing/)
  })

  test('may be called by the pages that it was given and by those of this machine, by no others', async () => {
    const allowed = async (origin: string) => {
      const url = `${readEndpoints(folder).gatewayUrl}/api/v1/auth/nonce`
      return (await fetch(url, { headers: { origin } })).headers.get('access-control-allow-origin')
    }
    const pages = ['http://page.example:5173', 'https://other.example', 'http://localhost:5173']
    expect(await Promise.all(pages.map(allowed))).toEqual(pages)
    expect(await allowed('http://page.example')).toBeNull()
  })

  test('restarts the gateway alone when one of its files changes', async () => {
    const before = livingChildren(folder)
    const now = new Date()
    utimesSync(join(import.meta.dirname, '../../api/server.ts'), now, now)
    await expect.poll(run.output).toMatch(/Gateway: Restarting '.*api\/server\.ts'/)
    const { gatewayUrl } = readEndpoints(folder)
    await expect
      .poll(() =>
        fetch(`${gatewayUrl}/api/v1/health/ready`).then(
          ({ ok }) => ok,
          () => false,
        ),
      )
      .toBe(true)
    expect(livingChildren(folder)).toEqual(before)
  })

  test.each(['80', '65532', '4000.5', 'x'])('refuses the port base %s', async (base) => {
    const refused = startDev(folder, '--port-base', base)
    expect(await refused.exited).toBe(2)
    expect(refused.output()).toContain('--port-base must be a number from 1024 to 65531')
  })

  test('refuses a page that is no origin', async () => {
    const refused = startDev(folder, '--origin', 'http://page.example/path')
    expect(await refused.exited).toBe(2)
    expect(refused.output()).toContain('--origin must be an origin')
  })

  test('refuses to start a second time in the same folder, and leaves the first alone', async () => {
    const second = startDev(folder)
    expect(await second.exited).toBe(1)
    expect(second.output()).toContain(`already running here (process ${run.pid})`)
    expect(hasEndpoints(folder)).toBe(true)
    expect(lives(run.pid)).toBe(true)
  })

  test('recovers from kill -9 of itself, with the data kept and no foreign process touched', async () => {
    const before = { block: await blockNumber(), children: livingChildren(folder) }
    run.kill('SIGKILL')
    await run.exited
    forgeRecordOf(process.pid)

    const base = await freePort()
    run = startDev(folder, '--port-base', `${base}`)
    await run.ready
    expect(run.output()).toContain('The last run was killed')
    const { gatewayUrl, rpcUrl, databaseUrls } = readEndpoints(folder)
    const wanted = [base, base + 2, base + 3]
    const taken = [gatewayUrl, rpcUrl, databaseUrls.analyst].map((url) => Number(new URL(url).port))
    const isTaken = (port: number) => run.output().includes(`(port ${port} is taken)`)
    expect(taken).toEqual(wanted.map((port) => (isTaken(port) ? expect.any(Number) : port)))
    expect(await blockNumber()).toBeGreaterThan(before.block)
    expect((await askForClaims(folder, '{ claims { totalCount nodes { claimId } } }')).totalCount).toBe(
      SMALL_SCALE.claims,
    )
    expect(before.children.filter(({ pid }) => lives(pid))).toEqual([])
  })

  test('stops everything on Ctrl-C and leaves nothing behind', async () => {
    const { gatewayUrl, rpcUrl } = readEndpoints(folder)
    const children = livingChildren(folder)
    expect(children.map(({ name }) => name)).toEqual(['database', 'chain', 'indexer', 'gateway', 'auditor'])
    run.kill('SIGINT')
    expect(await run.exited, run.output()).toBe(0)
    expect(children.filter(({ pid }) => lives(pid))).toEqual([])
    expect(leftovers(folder)).toEqual([])
    expect(await refused(gatewayUrl)).toBe(true)
    expect(await refused(rpcUrl)).toBe(true)
  })
})

/** A process that got the id of a recorded one must not be taken for it: this test would not survive that. */
function forgeRecordOf(pid: number): void {
  const file = join(folder, 'processes.json')
  const record = JSON.parse(readFileSync(file, 'utf8'))
  record.children.push({ name: 'gateway', pid, startedAt: 'long ago', stopSignal: 'SIGTERM' })
  writeFileSync(file, JSON.stringify(record))
}
