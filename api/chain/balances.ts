import { type Address, BaseError, ContractFunctionZeroDataError, erc20Abi } from 'viem'
import type { Manifest } from '../../deployments/manifest.ts'
import type { BaseUnits } from '../domain/money.ts'
import type { FinalizedThrough } from '../projection/session/state.ts'
import type { Chain } from './client.ts'
import { atHashOf, type PinnedBlock, pinProjectedBlock } from './pin-block.ts'
import { readChain } from './read-chain.ts'

export type TokenBalance = {
  token: Address
  symbol: string
  name: string
  decimals: number
  balance: BaseUnits
}

/**
 * Reads the balance of each wallet in each token of the deployment, at the block of the projection, in the order of
 * the wallets and tokens.
 *
 * @throws CodedError `CHAIN_UNAVAILABLE`
 */
export async function readTokenBalances(
  { chain, deployment: { tokens } }: { chain: Chain; deployment: Manifest },
  through: FinalizedThrough,
  wallets: readonly Address[],
): Promise<TokenBalance[][]> {
  const block = await pinProjectedBlock(chain, through)
  const addresses = tokens.map(({ address }) => address)
  const balances = await readBalances(chain, block, wallets, addresses)
  return balances.map((ofWallet) =>
    tokens.map(({ address: token, symbol, name, decimals }, i) => {
      return { token, symbol, name, decimals, balance: ofWallet[i] ?? 0n }
    }),
  )
}

/**
 * Bytes of arguments in one call: some 100 balances, whose answer is far below the limit of a call without a contract.
 */
const CALL_SIZE = 3600

/**
 * Reads the balance of each wallet in each token at a pinned block, in the order of the wallets and tokens; 0 in a
 * token that did not exist then.
 * @throws CodedError `CHAIN_UNAVAILABLE`
 */
export async function readBalances(
  chain: Chain,
  block: PinnedBlock,
  wallets: readonly Address[],
  tokens: readonly Address[],
): Promise<BaseUnits[][]> {
  const balances = await readChain(`the balances at block ${block.number}`, async () => {
    const answers = await chain.multicall({
      // No Multicall3 is needed at the chain: its code travels with the call.
      deployless: true,
      batchSize: CALL_SIZE,
      ...atHashOf(block),
      contracts: wallets.flatMap((wallet) => tokens.map((token) => balanceOf(token, wallet))),
    })
    return answers.map(({ result, error }) => {
      if (error && !isWithoutCode(error)) throw error
      return result ?? 0n
    })
  })
  return wallets.map((_, i) => balances.slice(i * tokens.length, (i + 1) * tokens.length))
}

/** Whether there was no contract at the block yet: then nobody held anything. */
function isWithoutCode(error: Error): boolean {
  return (
    error instanceof BaseError &&
    error.walk((cause) => cause instanceof ContractFunctionZeroDataError) !== null
  )
}

function balanceOf(address: Address, wallet: Address) {
  return { address, abi: erc20Abi, functionName: 'balanceOf', args: [wallet] } as const
}
