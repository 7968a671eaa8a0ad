/** A subscription that fails at each event, at a gateway that is a process of its own. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sharedWorld } from '../support/world.ts'
import { type GatewayProcess, startGatewayProcess } from './gateway-process.ts'

const ZERO = `0x${'0'.repeat(40)}`
const FAILING = `subscription { account(address: "${ZERO}") { claims(first: 1, after: "!") { nodes { claimId } } } }`

let gateway: GatewayProcess
beforeAll(async () => {
  gateway = await startGatewayProcess(sharedWorld())
})
afterAll(() => gateway?.stop())

it('sends the error, and leaves the gateway to other clients', async () => {
  const leaving = new AbortController()
  const stream = await fetch(
    new URL(`/api/v1/graphql?${new URLSearchParams({ query: FAILING })}`, gateway.url),
    {
      headers: { Accept: 'text/event-stream' },
      signal: leaving.signal,
    },
  )
  const { value = new Uint8Array() } = (await stream.body?.getReader().read()) ?? {}
  expect(new TextDecoder().decode(value)).toMatch(/^:|"code":"VALIDATION_FAILED"/)
  const health = await fetch(new URL('/api/v1/health', gateway.url), { signal: AbortSignal.timeout(20_000) })
  expect(health.status).toBe(200)
  leaving.abort()
})
