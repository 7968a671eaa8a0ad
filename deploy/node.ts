/** Reads and transactions of a deployment at its node. Every answer is checked before it is used. */
import {
  type Address,
  BaseError,
  type Client,
  createClient,
  custom,
  type Hex,
  HttpRequestError,
  numberToHex,
  TimeoutError,
} from 'viem'
import { z } from 'zod'
import type { Ask, Connection } from '../nodes/connect.ts'
import { answeredError } from '../nodes/errors.ts'
import { checkIdentity, type Identity } from '../nodes/identity.ts'
import { Refusal } from '../nodes/refusal.ts'
import { DeployError } from './errors.ts'

/** Resolves after a number of milliseconds. */
export type Pause = (ms: number) => Promise<unknown>

/** `ask` repeats a request that fails. `client` reads contracts over it. */
export type Node = { name: string; ask: Ask; client: Client }

export function createNode({ name, ask }: Connection, pause: Pause): Node {
  const repeated: Ask = (asked) => attempt(ask, pause, asked)
  // viem sends requests to URLs that a revert names (EIP-3668) unless `ccipRead` is false.
  const client = createClient({
    ccipRead: false,
    transport: custom({ request: repeated }, { retryCount: 0 }),
  })
  return { name, ask: repeated, client }
}

const quantity = z
  .string()
  .regex(/^0x[0-9a-f]{1,64}$/)
  .transform((text) => BigInt(text))
/** Counts that fit a number of JavaScript, block numbers included. */
const count = z
  .string()
  .regex(/^0x[0-9a-f]{1,13}$/)
  .transform(Number)
const bytes = z.custom<Hex>((value) => typeof value === 'string' && /^0x(?:[0-9a-f]{2})*$/i.test(value))
const hash = z.custom<Hex>((value) => typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value))
const blockShape = z.object({ number: count, hash, baseFeePerGas: quantity.optional() })
const receiptShape = z.object({ status: z.enum(['0x0', '0x1']), blockNumber: count })

export type Block = z.output<typeof blockShape>

/** @throws DeployError `WRONG_CHAIN` unless the node serves the chain; sets the genesis block if `identity` lacks it */
export async function requireChain({ name, ask }: Node, identity: Identity): Promise<void> {
  try {
    await checkIdentity(ask, identity)
  } catch (error) {
    if (!(error instanceof Refusal)) throw failureOf(name, 'eth_chainId', error)
    throw new DeployError('WRONG_CHAIN', `${name} ${error.message}`, { cause: error })
  }
}

export function readBlock(node: Node, at: 'latest' | 'finalized' | number): Promise<Block> {
  return request(node, blockShape, 'eth_getBlockByNumber', [tagOf(at), false])
}

/** The number of transactions of an account, which is its next nonce. */
export function readNonce(node: Node, account: Address, at: 'latest' | 'pending' | number): Promise<number> {
  return request(node, count, 'eth_getTransactionCount', [account, tagOf(at)])
}

/** `0x` where there is no contract. */
export async function readCode(node: Node, address: Address, block: number): Promise<Hex> {
  return lowercaseHex(await request(node, bytes, 'eth_getCode', [address, tagOf(block)]))
}

export function readBalance(node: Node, account: Address): Promise<bigint> {
  return request(node, quantity, 'eth_getBalance', [account, 'latest'])
}

export function readPriorityFee(node: Node): Promise<bigint> {
  return request(node, quantity, 'eth_maxPriorityFeePerGas', [])
}

/** At the latest block: at a pending one, the transaction itself can have taken place, and would revert. */
export function estimateGas(node: Node, call: { from: Address; to?: Address; data: Hex }): Promise<bigint> {
  return request(node, quantity, 'eth_estimateGas', [call, 'latest'])
}

/** Reads a contract with an action of viem. @param what for the message of a failure */
export async function readContract<T>(
  node: Node,
  what: string,
  read: (client: Client) => Promise<T>,
): Promise<T> {
  try {
    return await read(node.client)
  } catch (error) {
    throw failureOf(node.name, `eth_call of ${what}`, error)
  }
}

/** Whether the node has the transaction, pending or mined. */
export async function hasTransaction(node: Node, transaction: Hex): Promise<boolean> {
  const shape = z.object({ hash }).nullable()
  return (await request(node, shape, 'eth_getTransactionByHash', [transaction])) !== null
}

/** `null` while the transaction is not mined. */
export function readReceipt(node: Node, transaction: Hex) {
  return request(node, receiptShape.nullable(), 'eth_getTransactionReceipt', [transaction])
}

export function send(
  node: Node,
  method: 'eth_sendRawTransaction' | 'eth_sendTransaction',
  parameter: unknown,
): Promise<Hex> {
  return request(node, hash, method, [parameter])
}

async function request<T>(node: Node, shape: z.ZodType<T>, method: string, params: unknown[]): Promise<T> {
  const answer = await node.ask({ method, params }).catch((error: unknown) => {
    throw failureOf(node.name, method, error)
  })
  const result = shape.safeParse(answer)
  if (result.success) return result.data
  throw new DeployError('NODE_ANSWER_INVALID', `${node.name} answers ${method} with no valid value`)
}

/** Milliseconds before each further attempt. */
const RETRY_AFTER_MS = [500, 1000, 2000] as const

/** A transaction may be sent again: its nonce allows one of them. An error that the node answers to it is final. */
async function attempt(ask: Ask, pause: Pause, asked: Parameters<Ask>[0]): Promise<unknown> {
  for (const delay of RETRY_AFTER_MS) {
    try {
      return await ask(asked)
    } catch (error) {
      if (answeredError(error) && /^eth_(?:send|estimate)/.test(asked.method)) throw error
      await pause(delay)
    }
  }
  return ask(asked)
}

function failureOf(name: string, method: string, error: unknown): DeployError {
  const cause = { cause: error }
  const answer = answeredError(error)
  if (answer)
    return new DeployError('NODE_REFUSED', `${name} answers ${method} with: ${answer.details}`, cause)
  const failed = error instanceof BaseError && error.walk(isFailedRequest)
  if (!(failed instanceof BaseError)) {
    return new DeployError('NODE_ANSWER_INVALID', `${name} answers ${method} with no valid value`, cause)
  }
  return new DeployError(
    'NODE_UNAVAILABLE',
    `${name} does not answer ${method} (${failed.details || failed.shortMessage}). Run the same command again to continue.`,
    cause,
  )
}

function isFailedRequest(error: unknown): boolean {
  return error instanceof HttpRequestError || error instanceof TimeoutError
}

const tagOf = (at: string | number) => (typeof at === 'number' ? numberToHex(at) : at)

function lowercaseHex(value: Hex): Hex {
  return `0x${value.slice(2).toLowerCase()}`
}
