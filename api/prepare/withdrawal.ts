/**
 * Prepares a withdrawal from a vault. How `withdraw` and `redeem` of contracts/FinancingVault.sol can revert, and the
 * answers in their place:
 *
 * | revert                                    | answer                                                  |
 * | ----------------------------------------- | ------------------------------------------------------- |
 * | ERC4626ExceededMaxWithdraw, …Redeem       | issue SHARES_TOO_LOW or LIQUIDITY_TOO_LOW               |
 * | ERC20InvalidReceiver of the token         | 422 RECEIVER_INVALID                                    |
 * | BelowMinimum, AboveMaximum                | none: the bound allows `slippageBps` from the price     |
 * | SafeERC20FailedOperation, a token's own   | issue EXECUTION_WOULD_REVERT                            |
 *
 * The contract takes a withdrawal of nothing, which this service does not prepare: 422 NO_SHARES, AMOUNT_TOO_SMALL.
 */
import { type Address, encodeFunctionData } from 'viem'
import { financingVaultAbi } from '../../abis/FinancingVault.ts'
import type { PinBlock } from '../chain/pin-block.ts'
import { type Asked, type Exchange, type Position, readExit } from '../chain/share-prices.ts'
import { conditionFailed } from '../domain/condition-failed.ts'
import type { Issue } from '../domain/issues.ts'
import type { BaseUnits } from '../domain/money.ts'
import { atLeast, atMost } from '../domain/slippage.ts'
import type { PrepareDeps } from './deps.ts'
import { type PreparedTransaction, toPrepared, unsigned } from './transaction.ts'
import { blockInWords, refuseReceiver, refuseWorthless, requireVault } from './vault.ts'
import { amountInWords, sharesInWords } from './words.ts'

/** `asked` is undefined for all shares of the wallet. */
export type WithdrawalRequest = {
  wallet: Address
  vault: Address
  receiver: Address
  asked: Asked | undefined
  slippageBps: number
}

/** `bound` is the most shares for assets, or the least assets for shares. */
export type PreparedWithdrawal = PreparedTransaction & {
  token: Address
  exchange: Exchange
  bound: BaseUnits
  position: Position
}

/**
 * @throws `VAULT_NOT_FOUND`, `RECEIVER_INVALID`, `NO_SHARES`, `AMOUNT_TOO_LARGE`, `AMOUNT_TOO_SMALL`,
 * `CHAIN_UNAVAILABLE`
 */
export async function prepareWithdrawal(
  deps: Pick<PrepareDeps, 'chain' | 'deployment'>,
  request: WithdrawalRequest,
  pinBlock: PinBlock,
): Promise<PreparedWithdrawal> {
  const { chain, deployment } = deps
  const { wallet, vault, receiver, asked, slippageBps } = request
  const block = await pinBlock()
  const { token } = await requireVault(deps, block, vault)
  refuseReceiver(receiver, vault)
  const { position, exchange } = await readExit(chain, vault, { wallet, asked })
  if (position.shares === 0n) {
    throw conditionFailed('NO_SHARES', `Wallet ${wallet} holds no shares of vault ${vault}.`, { vault })
  }
  if (!exchange) {
    const detail = `No number of shares of vault ${vault} is worth the amount.`
    throw conditionFailed('AMOUNT_TOO_LARGE', detail, { vault, have: position.assets, need: asked?.amount })
  }
  refuseWorthless(exchange, vault)
  const isOfAssets = asked?.unit === 'assets'
  const { assets, shares } = exchange
  const bound = isOfAssets ? atMost(shares, slippageBps) : atLeast(assets, slippageBps)
  const functionName = isOfAssets ? 'withdraw' : 'redeem'
  const args = [isOfAssets ? assets : shares, receiver, wallet, bound] as const
  const data = encodeFunctionData({ abi: financingVaultAbi, functionName, args })
  const words = { assets: wordsOf(deps, token, amountInWords), shares: wordsOf(deps, token, sharesInWords) }
  const step = {
    transaction: unsigned(deployment, { from: wallet, to: vault, data }),
    description: describe(words, request, { position, exchange, bound }),
  }
  const prerequisites = { approvals: [], issues: shortage(words, position, exchange) }
  const prepared = await toPrepared(chain, block, step, prerequisites)
  return { ...prepared, token, exchange, bound, position }
}

type InWords = (amount: BaseUnits) => string
type Words = { assets: InWords; shares: InWords }

function wordsOf(
  { deployment: { tokens } }: Pick<PrepareDeps, 'deployment'>,
  token: Address,
  write: typeof amountInWords,
): InWords {
  return (amount) => write(tokens, token, amount)
}

/** Shares first: a wallet that lacks them cannot use the liquidity. */
function shortage(words: Words, position: Position, { assets, shares }: Exchange): Issue[] {
  if (shares > position.shares) {
    const message = `The wallet holds ${words.shares(position.shares)}, and ${words.shares(shares)} would be taken.`
    return [{ code: 'SHARES_TOO_LOW', message, have: position.shares, need: shares }]
  }
  const { withdrawableShares, withdrawableAssets: have } = position
  if (shares <= withdrawableShares) return []
  const message = `The vault can pay ${words.assets(have)} to this wallet now, and ${words.assets(assets)} would be withdrawn. The rest is lent, and comes back by repayments.`
  return [{ code: 'LIQUIDITY_TOO_LOW', message, have, need: assets }]
}

function describe(
  words: Words,
  { vault, receiver, asked }: WithdrawalRequest,
  { position, exchange, bound }: Pick<PreparedWithdrawal, 'position' | 'exchange' | 'bound'>,
): string {
  const { assets, shares, at } = exchange
  const effect =
    asked?.unit === 'assets'
      ? `Withdraw ${words.assets(assets)} from vault ${vault} to ${receiver}, for at most ${words.shares(bound)} of this wallet.`
      : `Redeem ${asked ? '' : 'all '}${words.shares(shares)} of this wallet in vault ${vault}, for at least ${words.assets(bound)}, which ${receiver} receives.`
  return [
    effect,
    `At ${blockInWords(at)}, the price is ${words.assets(assets)} for ${words.shares(shares)}.`,
    `The wallet has ${words.shares(position.shares)} worth ${words.assets(position.assets)} then, and can withdraw ${words.assets(position.withdrawableAssets)} of it now. The vault has lent the rest.`,
  ].join(' ')
}
