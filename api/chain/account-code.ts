import type { Address, Hex } from 'viem'
import type { Chain } from './client.ts'
import { readChain } from './read-chain.ts'

/**
 * Whether an account has code at the latest block, its own or a delegate's (EIP-7702).
 * @throws CodedError `CHAIN_UNAVAILABLE`
 */
export async function hasCode(chain: Chain, address: Address): Promise<boolean> {
  return (await readCode(chain, address)) !== '0x'
}

/** Code of an account with a key that has delegated to a contract (EIP-7702). */
const DELEGATION = '0xef0100'

/**
 * Whether an account is a contract, without a key of its own, at the latest block.
 * @throws CodedError `CHAIN_UNAVAILABLE`
 */
export async function hasContractCode(chain: Chain, address: Address): Promise<boolean> {
  const code = await readCode(chain, address)
  return code !== '0x' && !code.startsWith(DELEGATION)
}

async function readCode(chain: Chain, address: Address): Promise<Hex> {
  const code = await readChain(`the code of ${address}`, () => chain.getCode({ address, blockTag: 'latest' }))
  return code ?? '0x'
}
