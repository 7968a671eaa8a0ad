/**
 * Prepares a deposit in a vault. How `deposit`, `depositWithPermit` and `mint` of contracts/FinancingVault.sol can
 * revert, and the answers in their place:
 *
 * | revert                                          | answer                                                         |
 * | ----------------------------------------------- | -------------------------------------------------------------- |
 * | ERC4626ExceededMaxDeposit, …Mint                | 422 VAULT_INACTIVE, AMOUNT_TOO_LARGE; an issue when not final  |
 * | NoShares                                        | 422 AMOUNT_TOO_SMALL                                           |
 * | ERC20InvalidReceiver                            | 422 RECEIVER_INVALID                                           |
 * | ERC20InsufficientBalance                        | issue BALANCE_TOO_LOW                                          |
 * | ERC20InsufficientAllowance                      | issue ALLOWANCE_TOO_LOW, and the approvals that remove it      |
 * | ERC20InsufficientAllowance with a permit        | 422 PERMIT_INVALID                                             |
 * | BelowMinimum, AboveMaximum                      | none: the bound allows `slippageBps` from the price            |
 * | both of the above for shares, at a later price  | none: the wallet approves the bound, and may hold less         |
 * | SafeERC20FailedOperation, a token's own         | issue EXECUTION_WOULD_REVERT                                   |
 */
import { type Address, encodeFunctionData, type Hex } from 'viem'
import { financingVaultAbi } from '../../abis/FinancingVault.ts'
import type { PinBlock } from '../chain/pin-block.ts'
import { type Asked, type Entry, readEntry } from '../chain/share-prices.ts'
import type { VaultFacts } from '../chain/vault-facts.ts'
import { conditionFailed } from '../domain/condition-failed.ts'
import type { BaseUnits } from '../domain/money.ts'
import { atLeast, atMost } from '../domain/slippage.ts'
import { latestOf } from '../domain/window.ts'
import { readPaymentPrerequisites } from './approvals.ts'
import type { PrepareDeps } from './deps.ts'
import {
  checkPermit,
  type OfferedPermit,
  offerPermit,
  type PermitArguments,
  type SignedPermit,
} from './permit.ts'
import { type PreparedTransaction, type Prerequisites, toPrepared, unsigned } from './transaction.ts'
import { blockInWords, refuseReceiver, refuseWorthless, requireVault } from './vault.ts'
import { amountInWords, sharesInWords } from './words.ts'

export type DepositRequest = {
  wallet: Address
  vault: Address
  receiver: Address
  asked: Asked
  slippageBps: number
  /** Only for assets. */
  permit: SignedPermit | undefined
}

/** `bound` is the least number of shares for assets, or the most assets for shares. */
export type PreparedDeposit = PreparedTransaction & {
  token: Address
  entry: Entry
  bound: BaseUnits
  /** The permit that the wallet can sign instead of sending the approvals. */
  offered: OfferedPermit | undefined
}

/**
 * A permit of the request is left out where the allowance is there without it: anyone may have submitted it.
 *
 * @throws `VAULT_NOT_FOUND`, `VAULT_INACTIVE`, `RECEIVER_INVALID`, `AMOUNT_TOO_LARGE`, `AMOUNT_TOO_SMALL`,
 * `PERMIT_INVALID`, `CHAIN_UNAVAILABLE`
 */
