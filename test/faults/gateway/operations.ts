/**
 * Operations of clients during a fault. Each operation sends as many requests as it needs, and reports the outcome of
 * each request.
 */
import type { Hex } from 'viem'
import { z } from 'zod'
import { GRAPHQL_PATH } from '../../../api/graphql/serve/endpoint.ts'
import { bearer, type Requestable, signInMessage, TEST_SITE } from '../../support/sign-in.ts'
import { USD, type Wallet } from './fault-world.ts'
import { type Answer, type Asked, judge, type Outcome, parseJson } from './outcomes.ts'

/** Asks one of the gateways, and has the outcome counted under a name. */
export type Ask = (
  name: string,
  request: { path: string; init?: RequestInit },
  isRight: (answer: Answer) => boolean,
) => Promise<{ outcome: Outcome; asked: Asked }>

/** Milliseconds after which a client gives up: longer than any timeout of a gateway or proxy in front of it. */
const CLIENT_TIMEOUT_MS = 120_000

/** Ends what a client does: a wrong answer was counted, and repeating the request would count it again. */
export class WrongAnswer extends Error {}

/**
 * @param gateway chooses one for each request
 * @param report gets each outcome
 * @returns throws a WrongAnswer after a wrong outcome was reported
 */
export function createAsk(gateway: () => Requestable, report: (name: string, outcome: Outcome) => void): Ask {
  return async (name, { path, init }, isRight) => {
    const asked = await send(gateway(), path, init)
    const outcome = judge(asked, isRight)
    report(name, outcome)
    if (outcome.is === 'wrong') throw new WrongAnswer(`${name}: ${outcome.what}`)
    return { outcome, asked }
  }
}

async function send(gateway: Requestable, path: string, init: RequestInit = {}): Promise<Asked> {
  try {
    const response = await gateway.request(path, { ...init, signal: AbortSignal.timeout(CLIENT_TIMEOUT_MS) })
    return { status: response.status, text: await response.text(), headers: response.headers }
  } catch {
    return undefined
  }
}

const JSON_BODY = { 'Content-Type': 'application/json' }

/** Reads, by name. GraphQL by one statement, and by resolvers in a snapshot. */
export function readsOf({ claimId, address }: Wallet) {
  const query = (text: string) => ({
    path: GRAPHQL_PATH,
    init: { method: 'POST', headers: JSON_BODY, body: JSON.stringify({ query: text }) },
  })
  return {
    vaults: { path: '/api/v1/vaults?limit=20' },
    claim: { path: `/api/v1/claims/${claimId}` },
    activity: { path: `/api/v1/activity/${address}` },
    'GraphQL list': query('{ vaults(first: 20) { nodes { address capital { totalAssets } } } }'),
    'GraphQL key': query(`{ claim(claimId: "${claimId}") { claimId faceValue state } }`),
  } as const
}

const nonceAnswer = z.object({ nonce: z.string().min(16) })
const tokenAnswer = z.object({ token: z.string(), wallet: z.string() })

/** Gets a nonce and signs in with it. @returns the token; undefined when one of both was not answered */
export async function signInOnce(ask: Ask, wallet: Wallet): Promise<string | undefined> {
  const isNonce = ({ text }: Answer) => nonceAnswer.safeParse(parseJson(text)).success
  const { outcome, asked } = await ask('nonce', { path: '/api/v1/auth/nonce' }, isNonce)
  if (outcome.is !== 'right' || !asked) return undefined
  const { nonce } = nonceAnswer.parse(parseJson(asked.text))
  const message = await signInMessage(UNASKED, wallet.address, { nonce, uri: TEST_SITE })
  const signature = await wallet.key.signMessage({ message })
  const init = { method: 'POST', headers: JSON_BODY, body: JSON.stringify({ message, signature }) }
  const isToken = ({ text }: Answer) => tokenAnswer.safeParse(parseJson(text)).data?.wallet === wallet.address
  const verified = await ask('sign-in', { path: '/api/v1/auth/verify', init }, isToken)
  if (verified.outcome.is !== 'right' || !verified.asked) return undefined
  return tokenAnswer.parse(parseJson(verified.asked.text)).token
}

const UNASKED: Requestable = {
  request: () => {
    throw new Error('the nonce is given')
  },
}

const optimized = z.object({
  routeId: z.templateLiteral(['0x', z.string()]),
  result: z.object({
    executable: z.literal(true),
    legs: z.array(z.object({ claimId: z.string() })).length(1),
    totals: z.object({ totalAdvance: z.string().transform(BigInt) }),
  }),
})

/** Optimizes once. @returns the id of the route; undefined when it was not answered */
export async function optimizeOnce(
  ask: Ask,
  wallet: Wallet,
  token: string,
  targetAdvance: bigint,
): Promise<Hex | undefined> {
  const body = JSON.stringify({ claimIds: [wallet.claimId], targetAdvance: `${targetAdvance}` })
  const init = { method: 'POST', headers: { ...bearer(token).headers, ...JSON_BODY }, body }
  const isRight = ({ text }: Answer) => {
    const { data } = optimized.safeParse(parseJson(text))
    return (
      data?.result.legs[0]?.claimId === wallet.claimId && data.result.totals.totalAdvance >= targetAdvance
    )
  }
  const { outcome, asked } = await ask('optimize', { path: '/api/v1/routes/optimize', init }, isRight)
  if (outcome.is !== 'right' || !asked) return undefined
  return optimized.parse(parseJson(asked.text)).routeId
}

export const LEAST_TARGET = 100n * USD

const prepared = z.object({ executionId: z.templateLiteral(['0x', z.string()]) })

/** Prepares once under a key. @returns the text of the answer; undefined when it was not answered */
export async function prepareOnce(ask: Ask, token: string, routeId: Hex, key: string) {
  const init = { method: 'POST', headers: { ...bearer(token).headers, 'Idempotency-Key': key } }
  const path = `/api/v1/routes/${routeId}/prepare-execution`
  const isRight = ({ text }: Answer) => prepared.safeParse(parseJson(text)).success
  const { outcome, asked } = await ask('prepare', { path, init }, isRight)
  if (outcome.is !== 'right' || !asked) return undefined
  return { text: asked.text, executionId: prepared.parse(parseJson(asked.text)).executionId }
}
