/** Routes as a wallet asks for them, over a world and a gateway of one's own. */
import type { Hex } from 'viem'
import { z } from 'zod'
import type { ExecutionRouteMessage } from '../../api/typed-data/execution-route.ts'
import { createGateway, type TestStore } from './gateway.ts'
import type { Party } from './parties.ts'
import { startWorld, type World } from './protocol.ts'
import { chainTime, finalize, submitRoute } from './scenario.ts'
import { bearer, type Requestable, signIn } from './sign-in.ts'
import { createTestStore } from './store.ts'

const amount = z.string().transform(BigInt)
const bytes = z.string().transform((text): Hex => `0x${text.slice(2)}`)
const totals = z.object({
  totalCost: amount,
  totalFace: amount,
  totalAdvance: amount,
  effectiveDiscountBps: z.int(),
})
const leg = z.object({ claimId: bytes, vault: bytes, faceAmount: amount })
const shownLeg = leg.extend({
  vaultName: z.string().nullable(),
  advanceAmount: amount,
  discountAmount: amount,
  effectiveDiscountBps: z.int(),
})

const result = z.discriminatedUnion('executable', [
  z.object({ executable: z.literal(true), legs: z.array(shownLeg), totals }).loose(),
  z.object({ executable: z.literal(false), reason: z.string(), maxAchievableAdvance: amount }).loose(),
])

const refusal = { reason: z.string(), have: z.string().optional(), need: z.string().optional() }

const optimized = z.object({
  routeId: bytes.nullable(),
  status: z.string().nullable(),
  expiresAt: z.string().nullable(),
  now: z.string(),
  tokenInfo: z.unknown(),
  result,
  filteredOut: z.array(
    z.object({
      claimId: bytes,
      ...refusal,
      vaults: z.array(z.object({ vault: bytes, ...refusal })).optional(),
    }),
  ),
  blockNumber: z.int(),
  finalizedThrough: z.unknown(),
})

const typedData = z.object({
  domain: z.object({ name: z.string(), version: z.string(), chainId: z.int(), verifyingContract: bytes }),
  types: z.record(z.string(), z.array(z.object({ name: z.string(), type: z.string() }))),
  primaryType: z.string(),
  message: z.object({
    user: bytes,
    token: bytes,
    legs: z.array(leg.extend({ minimumAdvanceAmount: amount })),
    targetAdvance: amount,
    maxTotalFace: amount,
    nonce: amount,
    deadline: amount,
  }),
})

const prepared = z.object({
  executionId: bytes,
  typedData,
  deadline: z.string(),
  tokenInfo: z.unknown(),
  legs: z.array(shownLeg.extend({ minimumAdvanceAmount: amount })),
  totals,
  blockNumber: z.int(),
  submit: z.object({ to: bytes, functionName: z.string(), abi: z.array(z.unknown()) }),
  issues: z.array(z.object({ code: z.string(), message: z.string() }).loose()),
})

export type Optimized = z.output<typeof optimized>
export type Prepared = z.output<typeof prepared>

export type OptimizeBody = {
  claimIds: readonly Hex[]
  targetAdvance: bigint
  maxTotalFace?: bigint
  maxTotalCost?: bigint
  routeDeadlineSeconds?: number
}

/**
 * A gateway over a world of one's own; its clock goes with the chain's, which tests move about.
 *
 * @param options what else the gateway is made with
 */
export async function startRouteWorld(options: Parameters<typeof createGateway>[1] = {}) {
  const world = await startWorld()
  const store = await createTestStore()
  const clock = { skewMs: 0, now: () => Date.now() + clock.skewMs }
  const app = createGateway(store, { rpcUrl: world.rpcUrl, clock: clock.now, ...options })
  const stop = async () => {
    await store.stop()
    await world.stop()
  }
  return { world, store, app, clock, stop }
}

export type RouteWorld = { world: World; store: TestStore; app: Requestable; clock: { skewMs: number } }

/** Sets the gateway's clock to the time of the latest block. */
export async function followChain({ world, clock }: Pick<RouteWorld, 'world' | 'clock'>): Promise<void> {
  clock.skewMs = Number(await chainTime(world)) * 1000 - Date.now()
}

/** Makes the latest state final and the clock agree with it. */
export async function settleDown(routes: Pick<RouteWorld, 'world' | 'clock'>): Promise<void> {
  await finalize(routes.world)
  await followChain(routes)
}

/** Signs in at the gateway's time, wherever that is. */
export function tokenOf({ app, clock }: Pick<RouteWorld, 'app' | 'clock'>, party: Party): Promise<string> {
  const issuedAt = new Date(Date.now() + clock.skewMs)
  return signIn(app, { address: party.address, signMessage: party.key.signMessage }, { issuedAt })
}

/** The raw answer, for tests of refusals. */
export function postOptimize(app: Requestable, token: string, body: unknown): Promise<Response> {
  return Promise.resolve(
    app.request('/api/v1/routes/optimize', {
      method: 'POST',
      headers: { ...bearer(token).headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(body, (_, value: unknown) =>
        typeof value === 'bigint' ? value.toString() : value,
      ),
    }),
  )
}

/** The raw answer, for tests of refusals. */
export function postPrepare(
  app: Requestable,
  token: string,
  routeId: Hex | null,
  key?: string,
): Promise<Response> {
  const headers = { ...bearer(token).headers, ...(key !== undefined && { 'Idempotency-Key': key }) }
  return Promise.resolve(
    app.request(`/api/v1/routes/${routeId}/prepare-execution`, { method: 'POST', headers }),
  )
}

export async function optimize(app: Requestable, token: string, body: OptimizeBody): Promise<Optimized> {
  return optimized.parse(await okBody(await postOptimize(app, token, body)))
}

/** @throws Error when there is no executable route */
export async function optimizeToRoute(app: Requestable, token: string, body: OptimizeBody) {
  const answer = await optimize(app, token, body)
  const { routeId, result: route } = answer
  if (!routeId || !route.executable) throw new Error(`no route: ${JSON.stringify(answer, jsonBigint)}`)
  return { routeId, route, answer }
}

export async function prepare(
  app: Requestable,
  token: string,
  routeId: Hex,
  key?: string,
): Promise<Prepared> {
  return prepared.parse(await okBody(await postPrepare(app, token, routeId, key)))
}

/** The body of an answer, as it came over the wire. */
export const readPrepared = (text: string): Prepared => prepared.parse(JSON.parse(text))

/** Signs the typed data exactly as it came over the wire, and submits it. */
export async function signAndSubmit(
  world: World,
  user: Party,
  { typedData: { domain, types, message } }: Prepared,
  submitter: Party = user,
) {
  const { EIP712Domain: _, ...own } = types
  const signature = await user.key.signTypedData({
    domain,
    types: own,
    primaryType: 'ExecutionRoute',
    message,
  })
  return submitRoute(world, { route: message satisfies ExecutionRouteMessage, signature, submitter })
}

async function okBody(response: Response): Promise<unknown> {
  if (response.status !== 200) throw new Error(`answered ${response.status}: ${await response.text()}`)
  return response.json()
}

export function jsonBigint(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value
}
