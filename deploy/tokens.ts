/** The tokens that claims may be in: read before they are listed, listed, and read back for the manifest. */
import { type Address, encodeFunctionData, erc20Abi } from 'viem'
import { readContract as read } from 'viem/actions'
import { tokenRegistryAbi } from '../abis/TokenRegistry.ts'
import type { TokenInfo } from '../deployments/manifest.ts'
import type { Context, Step, TokenChoice } from './context.ts'
import { DeployError } from './errors.ts'
import { type Node, readCode, readContract } from './node.ts'

/** As the registry requires. */
const DECIMALS_MAX = 36

/** More than the first listing of a token with long texts uses. */
export const LISTING_GAS = 400_000n
const LEAST_LISTING_GAS = 21_000n

/** @throws DeployError `TOKEN_UNREADABLE` unless the registry could list the token */
export async function requireListable(node: Node, address: Address, block: number): Promise<void> {
  const fault = (reason: string) => new DeployError('TOKEN_UNREADABLE', `token ${address} ${reason}`)
  if ((await readCode(node, address, block)) === '0x') throw fault('has no contract on this chain')
  const decimals = await readContract(node, `decimals of ${address}`, (client) =>
    read(client, { address, abi: erc20Abi, functionName: 'decimals', blockNumber: BigInt(block) }),
  ).catch((error: unknown) => {
    if (error instanceof DeployError && error.code === 'NODE_UNAVAILABLE') throw error
    throw fault('does not answer decimals()')
  })
  if (decimals > DECIMALS_MAX) throw fault(`has ${decimals} decimals; the maximum is ${DECIMALS_MAX}`)
}

export function isListed(
  { node, protocol }: Pick<Context, 'node' | 'protocol'>,
  token: Address,
  block: number,
): Promise<boolean> {
  const blockNumber = BigInt(block)
  const address = protocol.tokenRegistry
  return readContract(node, 'isListed', (client) =>
    read(client, { address, abi: tokenRegistryAbi, functionName: 'isListed', args: [token], blockNumber }),
  )
}

/** Reads what the registry stored when the token was first listed. */
export async function listedToken(
  context: Context,
  { address: token, resetsApproval }: TokenChoice,
  block: number,
): Promise<TokenInfo> {
  const address = context.protocol.tokenRegistry
  const blockNumber = BigInt(block)
  const { name, symbol, decimals } = await readContract(context.node, 'metadata', (client) =>
    read(client, { address, abi: tokenRegistryAbi, functionName: 'metadata', args: [token], blockNumber }),
  )
  return { address: token, name, symbol, decimals, resetsApproval }
}

/**
 * The listing of each token, in the order of their nonces: one is not mined before those below it. An earlier attempt
 * keeps its nonce while that can still be used.
 */
export function listingSteps(
  context: Context,
  tokens: readonly Address[],
  nonces: { used: number; next: number },
): Step[] {
  const kept = tokens.map((token) => {
    const nonce = context.journal.sent[nameOf(token)]?.nonce
    return nonce !== undefined && nonce >= nonces.used ? nonce : undefined
  })
  let next = Math.max(nonces.next, ...kept.map((nonce) => (nonce ?? -1) + 1))
  return tokens
    .map((token, index) => listingStep(context, token, kept[index] ?? next++))
    .toSorted((a, b) => a.nonce - b.nonce)
}

function listingStep(context: Context, token: Address, nonce: number): Step {
  return {
    name: nameOf(token),
    nonce,
    to: context.protocol.tokenRegistry,
    data: encodeFunctionData({ abi: tokenRegistryAbi, functionName: 'setListed', args: [token, true] }),
    leastGas: LEAST_LISTING_GAS,
    isDone: (block) => isListed(context, token, block),
  }
}

const nameOf = (token: Address) => `token ${token}`
