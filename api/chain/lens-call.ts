/**
 * How the lens is called. It is never deployed: a call carries its code, by a state override where the node supports
 * those, else as a deployless call, whose answer is cut at 24 576 bytes.
 */
import { BaseError, type CallParameters, type Hex, HttpRequestError, TimeoutError } from 'viem'
import { financingLensBytecode, financingLensRuntime } from '../../contracts/artifacts/FinancingLens.ts'
import { chainUnavailable } from '../errors.ts'
import type { Chain } from './client.ts'
import { atHashOf, type PinnedBlock } from './pin-block.ts'

/** All that the lens needs of the chain. */
export type Caller = Pick<Chain, 'call'>

export type LensMode = 'override' | 'deployless'

/** "lens" in ASCII: it has no known key and is no precompile. */
const LENS_ADDRESS = '0x6c656e7300000000000000000000000000000000'

/**
 * go-ethereum's default limit of a call; some nodes give less to a call that names none. 20 × 100 quotes take 25
 * million.
 */
const GAS = 50_000_000n

/**
 * A node answered, but not with the lens's answer: too large a call, no support for overrides, or the block is gone.
 */
export class LensCallRefused extends Error {
  override readonly name = 'LensCallRefused'
}

/**
 * Calls the lens with `data` at the pinned block, by its hash: a node that has another block, or none, cannot answer.
 * @throws LensCallRefused
 * @throws CodedError `CHAIN_UNAVAILABLE` when no node answered at all
 */
export async function callLens(chain: Caller, block: PinnedBlock, mode: LensMode, data: Hex): Promise<Hex> {
  try {
    const answer = await chain.call({
      ...carriedCode(mode),
      data,
      gas: GAS,
      ...atHashOf(block),
    })
    if (answer.data) return answer.data
  } catch (error) {
    if (!(error instanceof BaseError)) throw error
    if (isSilence(error)) throw lensUnavailable(block, error)
    throw new LensCallRefused(`the ${mode} call failed: ${error.shortMessage}`, { cause: error })
  }
  throw new LensCallRefused(`the ${mode} call was answered with nothing`)
}

export function lensUnavailable(block: PinnedBlock, cause: unknown) {
  return chainUnavailable(`The chain does not answer for block ${block.number}. Try again shortly.`, cause)
}

function carriedCode(mode: LensMode): Pick<CallParameters, 'to' | 'code' | 'stateOverride'> {
  if (mode === 'deployless') return { code: financingLensBytecode }
  return { to: LENS_ADDRESS, stateOverride: [{ address: LENS_ADDRESS, code: financingLensRuntime }] }
}

function isSilence(error: BaseError): boolean {
  return Boolean(error.walk((cause) => cause instanceof HttpRequestError || cause instanceof TimeoutError))
}
