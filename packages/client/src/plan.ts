/** Carries out what the gateway prepared: the wallet sends the transactions, or signs and sends. */
import { encodeFunctionData } from 'viem'
import { canBatch, sendBatch } from './batch.ts'
import { callWallet, type Eip1193Provider, toHex } from './eip1193.ts'
import { type FollowDeps, type FollowOptions, followTransaction, type Transaction } from './follow.ts'
import { withGasLimit } from './gas.ts'
import type { components } from './generated/api.ts'
import { executeRouteAbi } from './generated/contracts.ts'
import type { ExecutionRouteMessage, TypedData } from './generated/typed-data.ts'
import { preparePermitted } from './permit.ts'
import type { Address, Hash } from './scalars.ts'
import { toAddress } from './verify/deployment.ts'
import type { Verifier } from './verify/verifier.ts'

export type PreparedRoute = components['schemas']['PreparedRoute']

type Step = components['schemas']['UnsignedTransaction']

/** A prepared transaction, as every `/prepare` endpoint that answers with one gives it. */
export type Plan = Pick<components['schemas']['PreparedTransaction'], keyof Step | 'approvals'> & {
  /** Permit that a deposit offers in place of its approvals. */
  permit?: components['schemas']['Permit'] | null
}

export type RunOptions = FollowOptions & {
  /** Called before each prompt of the wallet. */
  onStep?: (step: { description: string; index: number; count: number }) => void
  /** Called with the hash of each transaction, once the wallet has sent it. */
  onSent?: (hash: Hash) => void
}

/** The parts of the gateway that following needs, the wallet, and the verifier of prepared answers. */
export type RunDeps = FollowDeps & { provider: Eip1193Provider; verifier: Verifier }

/** A prepared answer with typed data. */
export type Signable = PreparedRoute | components['schemas']['PreparedAttestation']

/**
 * Sends approvals and transaction as one batch if the wallet can. Otherwise it has the wallet sign the permit that the
 * plan offers; without one, it sends the approvals in order, each once the one before it is mined. Then it sends the
 * transaction and follows it.
 *
 * @throws GatewayError `NOT_VERIFIABLE`, `ANSWER_MISMATCH`, `WRONG_WALLET`, `WRONG_CHAIN`, `USER_REJECTED`, those of
 *   following; with a permit those of preparing
 */
export async function runPlan(deps: RunDeps, plan: Plan, options: RunOptions = {}): Promise<Transaction> {
  const { provider } = deps
  await deps.verifier.confirm(plan)
  if (plan.approvals.length > 0 && (await canBatch(provider, plan.transaction)))
    return followTransaction(deps, await sendAll(provider, plan, options), options)
  const permitted = await signPermit(deps, plan, options)
  return permitted
    ? sendInOrder(deps, permitted, { ...options, before: 1 })
    : sendInOrder(deps, plan, options)
}

/** @param before steps that the wallet has done before */
async function sendInOrder(
  deps: RunDeps,
  plan: Plan,
  { before = 0, ...options }: RunOptions & { before?: number },
): Promise<Transaction> {
  const count = before + plan.approvals.length + 1
  const send = async ({ rpc, description }: Step, index: number) => {
    options.onStep?.({ description, index: before + index, count })
    return sendTransaction(deps.provider, rpc.params, options)
  }
  for (const [index, approval] of plan.approvals.entries()) {
    await followTransaction(deps, await send(approval, index), { ...options, until: 'MINED' })
  }
  return followTransaction(deps, await send(plan, plan.approvals.length), options)
}

/** Has the wallet sign the permit of the plan. @returns the transaction with it; undefined where there is none */
async function signPermit(
  { provider, verifier, rest }: RunDeps,
  plan: Plan,
  { onStep }: RunOptions,
): Promise<Plan | undefined> {
  const { permit } = plan
  if (!permit) return undefined
  const record = verifier.recordOf(plan)
  onStep?.({ description: 'Sign the permit of the token', index: 0, count: 2 })
  const signature = await askToSign(provider, record.wallet, permit.typedData)
  return preparePermitted(rest, record, signature, permit)
}

/**
 * Signs a prepared route and sends it to the router.
 *
 * @throws as `runPlan`, and GatewayError `ROUTE_ENDED`
 */
export async function runRoute(
  deps: RunDeps,
  prepared: PreparedRoute,
  options: RunOptions = {},
): Promise<Transaction> {
  const { provider } = deps
  const { wallet: from, deployment } = await deps.verifier.confirm(prepared)
  const { typedData, executionId } = prepared
  options.onStep?.({ description: 'Sign the route', index: 0, count: 2 })
  const signature = await askToSign(provider, from, typedData)
  const args = [toRoute(typedData.message), signature] as const
  const data = encodeFunctionData({ abi: executeRouteAbi, functionName: 'executeRoute', args })
  const to = toAddress(deployment.contracts.financingRouter)
  options.onStep?.({ description: 'Send it to the router', index: 1, count: 2 })
  const hash = await sendTransaction(provider, [{ from, to, data }], options)
  return followTransaction(deps, hash, { ...options, executionId })
}

/**
 * The connected wallet's signature of typed data (EIP-712) that the gateway prepared.
 *
 * @throws GatewayError as `runPlan`
 */
export async function signPrepared(deps: RunDeps, prepared: Signable): Promise<`0x${string}`> {
  const { wallet } = await deps.verifier.confirm(prepared)
  return askToSign(deps.provider, wallet, prepared.typedData)
}

async function askToSign(
  provider: Eip1193Provider,
  wallet: Address,
  typedData: TypedData,
): Promise<`0x${string}`> {
  const params = [wallet, JSON.stringify(typedData)]
  return toHex(await callWallet(provider, { method: 'eth_signTypedData_v4', params }))
}

/** All transactions of the plan as one. */
async function sendAll(
  provider: Eip1193Provider,
  plan: Plan,
  { onStep, onSent, pollMs = 1000, signal = new AbortController().signal }: RunOptions,
): Promise<Hash> {
  onStep?.({ description: plan.description, index: 0, count: 1 })
  const calls = [...plan.approvals, plan].flatMap(({ rpc }) =>
    rpc.params.map(({ to, data, value }) => ({ to, data, value })),
  )
  const hash = await sendBatch(provider, { ...plan.transaction, calls }, { pollMs, signal })
  onSent?.(hash)
  return hash
}

async function sendTransaction(
  provider: Eip1193Provider,
  transactions: readonly object[],
  { onSent }: RunOptions,
): Promise<Hash> {
  const params = await Promise.all(transactions.map((one) => withGasLimit(provider, one)))
  const hash = toHex(await callWallet(provider, { method: 'eth_sendTransaction', params }))
  onSent?.(hash)
  return hash
}

/** The message as an argument of `executeRoute`: its integers, decimal strings on the wire, as bigint. */
function toRoute({ legs, ...route }: ExecutionRouteMessage) {
  return {
    ...route,
    legs: legs.map(({ faceAmount, minimumAdvanceAmount, ...leg }) => ({
      ...leg,
      faceAmount: BigInt(faceAmount),
      minimumAdvanceAmount: BigInt(minimumAdvanceAmount),
    })),
    targetAdvance: BigInt(route.targetAdvance),
    maxTotalFace: BigInt(route.maxTotalFace),
    nonce: BigInt(route.nonce),
    deadline: BigInt(route.deadline),
  }
}
