/** Carries out what the gateway prepared: the wallet sends the transactions, or signs and sends. */
import { type Abi, encodeFunctionData, type Hex } from 'viem'
import { connectedWallet, connectWallet, type Eip1193Provider, toHex } from './eip1193.ts'
import { GatewayError } from './errors.ts'
import { type FollowOptions, followTransaction, type Transaction } from './follow.ts'
import type { components } from './generated/api.ts'
import type { Rest } from './rest.ts'

export type PreparedRoute = components['schemas']['PreparedRoute']
export type TypedData = components['schemas']['TypedData']

type Step = components['schemas']['UnsignedTransaction']

/** A prepared transaction, as every `/prepare` endpoint that answers with one gives it. */
export type Plan = Pick<components['schemas']['PreparedTransaction'], keyof Step | 'approvals'>

export type RunOptions = FollowOptions & {
  /** Called before each transaction is handed to the wallet. */
  onStep?: (step: { description: string; index: number; count: number }) => void
  /** Called with the hash of each, once the wallet has sent it. */
  onSent?: (hash: Hex) => void
}

type Hands = { rest: Rest; provider: Eip1193Provider }

/**
 * Sends the approvals in order, each once the one before it is mined, then the transaction, and follows that one.
 *
 * @throws GatewayError `WRONG_WALLET`, `WRONG_CHAIN`, those of following; what the wallet throws when its user declines
 */
export async function runPlan(
  { rest, provider }: Hands,
  plan: Plan,
  options: RunOptions = {},
): Promise<Transaction> {
  await checkWallet(provider, { wallet: plan.transaction.from, chainId: plan.transaction.chainId })
  const steps = [...plan.approvals, plan]
  const send = async ({ rpc: { method, params }, description }: Step, index: number) => {
    options.onStep?.({ description, index, count: steps.length })
    const hash = toHex(await provider.request({ method, params }))
    options.onSent?.(hash)
    return hash
  }
  for (const [index, approval] of plan.approvals.entries()) {
    await followTransaction(rest, await send(approval, index), { ...options, until: 'MINED' })
  }
  return followTransaction(rest, await send(plan, plan.approvals.length), options)
}

/**
 * Signs a prepared route and sends it to the router.
 *
 * @throws as `runPlan`
 */
export async function runRoute(
  { rest, provider }: Hands,
  { typedData, submit }: PreparedRoute,
  options: RunOptions = {},
): Promise<Transaction> {
  const from = String(typedData.message.user)
  await checkWallet(provider, { wallet: from, chainId: typedData.domain.chainId })
  options.onStep?.({ description: 'Sign the route', index: 0, count: 2 })
  const signature = await signTypedData(provider, typedData)
  const { functionName } = submit
  const args = [toArguments(typedData, typedData.primaryType, typedData.message), signature]
  const data = encodeFunctionData({ abi: toAbi(submit.abi), functionName, args })
  options.onStep?.({ description: 'Send it to the router', index: 1, count: 2 })
  const params = [{ from, to: submit.to, data }]
  const hash = toHex(await provider.request({ method: 'eth_sendTransaction', params }))
  options.onSent?.(hash)
  return followTransaction(rest, hash, options)
}

/** The connected wallet's signature of typed data (EIP-712) that the gateway prepared. */
export async function signTypedData(provider: Eip1193Provider, typedData: TypedData): Promise<Hex> {
  const { address } = await connectWallet(provider)
  const params = [address, JSON.stringify(typedData)]
  return toHex(await provider.request({ method: 'eth_signTypedData_v4', params }))
}

async function checkWallet(
  provider: Eip1193Provider,
  { wallet, chainId }: { wallet: string; chainId: number },
): Promise<void> {
  const connected = await connectedWallet(provider)
  if (connected?.address !== wallet) {
    const message = `This was prepared for ${wallet}, but ${connected?.address ?? 'no account'} is connected.`
    throw new GatewayError({ code: 'WRONG_WALLET', message })
  }
  if (connected.chainId !== chainId) {
    const message = `This was prepared for chain ${chainId}, but the wallet is on chain ${connected.chainId}.`
    throw new GatewayError({ code: 'WRONG_CHAIN', message })
  }
}

/** A message of typed data as arguments of a call: its integers, decimal strings on the wire, as bigint. */
function toArguments({ types }: Pick<TypedData, 'types'>, type: string, value: unknown): unknown {
  if (type.endsWith('[]') && Array.isArray(value))
    return value.map((item) => toArguments({ types }, type.slice(0, -2), item))
  const fields = types[type]
  if (fields && typeof value === 'object' && value !== null) {
    const of: Record<string, unknown> = { ...value }
    return Object.fromEntries(
      fields.map((field) => [field.name, toArguments({ types }, field.type, of[field.name])]),
    )
  }
  return /^u?int/.test(type) ? BigInt(String(value)) : value
}

function toAbi(entries: readonly unknown[]): Abi {
  return entries.filter(
    (entry): entry is Abi[number] => typeof entry === 'object' && entry !== null && 'type' in entry,
  )
}