export async function prepareDeposit(
  deps: PrepareDeps,
  request: DepositRequest,
  pinBlock: PinBlock,
): Promise<PreparedDeposit> {
  const { chain, deployment } = deps
  const { wallet, vault, receiver, asked, slippageBps } = request
  const block = await pinBlock()
  const facts = await requireVault(deps, block, vault)
  const { token } = facts
  if (!facts.active) {
    throw conditionFailed('VAULT_INACTIVE', `Vault ${vault} is not active, and takes no deposits.`, { vault })
  }
  refuseReceiver(receiver, vault)
  refuseTooLarge(asked, facts, vault)
  const entry = await readEntry(chain, vault, asked)
  refuseWorthless(entry, vault)
  const bound =
    asked.unit === 'assets' ? atLeast(entry.shares, slippageBps) : atMost(entry.assets, slippageBps)
  const { prerequisites, permit, offered } = await readAllowance(deps, request, { token, entry, bound })
  const step = {
    transaction: unsigned(deployment, { from: wallet, to: vault, data: encode(request, bound, permit) }),
    description: describe(deps, request, token, entry, bound),
  }
  return { ...(await toPrepared(chain, block, step, prerequisites)), token, entry, bound, offered }
}

type Allowance = {
  prerequisites: Prerequisites
  /** The permit that the call uses. */
  permit?: PermitArguments
  offered: OfferedPermit | undefined
}

async function readAllowance(
  deps: PrepareDeps,
  { wallet, vault, asked, permit }: DepositRequest,
  { token, entry, bound }: { token: Address; entry: Entry; bound: BaseUnits },
): Promise<Allowance> {
  const payment = { owner: wallet, token, spender: vault, amount: entry.assets }
  if (asked.unit === 'shares') {
    const prerequisites = await readPaymentPrerequisites(deps, { ...payment, atMost: bound })
    return { prerequisites, offered: undefined }
  }
  const prerequisites = await readPaymentPrerequisites(deps, payment)
  if (prerequisites.approvals.length === 0) return { prerequisites, offered: undefined }
  const now = latestOf(deps.clock(), entry.at)
  if (!permit) return { prerequisites, offered: await offerPermit(deps, payment, now) }
  const checked = await checkPermit(deps, payment, permit, now)
  const issues = prerequisites.issues.filter(({ code }) => code !== 'ALLOWANCE_TOO_LOW')
  return { prerequisites: { approvals: [], issues }, permit: checked, offered: undefined }
}

function encode({ asked, receiver }: DepositRequest, bound: BaseUnits, permit?: PermitArguments): Hex {
  const abi = financingVaultAbi
  const args = [asked.amount, receiver, bound] as const
  if (asked.unit === 'shares') return encodeFunctionData({ abi, functionName: 'mint', args })
  if (!permit) return encodeFunctionData({ abi, functionName: 'deposit', args })
  const { deadline, v, r, s } = permit
  return encodeFunctionData({
    abi,
    functionName: 'depositWithPermit',
    args: [...args, deadline, v, r, s],
  })
}

function refuseTooLarge({ unit, amount }: Asked, { maxDeposit, maxMint }: VaultFacts, vault: Address): void {
  const have = unit === 'assets' ? maxDeposit : maxMint
  if (amount <= have) return
  const detail = `Vault ${vault} takes at most ${have} base units of ${unit} now.`
  throw conditionFailed('AMOUNT_TOO_LARGE', detail, { vault, have, need: amount })
}

function describe(
  { deployment: { tokens } }: PrepareDeps,
  { vault, receiver, asked }: DepositRequest,
  token: Address,
  { assets, shares, exitAssets, at }: Entry,
  bound: BaseUnits,
): string {
  const inAssets = (amount: BaseUnits) => amountInWords(tokens, token, amount)
  const inShares = (amount: BaseUnits) => sharesInWords(tokens, token, amount)
  const effect =
    asked.unit === 'assets'
      ? `Deposit ${inAssets(assets)} from this wallet in vault ${vault}, for at least ${inShares(bound)}, which ${receiver} receives.`
      : `Deposit at most ${inAssets(bound)} from this wallet in vault ${vault}, for ${inShares(shares)}, which ${receiver} receives.`
  return [
    effect,
    `At ${blockInWords(at)}, the price is ${inAssets(assets)} for ${inShares(shares)}, which would pay ${inAssets(exitAssets)} if they were redeemed right after.`,
    'The vault lends its assets, so they can be withdrawn as far as idle assets reach.',
  ].join(' ')
}
