/**
 * Prepares a change of the terms of a vault. How its calls in contracts/VaultTerms.sol can revert, and the answers in
 * their place; a change after the pinned block is an issue EXECUTION_WOULD_REVERT:
 *
 * | revert                                          | answer                  |
 * | ----------------------------------------------- | ----------------------- |
 * | OwnableUnauthorizedAccount                      | 403 CURATOR_MISMATCH    |
 * | InvalidMandate, InvalidPricing, TooManyPremiums | 422 TERMS_INVALID       |
 * | NoPendingTerms                                  | 422 NO_PENDING_TERMS    |
 * | NoticeNotOver                                   | 422 NOTICE_NOT_OVER     |
 *
 * The registry gives the activation of a vault to its managers and not to the curator, so none is prepared.
 */
import { type Address, encodeFunctionData, type Hex, maxUint256 } from 'viem'
import { financingVaultAbi as abi } from '../../abis/FinancingVault.ts'
import type { Mandate, Pricing } from '../chain/lens-types.ts'
import type { PinBlock } from '../chain/pin-block.ts'
import { readVaultTerms, type Terms, type VaultTerms } from '../chain/vault-terms.ts'
import { supportedTypes } from '../domain/mandate.ts'
import { formatTime, type UnixSeconds, unixNumber } from '../domain/time.ts'
import { latestOf } from '../domain/window.ts'
import { CodedError } from '../errors.ts'
import type { PrepareDeps } from './deps.ts'
import { isNowhereLooser, refuseInvalidTerms } from './judge-terms.ts'
import { type PreparedTransaction, toPrepared, unsigned } from './transaction.ts'
import { requireVault } from './vault.ts'
import { amountInWords } from './words.ts'

export const termsActions = ['submit', 'accept', 'revoke'] as const
export type TermsAction = (typeof termsActions)[number]

/** The half that is not given stays as it is in effect. */
export type TermsRequest = {
  wallet: Address
  vault: Address
  action: TermsAction
  mandate: Mandate | undefined
  pricing: Pricing | undefined
}

export type PreparedTerms = PreparedTransaction & {
  token: Address
  present: Terms
  /** The terms that the call is about. */
  next: Terms
  /** The first second in which they can be in effect; undefined for terms that are taken back. */
  effectiveAt: UnixSeconds | undefined
  /** Whether the call puts them into effect. Otherwise, anyone can after the notice. */
  atOnce: boolean
  /** Whether the call ends a notice that runs. */
  replacesPending: boolean
}

/**
 * @throws `VAULT_NOT_FOUND`, `CURATOR_MISMATCH`, `TERMS_INVALID`, `NO_PENDING_TERMS`, `NOTICE_NOT_OVER`,
 * `CHAIN_UNAVAILABLE`
 */
export async function prepareTerms(
  deps: PrepareDeps,
  request: TermsRequest,
  pinBlock: PinBlock,
): Promise<PreparedTerms> {
  const { chain, deployment, clock } = deps
  const { wallet, vault, action } = request
  const block = await pinBlock()
  const { token, curator } = await requireVault(deps, block, vault)
  // Anyone can put pending terms into effect.
  if (action !== 'accept') refuseOther(wallet, curator, vault)
  const terms = await readVaultTerms(chain, vault)
  const change = changeOf(request, terms, latestOf(clock(), { timestamp: terms.at }))
  const step = {
    transaction: unsigned(deployment, { from: wallet, to: vault, data: change.data }),
    description: describe(deps, request, token, change),
  }
  const { next, effectiveAt, atOnce } = change
  const replacesPending = action === 'submit' && terms.pending !== undefined
  const prepared = await toPrepared(chain, block, step)
  return { ...prepared, token, present: terms.present, next, effectiveAt, atOnce, replacesPending }
}

type Change = Pick<PreparedTerms, 'next' | 'effectiveAt' | 'atOnce'> & { data: Hex }

function changeOf(request: TermsRequest, terms: VaultTerms, now: UnixSeconds): Change {
  if (request.action === 'submit') return submission(request, terms)
  const { vault, action } = request
  const { pending } = terms
  if (!pending) {
    const detail = `No terms of vault ${vault} are pending at the latest block.`
    throw new CodedError('NO_PENDING_TERMS', detail, { facts: { vault } })
  }
  if (action === 'revoke') {
    const data = encodeFunctionData({ abi, functionName: 'revokeTerms' })
    return { data, next: pending, effectiveAt: undefined, atOnce: false }
  }
  if (now < pending.effectiveAt) throw noticeNotOver(vault, pending.effectiveAt)
  const data = encodeFunctionData({ abi, functionName: 'acceptTerms' })
  return { data, next: pending, effectiveAt: pending.effectiveAt, atOnce: true }
}

function submission(request: TermsRequest, { present, noticePeriod, at }: VaultTerms): Change {
  const mandate = request.mandate ?? present.mandate
  const pricing = request.pricing ?? present.pricing
  const next = { mandate, pricing }
  refuseInvalidTerms(next)
  const data = encodeFunctionData({ abi, functionName: 'submitTerms', args: [mandate, pricing] })
  const atOnce = noticePeriod === 0n || isNowhereLooser(next, present)
  return { data, next, effectiveAt: atOnce ? at : at + noticePeriod, atOnce }
}

function refuseOther(wallet: Address, curator: Address, vault: Address): void {
  if (wallet === curator) return
  const detail = `Vault ${vault} has the curator ${curator}, who alone can change its terms. Sign in with ${curator}.`
  throw new CodedError('CURATOR_MISMATCH', detail, { facts: { vault, curator, wallet } })
}

function noticeNotOver(vault: Address, effectiveAt: UnixSeconds): CodedError {
  const time = formatTime(effectiveAt)
  const detail = `The notice of the pending terms of vault ${vault} ends at ${time}. Put them into effect from then on.`
  return new CodedError('NOTICE_NOT_OVER', detail, {
    facts: { vault, effectiveAt: time, effectiveAtUnix: unixNumber(effectiveAt) },
  })
}

function describe(
  { deployment: { tokens } }: PrepareDeps,
  { vault, action }: TermsRequest,
  token: Address,
  { next: { mandate, pricing }, effectiveAt, atOnce }: Change,
): string {
  const face = (amount: bigint) => amountInWords(tokens, token, amount)
  const terms = [
    `Mandate: claim types ${supportedTypes(mandate.supportedTypesBitmap).join(', ') || 'none'}; ${mandate.minDurationDays} to ${mandate.maxDurationDays} days to the due date; lots of ${face(mandate.minFace)} to ${face(mandate.maxFace)}; at most ${face(mandate.maxClaimFace)} of a claim, and ${mandate.maxIssuerFace === maxUint256 ? 'any amount' : face(mandate.maxIssuerFace)} of an issuer.`,
    `Pricing in basis points: ${pricing.baseDiscountBps}, ${pricing.durationBpsPerDay} a day, premiums by claim type ${pricing.premiumBps.join(', ') || 'none'}.`,
  ].join(' ')
  if (action === 'revoke') return `Take back the pending terms of vault ${vault}. ${terms}`
  if (action === 'accept') return `Put the pending terms of vault ${vault} into effect. ${terms}`
  const when = atOnce
    ? 'They take effect at once.'
    : `Anyone can put them into effect after the notice, from ${formatTime(effectiveAt ?? 0n)} at the earliest.`
  return `Submit terms of vault ${vault}. ${when} ${terms}`
}
