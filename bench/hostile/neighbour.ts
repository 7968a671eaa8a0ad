/**
 * Delays of honest readers alone, then beside one client address that uses all of its limits: five wallets and requests
 * without a token, each with the operations that `bench:hostile:search` has found. README.md has the figures.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { readCommand } from '../../settings/command-line.ts'
import { gatewaySettings } from '../../settings/gateway/index.ts'
import { makeLarge } from '../../test/projection/large.ts'
import { type Requestable, signIn } from '../../test/support/sign-in.ts'
import { graphql } from './entry.ts'
import found from './found.json' with { type: 'json' }
import { startWorld } from './world.ts'

const { values } = readCommand(
  'npm run bench:hostile:neighbour --',
  'Measures the delays of honest readers beside one client address that uses all of its limits.',
  {
    claims: { type: 'string', value: 'N', default: '250000', meaning: 'claims of the table' },
    seconds: { type: 'string', value: 'N', default: '60', meaning: 'duration of each measurement' },
  },
)
const seconds = Number(values.seconds)

const HOSTILE = '203.0.113.1'
const WALLETS = 5
/** Concurrent requests of each hostile caller. */
const CONCURRENT = 3
/** Milliseconds between two honest requests. */
const PACE_MS = 100
/** Milliseconds that a hostile caller waits after a refusal. */
const REFUSED_MS = 1000
const HONEST =
  '{ claims(first: 20, orderBy: dueDate) { nodes { claimId state faceValue issuer { address } } } }'

const defaults = gatewaySettings.parse({
  DATABASE_URL: 'postgres://unused',
  RPC_URLS: 'http://127.0.0.1:1',
  CHAIN_ID: '1',
})
const world = await startWorld({
  settings: ['autovacuum=off'],
  env: {
    TRUSTED_PROXIES: '1',
    RATE_LIMIT_DEFAULT: `${defaults.RATE_LIMIT_DEFAULT}`,
    RATE_LIMIT_COST: `${defaults.RATE_LIMIT_COST}`,
  },
  fill: async (pool, router) => {
    await makeLarge(pool, Number(values.claims))
    await pool.query('update projection.router set id = $1', [router.toLowerCase()])
    await pool.query('vacuum (freeze, analyze)')
  },
})

let sent = 0
/** Asks with a text that no request had before, so that no cache answers. */
async function ask(query: string, variables: unknown, headers: Record<string, string>) {
  sent += 1
  const { path, ...init } = await graphql('', query, variables).request(`${sent}`)
  const response = await fetch(world.url + path, { ...init, headers: { ...init.headers, ...headers } })
  await response.text()
  return response.status
}

/** @returns milliseconds of each honest request. Each comes from another address, so that none is at its limits */
async function readHonestly(): Promise<number[]> {
  const delays: number[] = []
  const end = performance.now() + 1000 * seconds
  for (let i = 0; performance.now() < end; i += 1) {
    const began = performance.now()
    const status = await ask(HONEST, undefined, { 'X-Forwarded-For': `198.51.100.${i % 250}` })
    if (status !== 200) throw new Error(`an honest request got the status ${status}`)
    delays.push(performance.now() - began)
    await pause(Math.max(0, PACE_MS - (performance.now() - began)))
  }
  return delays
}

async function attack(token: string | undefined, signal: AbortSignal): Promise<Map<number, number>> {
  const statuses = new Map<number, number>()
  const headers = { 'X-Forwarded-For': HOSTILE, ...(token && { Authorization: `Bearer ${token}` }) }
  const send = async (from: number) => {
    for (let i = from; !signal.aborted; i += 1) {
      const { query = '', variables } = found[i % found.length] ?? {}
      const status = await ask(query, variables, headers)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status === 429) await pause(REFUSED_MS)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENT }, (_, i) => send(i)))
  return statuses
}

function describe(delays: readonly number[]): string {
  const sorted = delays.toSorted((a, b) => a - b)
  const at = (share: number) => (sorted[Math.floor(share * sorted.length)] ?? 0).toFixed(1)
  return `${sorted.length} requests, median ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms`
}

try {
  const fromAddress: Requestable = {
    request: (path, init) =>
      fetch(world.url + path, { ...init, headers: { ...init?.headers, 'X-Forwarded-For': HOSTILE } }),
  }
  const tokens: string[] = []
  for (let i = 0; i < WALLETS; i += 1)
    tokens.push(await signIn(fromAddress, privateKeyToAccount(generatePrivateKey())))
  await readHonestly()
  console.log(`alone:  ${describe(await readHonestly())}`)
  const ending = new AbortController()
  const attacks = [undefined, ...tokens].map((token) => attack(token, ending.signal))
  const beside = await readHonestly()
  ending.abort()
  console.log(`beside: ${describe(beside)}`)
  const all = (await Promise.all(attacks)).flatMap((statuses) => [...statuses])
  const counts = Map.groupBy(all, ([status]) => status)
  for (const [status, own] of counts) {
    console.log(
      `hostile requests with the status ${status}: ${own.reduce((sum, [, count]) => sum + count, 0)}`,
    )
  }
} finally {
  await world.stop()
}
