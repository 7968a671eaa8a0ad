import { encodeFunctionData } from 'viem'
import { puppetAbi, puppetBytecode } from '../../contracts/testing/generated/Puppet.ts'
import type { RpcBatch } from '../../devnet/rpc.ts'
import { OPERATOR } from '../../devnet/world/accounts.ts'
import type { Envelope } from '../../devnet/world/build-world.ts'
import { at } from '../../devnet/world/random.ts'
import type { Stage } from '../../devnet/world/transactions.ts'

/** Actions in one transaction. */
const ACTIONS = 25

/**
 * Puts several actions into one transaction, because anvil reads the receipts of a block in a time that grows with
 * their square. The accounts of the world get code that lets anyone call through them; their events are as without it.
 */
export async function openEnvelope({ accounts }: Stage, rpc: RpcBatch): Promise<Envelope> {
  // The creation code returns the code of the contract.
  const [puppet] = await rpc([['eth_call', [{ data: puppetBytecode }, 'latest']]])
  await rpc(accounts.map(({ address }) => ['anvil_setCode', [address, puppet]]))
  const { address: operator } = at(accounts, OPERATOR)
  return (planned) =>
    Array.from({ length: Math.ceil(planned.length / ACTIONS) }, (_, index) => {
      const inside = planned.slice(index * ACTIONS, (index + 1) * ACTIONS)
      const calls = inside.map(({ from, to, data }) => ({ account: from, target: to, data }))
      return {
        from: operator,
        to: operator,
        data: encodeFunctionData({ abi: puppetAbi, functionName: 'play', args: [calls] }),
        gas: inside.reduce((sum, { gas }) => sum + gas, 0n),
      }
    })
}
