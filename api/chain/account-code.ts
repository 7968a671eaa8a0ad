import type { Address } from 'viem'
import type { Chain } from './client.ts'
import { readChain } from './read-chain.ts'

/**
 * Whether an account has code at the latest block, its own or a delegate's (EIP-7702).
 * @throws CodedError `CHAIN_UNAVAILABLE`
 */
export async function hasCode(chain: Chain, address: Address): Promise<boolean> {
  const code = await readChain(`the code of ${address}`, () => chain.getCode({ address, blockTag: 'latest' }))
  return code !== undefined && code !== '0x'
}
