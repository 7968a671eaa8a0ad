/** A token whose getters answer whatever bytes it is given. */
import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  padHex,
  stringToHex,
  toFunctionSelector,
  toHex,
} from 'viem'
import { rawTokenAbi, rawTokenBytecode } from '../../contracts/testing/generated/RawToken.ts'
import { deployForTest, type World } from './protocol.ts'
import { send } from './transactions.ts'

export type Answers = { symbol?: Hex; name?: Hex; decimals?: Hex }

export async function deployRawToken(world: World, answers: Answers): Promise<Address> {
  const token = await deployForTest(world, rawTokenAbi, rawTokenBytecode, [])
  for (const [getter, answer] of Object.entries({ decimals: word(6n), ...answers })) {
    const args = [toFunctionSelector(`${getter}()`), answer] as const
    const data = encodeFunctionData({ abi: rawTokenAbi, functionName: 'setAnswer', args })
    await send(world.chain, world.parties.admin, { to: token, data })
  }
  return token
}

export const word = (value: bigint): Hex => toHex(value, { size: 32 })
export const text = (value: string): Hex => encodeAbiParameters([{ type: 'string' }], [value])
export const bytes32 = (value: string): Hex => padHex(stringToHex(value), { size: 32, dir: 'right' })
/** Bytes that are no text, as the answer of a getter. */
export const bytes = (value: Hex): Hex => encodeAbiParameters([{ type: 'bytes' }], [value])
