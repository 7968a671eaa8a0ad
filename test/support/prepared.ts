/** Prepared transactions as a wallet asks for them and sends them. */
import { createWalletClient, type Hex, http, numberToHex, type TransactionReceipt } from 'viem'
import { z } from 'zod'
import type { World } from './protocol.ts'
import { bearer, type Requestable } from './sign-in.ts'
import { minedReceipt } from './transactions.ts'

const bytes = z.string().transform((text): Hex => `0x${text.slice(2)}`)

const step = z.object({
  transaction: z.object({ chainId: z.int(), from: bytes, to: bytes, data: bytes, value: z.literal('0') }),
  rpc: z.object({
    method: z.literal('eth_sendTransaction'),
    params: z.tuple([z.object({ from: bytes, to: bytes, data: bytes, value: bytes, chainId: bytes })]),
  }),
  description: z.string(),
})

const issue = z.object({
  code: z.string(),
  message: z.string(),
  have: z.string().optional(),
  need: z.string().optional(),
  errorName: z.string().optional(),
  arguments: z.array(z.string()).optional(),
})

const prepared = step
  .extend({ blockNumber: z.int(), approvals: z.array(step), issues: z.array(issue) })
  .loose()

export type PreparedStep = z.output<typeof step>
export type PreparedAnswer = z.output<typeof prepared>

/** The raw answer, for tests of refusals. */
export function postPrepare(
  app: Requestable,
  token: string,
  path: string,
  body?: unknown,
): Promise<Response> {
  const headers = {
    ...bearer(token).headers,
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
  }
  return Promise.resolve(
    app.request(`/api/v1${path}`, {
      method: 'POST',
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  )
}

export async function prepare(
  app: Requestable,
  token: string,
  path: string,
  body?: unknown,
): Promise<PreparedAnswer> {
  const response = await postPrepare(app, token, path, body)
  if (response.status !== 200) throw new Error(`answered ${response.status}: ${await response.text()}`)
  return toPreparedAnswer(await response.json())
}

/** @throws where it is no prepared transaction */
export function toPreparedAnswer(answer: unknown): PreparedAnswer {
  return prepared.parse(answer)
}

/**
 * Hands `rpc` to the node as it came over the wire: its accounts are unlocked, so the node is the wallet. The gas limit
 * is the estimate and half of it, as the API documentation has wallets do.
 */
export async function sendPrepared(world: World, { rpc }: PreparedStep): Promise<TransactionReceipt> {
  const wallet = createWalletClient({ transport: http(world.rpcUrl) })
  const [transaction] = rpc.params
  const { from, to, data } = transaction
  const estimate = await world.chain.estimateGas({ account: from, to, data })
  const gas = numberToHex(estimate + estimate / 2n)
  const sent = await wallet.request({ ...rpc, params: [{ ...transaction, gas }] })
  const receipt = await minedReceipt(world.chain, sent)
  if (receipt.status !== 'success')
    throw new Error(`prepared transaction ${receipt.transactionHash} reverted`)
  return receipt
}

/** Sends the approvals, then the transaction. @returns the receipt of the latter */
export async function sendAll(world: World, answer: PreparedAnswer): Promise<TransactionReceipt> {
  for (const approval of answer.approvals) await sendPrepared(world, approval)
  return sendPrepared(world, answer)
}
