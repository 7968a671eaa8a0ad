import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  keccak256,
  numberToHex,
  type TransactionReceipt,
} from 'viem'
import { demoTokenAbi } from '../../../abis/DemoToken.ts'
import type { Party } from '../parties.ts'
import type { World } from '../protocol.ts'
import { send } from '../transactions.ts'

/** Amounts in base units of `token`. */
export async function mint(
  world: World,
  { token, to, amount }: { token: Address; to: Address; amount: bigint },
): Promise<TransactionReceipt> {
  const data = encodeFunctionData({ abi: demoTokenAbi, functionName: 'mint', args: [to, amount] })
  return send(world.chain, world.parties.admin, { to: token, data })
}

export async function approve(
  world: World,
  { owner, token, spender, amount }: { owner: Party; token: Address; spender: Address; amount: bigint },
): Promise<TransactionReceipt> {
  const data = encodeFunctionData({ abi: demoTokenAbi, functionName: 'approve', args: [spender, amount] })
  return send(world.chain, owner, { to: token, data })
}

/** Moves tokens without a call of the receiver, as a donation to a vault does. */
export async function transfer(
  world: World,
  { from, token, to, amount }: { from: Party; token: Address; to: Address; amount: bigint },
): Promise<TransactionReceipt> {
  const data = encodeFunctionData({ abi: demoTokenAbi, functionName: 'transfer', args: [to, amount] })
  return send(world.chain, from, { to: token, data })
}

export function balanceOf(world: World, token: Address, owner: Address): Promise<bigint> {
  return world.chain.readContract({
    abi: demoTokenAbi,
    address: token,
    functionName: 'balanceOf',
    args: [owner],
  })
}

/** Position of `isBlocked` in the storage of contracts/testing/BlockingToken.sol. */
const BLOCKED_SLOT = 5n

/**
 * Blocks an account in a BlockingToken, or unblocks it, by writing the token's storage: without a transaction, and so a
 * block.
 */
export async function setBlocked(
  world: World,
  { token, account, blocked }: { token: Address; account: Address; blocked: boolean },
): Promise<void> {
  const key = encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [account, BLOCKED_SLOT])
  const value = numberToHex(blocked ? 1 : 0, { size: 32 })
  await world.chain.setStorageAt({ address: token, index: keccak256(key), value })
}
