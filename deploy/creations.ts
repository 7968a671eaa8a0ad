import { type Address, type Hex, size } from 'viem'
import { CONTRACTS, creationCodes, vaultDeployerOf } from '../contracts/protocol.ts'
import { runtimeCodes, vaultDeployerCode } from '../contracts/runtime-code.ts'
import type { Context, Step } from './context.ts'
import { DeployError } from './errors.ts'
import { type Node, readCode } from './node.ts'

/**
 * Gas of a transaction that creates a contract, of each byte of its data that is not zero or is, of each word of it,
 * and of each byte of runtime code.
 */
const CREATION_GAS = 53_000n
const DATA_GAS = { other: 16n, zero: 4n }
const INIT_WORD_GAS = 2n
const DEPOSIT_GAS = 200n

/**
 * The creation of each contract. It is done when the address has exactly the code that it must have, immutables
 * included.
 */
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
    leastGas: leastGas(codes[name], runtimes[name]),
    isDone: (block) => hasCode(node, { name, address: protocol[name], code: runtimes[name] }, block),
  }))
}

/**
 * Whether the contract that creates the vaults has its code.
 * @throws DeployError `CODE_DIFFERS` if it has other code
 */
export function hasVaultDeployer({ node, protocol }: Pick<Context, 'node' | 'protocol'>, block: number) {
  const address = vaultDeployerOf(protocol.vaultRegistry)
  return hasCode(
    node,
    { name: 'vaultDeployer', address, code: vaultDeployerCode(protocol.vaultRegistry) },
    block,
  )
}

/**
 * Gas of a creation without its execution (EIP-2028, EIP-3860). No estimate may be lower: a creation that runs out of
 * gas wastes its fee.
 */
function leastGas(creation: Hex, runtime: Hex): bigint {
  const data = Buffer.from(creation.slice(2), 'hex')
  const zeros = BigInt(data.filter((byte) => byte === 0).length)
  const words = BigInt(Math.ceil(data.length / 32))
  const dataGas = DATA_GAS.zero * zeros + DATA_GAS.other * (BigInt(data.length) - zeros)
  return CREATION_GAS + dataGas + INIT_WORD_GAS * words + DEPOSIT_GAS * BigInt(size(runtime))
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
