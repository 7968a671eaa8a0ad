/** A request and its answer, as they are verified, and the claims behind them. */
import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  type Hash,
  type Hex,
  numberToHex,
} from 'viem'
import { callWallet, type Eip1193Provider, toHex } from '../eip1193.ts'
import { GatewayError } from '../errors.ts'
import { claimRegistryAbi } from '../generated/contracts.ts'
import { type Deployment, toAddress } from './deployment.ts'
import type { Planned } from './plans.ts'

/** A request whose answer a wallet signs or sends. It is JSON, so it can be kept with its answer. */
export type RequestRecord = {
  path: string
  /** `params` and `body` of the request. */
  request: unknown
  wallet: Address
  /** Milliseconds, by this machine's clock. */
  requestedAt: number
  /** The plan of a route that is prepared. */
  plan?: Planned
}

/** Everything that an answer is verified against. Only `answer` comes from the gateway. */
export type Prepared = RequestRecord & {
  answer: unknown
  deployment: Deployment
  readClaim: ReadClaim
  callContract: CallContract
}

/**
 * Calls a view of a contract through the wallet, whose node the user has chosen: the gateway has no part in it.
 *
 * @param block its number. Default: the latest block
 * @throws GatewayError `WALLET_FAILED`
 */
export type CallContract = (call: { to: string; data: Hex }, block?: bigint) => Promise<Hex>

export function createCallContract(provider: Eip1193Provider): CallContract {
  return async (call, block) => {
    const at = block === undefined ? 'latest' : numberToHex(block)
    return toHex(await callWallet(provider, { method: 'eth_call', params: [call, at] }))
  }
}

/** Facts of a claim that never change. */
export type ClaimRecord = {
  token: Address
  beneficiary: Address
  faceValue: bigint
  /** Unix seconds. */
  dueDate: bigint
}

/** Reads a claim from the registry of the deployment. @throws GatewayError `WALLET_FAILED` */
export type ReadClaim = (claimId: Hash) => Promise<ClaimRecord>

export function createReadClaim(callContract: CallContract, { contracts }: Deployment): ReadClaim {
  return async (claimId) => {
    const read = { abi: claimRegistryAbi, functionName: 'claim' } as const
    const data = encodeFunctionData({ ...read, args: [claimId] })
    const result = await callContract({ to: contracts.claimRegistry, data })
    try {
      const { token, beneficiary, faceValue, dueDate } = decodeFunctionResult({ ...read, data: result })
      return { token: toAddress(token), beneficiary: toAddress(beneficiary), faceValue, dueDate }
    } catch (cause) {
      const message = `The node of the wallet has no claim registry at ${contracts.claimRegistry}.`
      throw new GatewayError({ code: 'WALLET_FAILED', message, cause })
    }
  }
}
