/** Permits (EIP-2612) as their owner signs them. */
import { type Address, type Hex, parseSignature } from 'viem'
import { permitTokenAbi } from '../../abis/PermitToken.ts'
import { type PermitMessage, toPermit } from '../../api/typed-data/permit.ts'
import { permitTokenBytecode } from '../../contracts/artifacts/PermitToken.ts'
import type { Party } from './parties.ts'
import { deployForTest, type World } from './protocol.ts'
import { setTokenListed } from './scenario/administration.ts'

const NAME = 'Permit Dollar'

/** A listed token of 6 decimals whose holders can sign an allowance. */
export async function createPermitToken(world: World): Promise<Address> {
  const token = await deployForTest(world, permitTokenAbi, permitTokenBytecode, [NAME, 'pUSD', 6])
  await setTokenListed(world, { token, listed: true })
  return token
}

type Permit = Pick<PermitMessage, 'spender' | 'value' | 'deadline'> & { token: Address; name?: string }
export type SignedPermit = { deadline: bigint; v: number; r: Hex; s: Hex }

/** Has the owner sign a permit with its next nonce in the token. */
export async function signPermit(
  world: World,
  owner: Party,
  { token, name = NAME, ...message }: Permit,
): Promise<SignedPermit> {
  const read = { address: token, abi: permitTokenAbi, functionName: 'nonces' } as const
  const nonce = await world.chain.readContract({ ...read, args: [owner.address] })
  const domain = { name, version: '1', chainId: world.chainId, verifyingContract: token }
  const signature = await owner.key.signTypedData(
    toPermit(domain, { ...message, owner: owner.address, nonce }),
  )
  const { r, s, yParity } = parseSignature(signature)
  return { deadline: message.deadline, v: 27 + yParity, r, s }
}
