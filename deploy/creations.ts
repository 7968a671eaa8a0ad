import { type Address, type Hex, size } from 'viem'
import { CONTRACTS, creationCodes } from '../contracts/protocol.ts'
import { runtimeCodes } from '../contracts/runtime-code.ts'
import type { Context, Step } from './context.ts'
import { DeployError } from './errors.ts'
import { type Node, readCode } from './node.ts'

/** A transaction that creates a contract (EIP-2028 and EIP-3860 add to it). */
const CREATION_GAS = 53_000n
/** For each byte of runtime code. */
const DEPOSIT_GAS = 200n

/** The creation of each contract. It is done when the address has exactly the code that it must have, immutables included. */
export function creationSteps({
  node,
  protocol,
  journal,
}: Pick<Context, 'node' | 'protocol' | 'journal'>): Step[] {
  const codes = creationCodes(protocol, journal.roles)
  const runtimes = runtimeCodes(protocol, journal.chainId)
  return CONTRACTS.map((name, index) => ({
    name,
    nonce: journal.firstNonce + index,
    data: codes[name],
    leastGas: CREATION_GAS + DEPOSIT_GAS * BigInt(size(runtimes[name])),
    isDone: (block) => hasCode(node, { name, address: protocol[name], code: runtimes[name] }, block),
  }))
}

type Expected = { name: string; address: Address; code: Hex }

/** @throws DeployError `CODE_DIFFERS` if the address has other code */
async function hasCode(node: Node, { name, address, code }: Expected, block: number): Promise<boolean> {
  const found = await readCode(node, address, block)
  if (found === code) return true
  if (found === '0x') return false
  throw new DeployError(
    'CODE_DIFFERS',
    `${name} at ${address} has other code at block ${block} than this version of the protocol: ${size(found)} bytes, expected ${size(code)}, or other immutables`,
  )
}
