'use client'
/** Deposits in vaults, withdrawals from them, and their terms. */
import type { Address, components, Gateway, Transaction } from 'claim-financing-client'
import { type ReviewOptions, usePrepared } from './review.ts'
import type { Running } from './run.ts'

type Schemas = components['schemas']

/** `assets` or `shares`, in base units. */
export type DepositInput = Schemas['DepositRequest'] & { vault: Address }
/** `assets`, `shares` or `all`, amounts in base units. */
export type WithdrawalInput = Schemas['WithdrawalRequest'] & { vault: Address }

/** Shares for assets at the latest block, and the bound of the transaction. */
export type PreparedDeposit = Schemas['PreparedDeposit']
/** `position` states what can be withdrawn now, `contractualRepayments` when issuers owe the vault the rest. */
export type PreparedWithdrawal = Schemas['PreparedWithdrawal']

/** `mandate`, `pricing` or both, or an `action`. */
export type TermsInput = Schemas['TermsRequest'] & { vault: Address }
/** `effects` states which open claims the terms newly accept or refuse, and how many routes they would break. */
export type PreparedTerms = Schemas['PreparedTerms']

/**
 * `mutate({ vault, assets })` approves the token where needed, deposits, and succeeds when reads show it. Where the
 * token has permits, the wallet signs one in place of the approval. Requires a session.
 */
export function useDeposit(options: ReviewOptions<PreparedDeposit> = {}): Running<DepositInput, Transaction> {
  return usePrepared(prepareDeposit, options)
}

/** `mutate({ vault, assets })` withdraws, and succeeds when reads show it. Requires a session. */
export function useWithdraw(
  options: ReviewOptions<PreparedWithdrawal> = {},
): Running<WithdrawalInput, Transaction> {
  return usePrepared(prepareWithdrawal, options)
}

/**
 * `mutate({ vault, mandate, pricing })` submits terms of a vault of the wallet; `action` puts pending terms into effect
 * or takes them back. Succeeds when reads show it. Requires a session.
 */
export function useTerms(options: ReviewOptions<PreparedTerms> = {}): Running<TermsInput, Transaction> {
  return usePrepared(prepareTerms, options)
}

function prepareDeposit(gateway: Gateway, { vault, ...body }: DepositInput): Promise<PreparedDeposit> {
  return gateway.post('/api/v1/vaults/{vault}/deposits/prepare', { params: { path: { vault } }, body })
}

function prepareWithdrawal(gateway: Gateway, input: WithdrawalInput): Promise<PreparedWithdrawal> {
  const { vault, ...body } = input
  return gateway.post('/api/v1/vaults/{vault}/withdrawals/prepare', { params: { path: { vault } }, body })
}

function prepareTerms(gateway: Gateway, { vault, ...body }: TermsInput): Promise<PreparedTerms> {
  return gateway.post('/api/v1/vaults/{vault}/terms/prepare', { params: { path: { vault } }, body })
}
