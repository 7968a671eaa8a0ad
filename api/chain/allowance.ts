import { type Address, erc20Abi } from 'viem'
import type { BaseUnits } from '../domain/money.ts'
import type { Chain } from './client.ts'
import { readChain } from './read-chain.ts'

/** What a wallet holds of a token, and how much of it a spender may take. */
export type Funds = { balance: BaseUnits; allowance: BaseUnits }

/**
 * The wallet's funds at the latest block: whoever approved or was paid a moment ago would otherwise be sent to do it again until
 * finality. A contract that answers neither question is no token, and nothing can be taken from it.
 *
 * @throws CodedError `CHAIN_UNAVAILABLE`
 */
export async function readFunds(
  chain: Chain,
  { owner, token, spender }: { owner: Address; token: Address; spender: Address },
): Promise<Funds> {
  const [balance, allowance] = await readChain('balance and allowance', () =>
    chain.multicall({
      deployless: true,
      blockTag: 'latest',
      contracts: [
        { address: token, abi: erc20Abi, functionName: 'balanceOf', args: [owner] },
        { address: token, abi: erc20Abi, functionName: 'allowance', args: [owner, spender] },
      ],
    }),
  )
  return { balance: balance.result ?? 0n, allowance: allowance.result ?? 0n }
}
