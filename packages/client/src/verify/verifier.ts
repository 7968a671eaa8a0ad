/**
 * Verifies the messages and transactions that the gateway prepares for a wallet. The client computes the whole
 * transaction or typed data from the request, the deployment and the claim on chain, and compares: a gateway that lies
 * can prevent a signature, but not get one for anything else.
 */
import { connectedWallet, type Eip1193Provider, switchChain } from '../eip1193.ts'
import { GatewayError } from '../errors.ts'
import type { paths } from '../generated/api.ts'
import { attestation, attestationCancellation, registration } from './attestation.ts'
import { revocation, settlement } from './claims.ts'
import { at, compare, type Expected } from './compare.ts'
import type { Deployment } from './deployment.ts'
import { financing } from './financing.ts'
import { createPlans } from './plans.ts'
import { type Asked, createReadClaim, type Prepared } from './prepared.ts'
import { route } from './route.ts'
import { creditWithdrawal, routeCancellation } from './router.ts'

type PreparePath = Extract<keyof paths, `${string}/prepare` | `${string}/prepare-execution`>

const OPTIMIZE = '/api/v1/routes/optimize' satisfies keyof paths
const PREPARE_ROUTE = '/api/v1/routes/{routeId}/prepare-execution' satisfies PreparePath

/** The expected answer of each endpoint that prepares something for a wallet. */
const EXPECTED: Readonly<Record<string, (prepared: Prepared) => Expected | Promise<Expected>>> = {
  '/api/v1/executions/prepare': financing,
  '/api/v1/settlements/{claimId}/prepare': settlement,
  '/api/v1/claims/{claimId}/revocation/prepare': revocation,
  '/api/v1/claims/registration/prepare': registration,
  '/api/v1/issuer/attestations/prepare': attestation,
  '/api/v1/issuer/attestations/cancellation/prepare': attestationCancellation,
  '/api/v1/credits/withdrawal/prepare': creditWithdrawal,
  '/api/v1/routes/cancellation/prepare': routeCancellation,
  [PREPARE_ROUTE]: route,
} satisfies Record<PreparePath, unknown>

export type Verifier = {
  /**
   * Begins a request: `call` has its path and its arguments. @returns verifies the answer
   * @throws GatewayError `NOT_VERIFIABLE`, `NO_WALLET`, `WRONG_CHAIN` before anything is requested
   */
  begin: (call: readonly unknown[]) => Promise<(answer: unknown) => Promise<void>>
  /** The request of an answer, to keep with it. @throws GatewayError `NOT_VERIFIABLE` */
  askedFor: (answer: object) => Asked
  /** Takes an answer that was kept with its request. */
  restore: (answer: object, asked: Asked) => void
  /**
   * Verifies an answer again, on the chain and for the account that the wallet has now.
   *
   * @throws GatewayError `NOT_VERIFIABLE`, `ANSWER_MISMATCH`, `WRONG_WALLET`, `WRONG_CHAIN`
   */
  confirm: (answer: object) => Promise<{ wallet: Asked['wallet']; deployment: Deployment }>
}

type Options = { deployment: Deployment | undefined; provider: Eip1193Provider; now: () => number }

export function createVerifier({ deployment: pinned, provider, now }: Options): Verifier {
  const requests = new WeakMap<object, Asked>()
  const plans = createPlans()
  const askedFor = (answer: object) => {
    const asked = requests.get(answer)
    if (asked) return asked
    throw notVerifiable(
      'This is not an answer of `post` of this gateway. Pass the answer itself, not a copy.',
    )
  }
  return {
    async begin([path, init]) {
      const request = { params: { path: at(init, 'params.path') }, body: at(init, 'body') }
      const askedAt = now()
      if (path === OPTIMIZE) return async (answer) => plans.keep(request.body, answer, askedAt)
      if (typeof path !== 'string' || !Object.hasOwn(EXPECTED, path)) return async () => {}
      const deployment = required(pinned)
      const plan =
        path === PREPARE_ROUTE ? planned(plans.find(at(request, 'params.path.routeId'))) : undefined
      const wallet = await walletOn(provider, deployment)
      const asked = { path, request, wallet, askedAt, ...(plan && { plan }) }
      return async (answer) => {
        await verify(provider, deployment, asked, answer)
        requests.set(Object(answer), asked)
      }
    },
    askedFor,
    restore: (answer, asked) => void requests.set(answer, asked),
    async confirm(answer) {
      const deployment = required(pinned)
      const asked = askedFor(answer)
      await requireWallet(provider, asked)
      await switchChain(provider, deployment.chainId)
      await verify(provider, deployment, asked, answer)
      return { wallet: asked.wallet, deployment }
    },
  }
}

async function verify(
  provider: Eip1193Provider,
  deployment: Deployment,
  asked: Asked,
  answer: unknown,
): Promise<void> {
  const expected = EXPECTED[asked.path]
  if (!expected) throw notVerifiable(`${asked.path} prepares nothing for a wallet.`)
  const readClaim = createReadClaim(provider, deployment)
  compare(answer, await expected({ ...asked, answer, deployment, readClaim }))
}

function required(deployment: Deployment | undefined): Deployment {
  if (deployment) return deployment
  throw notVerifiable(
    'The contracts are not known. Pass `deployment` to `createGateway`, such as `deployments[31337]`.',
  )
}

function planned<Plan>(plan: Plan | undefined): Plan {
  if (plan) return plan
  throw notVerifiable('This gateway did not plan the route. Optimize again, with the same gateway object.')
}

async function walletOn(provider: Eip1193Provider, { chainId }: Deployment): Promise<Asked['wallet']> {
  const connected = await connectedWallet(provider)
  if (!connected)
    throw new GatewayError({ code: 'NO_WALLET', message: 'No account of the wallet is connected.' })
  if (connected.chainId === chainId) return connected.address
  const message = `Chain ${chainId} is required, but the wallet is on chain ${connected.chainId}. Sign in again.`
  throw new GatewayError({ code: 'WRONG_CHAIN', message })
}

async function requireWallet(provider: Eip1193Provider, { wallet }: Asked): Promise<void> {
  const connected = await connectedWallet(provider)
  if (connected?.address === wallet) return
  const message = `This was prepared for ${wallet}, but ${connected?.address ?? 'no account'} is connected.`
  throw new GatewayError({ code: 'WRONG_WALLET', message })
}

function notVerifiable(message: string): GatewayError {
  return new GatewayError({ code: 'NOT_VERIFIABLE', message })
}
