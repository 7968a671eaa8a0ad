import { AbiDecodingDataSizeTooSmallError, type Address, BaseError, erc20Abi } from 'viem'
import type { BaseUnits } from '../domain/money.ts'
import type { Chain } from './client.ts'
import { isRevert, readChain } from './read-chain.ts'

/** Balance and allowance of a wallet in a token. */
export type Funds = { balance: BaseUnits; allowance: BaseUnits }

/**
 * Reads the funds of the wallet at the latest block: a wallet that approved or was paid a moment ago would otherwise be
 * sent to do it again until finality. A contract that answers neither call is no token and holds nothing.
 *
 * @throws CodedError `CHAIN_UNAVAILABLE`
 */
export async function readFunds(
  chain: Chain,
  { owner, token, spender }: { owner: Address; token: Address; spender: Address },
): Promise<Funds> {
  return readChain('balance and allowance', async () => {
    const [balance, allowance] = await chain.multicall({
      deployless: true,
      blockTag: 'latest',
      contracts: [
        { address: token, abi: erc20Abi, functionName: 'balanceOf', args: [owner] },
        { address: token, abi: erc20Abi, functionName: 'allowance', args: [owner, spender] },
      ],
    })
    return { balance: amountOf(balance), allowance: amountOf(allowance) }
  })
}

type Answer = { result: BaseUnits } | { result?: undefined; error: Error }

/** viem reports the failure of a node like that of each contract; only the latter counts as 0. */
function amountOf(answer: Answer): BaseUnits {
  if (answer.result !== undefined) return answer.result
  const { error } = answer
  if (error instanceof BaseError && (isRevert(error) || isUndecodable(error))) return 0n
  throw error
}

function isUndecodable(error: BaseError): boolean {
  return Boolean(error.walk((cause) => cause instanceof AbiDecodingDataSizeTooSmallError))
}
