/**
 * Prepares the impairment of an overdue slice. How `impair` of contracts/FinancingVault.sol can revert, and the answer
 * instead:
 *
 * | revert                                  | answer                                                                         |
 * | --------------------------------------- | ------------------------------------------------------------------------------ |
 * | NotOutstanding                          | 404 CLAIM_NOT_FOUND, 422 ALLOCATION_NOT_OUTSTANDING; an issue when that is not final yet |
 * | OwnableUnauthorizedAccount              | 403 CURATOR_REQUIRED                                                           |
 * | ImpairmentTooEarly                      | 422 IMPAIRMENT_TOO_EARLY; an issue while only our clock is past the grace period |
 * | CarryingValueNotLower                   | 422 CARRYING_VALUE_NOT_LOWER                                                   |
 */
import { type Address, encodeFunctionData, type Hex } from 'viem'
import { financingVaultAbi } from '../../abis/FinancingVault.ts'
import { readClaim, type Slice } from '../chain/claim.ts'
import { type ImpairmentTerms, readImpairmentTerms } from '../chain/impairment.ts'
import type { ChainClaim } from '../chain/lens-types.ts'
import type { PinBlock } from '../chain/pin-block.ts'
import { type BaseUnits, formatMoney } from '../domain/money.ts'
import { formatTime, type UnixSeconds, unixNumber } from '../domain/time.ts'
import { latestOf } from '../domain/window.ts'
import { CodedError, claimNotFound } from '../errors.ts'
import type { PrepareDeps } from './deps.ts'
import { type PreparedTransaction, toPrepared, unsigned } from './transaction.ts'
import { amountInWords } from './words.ts'

export type ImpairmentRequest = {
  wallet: Address
  claimId: Hex
  sliceIndex: number
  /** Carrying value of the slice after the impairment, base units. */
  carryingValue: BaseUnits
}

/** `loss` is the part of the advance that this impairment writes down. */
export type PreparedImpairment = PreparedTransaction & { claim: ChainClaim; slice: Slice; loss: BaseUnits }

/**
 * The time that decides is the later one of the clock and the pinned block, as for settlements.
 *
 * @throws `CLAIM_NOT_FOUND`, `ALLOCATION_NOT_OUTSTANDING`, `CURATOR_REQUIRED`, `IMPAIRMENT_TOO_EARLY`,
 *   `CARRYING_VALUE_NOT_LOWER`, `CHAIN_UNAVAILABLE`
 */
export async function prepareImpairment(
  { chain, deployment, clock }: Pick<PrepareDeps, 'chain' | 'deployment' | 'clock'>,
  request: ImpairmentRequest,
  pinBlock: PinBlock,
): Promise<PreparedImpairment> {
  const { wallet, claimId, sliceIndex, carryingValue } = request
  const block = await pinBlock()
  const { claim, allocations } = await readClaim(chain, block, deployment.contracts.claimRegistry, claimId)
  if (claim.state === 'NONE') throw claimNotFound(claimId, block.number)
  const slice = outstandingSlice(claim, allocations, sliceIndex)
  const { vault } = slice
  const terms = await readImpairmentTerms(chain, block, { vault, claimId, sliceIndex })
  refuseOthers(request, vault, terms)
  refuseEarly(request, claim, terms, latestOf(clock(), block))
  const loss = lossOf(request, slice, terms)
  const args = [claimId, sliceIndex, carryingValue] as const
  const data = encodeFunctionData({ abi: financingVaultAbi, functionName: 'impair', args })
  const inWords = (amount: BaseUnits) => amountInWords(deployment.tokens, claim.token, amount)
  const step = {
    transaction: unsigned(deployment, { from: wallet, to: vault, data }),
    description: `Write slice ${sliceIndex} of claim ${claimId} in vault ${vault} down by ${inWords(loss)}, to ${inWords(carryingValue)}. A later payment is a gain of the vault.`,
  }
  return { ...(await toPrepared(chain, block, step)), claim, slice, loss }
}

function outstandingSlice(
  { claimId, state }: ChainClaim,
  slices: readonly Slice[],
  sliceIndex: number,
): Slice {
  const slice = slices[sliceIndex]
  if (slice && state !== 'SETTLED' && state !== 'REVOKED') return slice
  const why = slice ? `the claim is ${state}` : `the claim has ${slices.length} slices`
  throw new CodedError(
    'ALLOCATION_NOT_OUTSTANDING',
    `Slice ${sliceIndex} of claim ${claimId} is not outstanding: ${why}. Only what is still to be paid can be impaired.`,
    { facts: { claimId, sliceIndex, state } },
  )
}

/** Only the curator may choose the carrying value. */
function refuseOthers({ wallet, carryingValue }: ImpairmentRequest, vault: Address, terms: ImpairmentTerms) {
  const { curator } = terms
  if (wallet === curator || carryingValue === 0n) return
  throw new CodedError(
    'CURATOR_REQUIRED',
    `The curator of vault ${vault} is ${curator}. Every other wallet can impair to 0 only.`,
    { facts: { vault, curator, wallet } },
  )
}

function refuseEarly(
  { wallet, claimId }: ImpairmentRequest,
  { dueAt }: ChainClaim,
  { curator, curatorGrace, publicGrace }: ImpairmentTerms,
  now: UnixSeconds,
): void {
  const possibleFrom = dueAt + (wallet === curator ? curatorGrace : publicGrace)
  if (now >= possibleFrom) return
  const from = formatTime(possibleFrom)
  throw new CodedError(
    'IMPAIRMENT_TOO_EARLY',
    `Claim ${claimId} is due at ${formatTime(dueAt)}. This wallet can impair it from ${from} on.`,
    { facts: { claimId, possibleFrom: from, possibleFromUnix: unixNumber(possibleFrom) } },
  )
}

function lossOf(
  { claimId, sliceIndex, carryingValue }: ImpairmentRequest,
  { advanceAmount }: Slice,
  { impairment }: ImpairmentTerms,
): BaseUnits {
  const current = advanceAmount - impairment
  if (carryingValue < current) return current - carryingValue
  throw new CodedError(
    'CARRYING_VALUE_NOT_LOWER',
    `Slice ${sliceIndex} of claim ${claimId} is carried at ${current} base units. The new value must be lower.`,
    { facts: { claimId, sliceIndex, carryingValue: formatMoney(current) } },
  )
}
