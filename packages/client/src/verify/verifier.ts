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
import { createCallContract, createReadClaim, type Prepared, type RequestRecord } from './prepared.ts'
import { route } from './route.ts'
import { creditWithdrawal, routeCancellation } from './router.ts'
import { terms } from './terms.ts'
import { deposit, withdrawal } from './vaults.ts'

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
  '/api/v1/vaults/{vault}/deposits/prepare': deposit,
  '/api/v1/vaults/{vault}/withdrawals/prepare': withdrawal,
  '/api/v1/vaults/{vault}/terms/prepare': terms,
  [PREPARE_ROUTE]: route,
} satisfies Record<PreparePath, unknown>

export type Verifier = {
  /**
   * Begins a request: `call` has its path and its arguments. @returns verifies the answer
   * @throws GatewayError `NOT_VERIFIABLE`, `NO_WALLET`, `WRONG_CHAIN` before anything is requested
   */
  begin: (call: readonly unknown[]) => Promise<(answer: unknown) => Promise<void>>
  /** The request of an answer, to keep with it. @throws GatewayError `NOT_VERIFIABLE` */
  recordOf: (answer: object) => RequestRecord
  /** Takes an answer that was kept with its request. */
  restore: (answer: object, record: RequestRecord) => void
  /**
   * Verifies an answer again, on the chain and for the account that the wallet has now.
   *
   * @throws GatewayError `NOT_VERIFIABLE`, `ANSWER_MISMATCH`, `WRONG_WALLET`, `WRONG_CHAIN`
   */
  confirm: (answer: object) => Promise<{ wallet: RequestRecord['wallet']; deployment: Deployment }>
}

type Options = { deployment: Deployment | undefined; provider: Eip1193Provider; now: () => number }

export function createVerifier({ deployment: pinned, provider, now }: Options): Verifier {
  const requests = new WeakMap<object, RequestRecord>()
  const plans = createPlans()
  const recordOf = (answer: object) => {
    const record = requests.get(answer)
    if (record) return record
    throw notVerifiable(
      'This is not an answer of `post` of this gateway. Pass the answer itself, not a copy.',
    )
  }
  return {
    async begin([path, init]) {
      const request = { params: { path: at(init, 'params.path') }, body: at(init, 'body') }
      const requestedAt = now()
      if (path === OPTIMIZE) return async (answer) => plans.keep(request.body, answer, requestedAt)
      if (typeof path !== 'string' || !Object.hasOwn(EXPECTED, path)) return async () => {}
      const deployment = required(pinned)
      const plan =
        path === PREPARE_ROUTE ? planned(plans.find(at(request, 'params.path.routeId'))) : undefined
      const wallet = await walletOn(provider, deployment)
      const record = { path, request, wallet, requestedAt, ...(plan && { plan }) }
      return async (answer) => {
        await verify(provider, deployment, record, answer)
        requests.set(Object(answer), record)
      }
    },
    recordOf,
    restore: (answer, record) => void requests.set(answer, record),
    async confirm(answer) {
      const deployment = required(pinned)
      const record = recordOf(answer)
      await requireWallet(provider, record)
      await switchChain(provider, deployment.chainId)
      await verify(provider, deployment, record, answer)
      return { wallet: record.wallet, deployment }
    },
  }
}

async function verify(
  provider: Eip1193Provider,
  deployment: Deployment,
  record: RequestRecord,
  answer: unknown,
): Promise<void> {
  const expected = EXPECTED[record.path]
  if (!expected) throw notVerifiable(`${record.path} prepares nothing for a wallet.`)
  const callContract = createCallContract(provider)
  const readClaim = createReadClaim(callContract, deployment)
  compare(answer, await expected({ ...record, answer, deployment, readClaim, callContract }))
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

async function walletOn(
  provider: Eip1193Provider,
  { chainId }: Deployment,
): Promise<RequestRecord['wallet']> {
  const connected = await connectedWallet(provider)
  if (!connected)
    throw new GatewayError({ code: 'NO_WALLET', message: 'No account of the wallet is connected.' })
  if (connected.chainId === chainId) return connected.address
  const message = `Chain ${chainId} is required, but the wallet is on chain ${connected.chainId}. Sign in again.`
  throw new GatewayError({ code: 'WRONG_CHAIN', message })
}

async function requireWallet(provider: Eip1193Provider, { wallet }: RequestRecord): Promise<void> {
  const connected = await connectedWallet(provider)
  if (connected?.address === wallet) return
  const message = `This was prepared for ${wallet}, but ${connected?.address ?? 'no account'} is connected.`
  throw new GatewayError({ code: 'WRONG_WALLET', message })
}

function notVerifiable(message: string): GatewayError {
  return new GatewayError({ code: 'NOT_VERIFIABLE', message })
}
