/**
 * One wallet storms two gateway processes on one database: it is limited as if they were one, while another wallet
 * passes. And one nonce, shown to both at once, signs in once.
 */
import { join } from 'node:path'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { claimRegistryAbi } from '../../abis/ClaimRegistry.ts'
import { financingRouterAbi } from '../../abis/FinancingRouter.ts'
import { type Child, startChild } from '../../devnet/child.ts'
import { freePort } from '../support/anvil.ts'
import { writeTestManifest } from '../support/indexer.ts'
import { INHERITED } from '../support/inherited.ts'
import { TEST_LIMITS } from '../support/limits.ts'
import { createDatabase } from '../support/postgres.ts'
import { startWorld, type World } from '../support/protocol.ts'
import { bearer, postVerify, type Requestable, signIn, signInMessage, TEST_SITE } from '../support/sign-in.ts'

const LIMIT = 10
const SERVER = join(import.meta.dirname, '../../api/server.ts')

type Gateway = Requestable & { process: Child }

let world: Awaited<ReturnType<typeof startWorld>>
let database: Awaited<ReturnType<typeof createDatabase>>
let manifest: Awaited<ReturnType<typeof writeTestManifest>>
let gateways: [Gateway, Gateway]

beforeAll(async () => {
  ;[world, database] = await Promise.all([startWorld(), createDatabase()])
  manifest = await writeTestManifest(world, { typeHashes: await typeHashes(world) })
  gateways = await Promise.all([startGateway(), startGateway()])
})
afterAll(async () => {
  await Promise.all((gateways ?? []).map((gateway) => gateway.process.stop()))
  await Promise.all([world?.stop(), database?.drop(), manifest?.remove()])
})

/** A gateway for production on this test's world, with what `env` changes. */
function spawnGateway(port: number, env: Record<string, string> = {}): Child {
  return startChild({
    name: 'the gateway',
    program: process.execPath,
    args: [SERVER],
    stopSignal: 'SIGTERM',
    spawn: {
      env: {
        ...INHERITED,
        NODE_ENV: 'production',
        PORT: `${port}`,
        DATABASE_URL: database.urls.gateway,
        RPC_URLS: world.rpcUrl,
        CHAIN_ID: `${world.chainId}`,
        DEPLOYMENTS_DIR: manifest.folder,
        AUTH_SECRETS: 'one secret that both replicas share',
        SITE_ORIGINS: TEST_SITE,
        RATE_LIMIT_DEFAULT: `${LIMIT}`,
        ...TEST_LIMITS,
        RATE_LIMIT_WINDOW_SECONDS: '600',
        ...env,
      },
    },
  })
}

async function startGateway(): Promise<Gateway> {
  const port = await freePort()
  const child = spawnGateway(port)
  await child.line(/listening/)
  return { process: child, request: (path, init) => fetch(`http://127.0.0.1:${port}${path}`, init) }
}

async function typeHashes({ chain, protocol }: World) {
  const [claimAttestation, executionRoute] = await Promise.all([
    chain.readContract({
      address: protocol.claimRegistry,
      abi: claimRegistryAbi,
      functionName: 'CLAIM_ATTESTATION_TYPEHASH',
    }),
    chain.readContract({
      address: protocol.financingRouter,
      abi: financingRouterAbi,
      functionName: 'EXECUTION_ROUTE_TYPEHASH',
    }),
  ])
  return { claimAttestation, executionRoute }
}

const newWallet = () => privateKeyToAccount(generatePrivateKey())

describe('two gateway processes on one database', () => {
  it('limit a storming wallet together, and let another wallet through on both, during and after it', async () => {
    const [first, second] = gateways
    const stormer = await signIn(first, newWallet())
    const bystander = await signIn(second, newWallet())
    const ask = async (gateway: Requestable, token: string) =>
      gateway.request('/api/v1/auth/me', bearer(token))
    const storm = Array.from({ length: 40 }, () => gateways.map((gateway) => ask(gateway, stormer))).flat()
    const during = await Promise.all(gateways.map((gateway) => ask(gateway, bystander)))
    const answers = await Promise.all(storm)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(LIMIT)
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(80 - LIMIT)
    for (const { headers } of refused) {
      expect(headers.get('RateLimit-Policy')).toBe(`"default";q=${LIMIT};w=600`)
      expect(headers.get('RateLimit')).toBe(`"default";r=0;t=${headers.get('Retry-After')}`)
    }
    const after = await Promise.all(gateways.map((gateway) => ask(gateway, bystander)))
    expect([...during, ...after].map(({ status }) => status)).toEqual([200, 200, 200, 200])
  })

  it('take one nonce once between them, and the token of one is good at the other', async () => {
    const [first, second] = gateways
    const wallet = newWallet()
    const message = await signInMessage(first, wallet.address)
    const body = { message, signature: await wallet.signMessage({ message }) }
    const answers = await Promise.all(
      [first, second, first, second].map((gateway) => postVerify(gateway, body)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401])
    const token = await signIn(first, newWallet())
    expect((await second.request('/api/v1/auth/me', bearer(token))).status).toBe(200)
  })

  it('serve no API reference in production', async () => {
    for (const gateway of gateways) expect((await gateway.request('/docs')).status).toBe(404)
  })
})

describe('a gateway process', () => {
  it('does not start in production without a secret of 32 bytes, and says what to set', async () => {
    for (const secret of ['', 'too short']) {
      const { code, lastWords } = await spawnGateway(0, { AUTH_SECRETS: secret }).exited
      expect(code).toBe(1)
      expect(lastWords.join('\n')).toMatch(/did not start: AUTH_SECRETS must .*32 random bytes or more/)
      expect(lastWords.join('\n')).not.toContain('too short')
    }
  })
})
