import { type Address, encodeFunctionData, type TransactionReceipt } from 'viem'
import { financingRouterAbi } from '../../../abis/FinancingRouter.ts'
import { issuerRegistryAbi } from '../../../abis/IssuerRegistry.ts'
import { tokenRegistryAbi } from '../../../abis/TokenRegistry.ts'
import { vaultRegistryAbi } from '../../../abis/VaultRegistry.ts'
import type { Party } from '../parties.ts'
import type { World } from '../protocol.ts'
import { send } from '../transactions.ts'

/** Every action here is the admin's; `as` tries it as someone else. */
type As = { as?: Party }

export async function setIssuerActive(
  world: World,
  { issuer, active, as = world.parties.admin }: { issuer: Address; active: boolean } & As,
): Promise<TransactionReceipt> {
  const data = encodeFunctionData({
    abi: issuerRegistryAbi,
    functionName: 'setActive',
    args: [issuer, active],
  })
  return send(world.chain, as, { to: world.protocol.issuerRegistry, data })
}

export async function setTokenListed(
  world: World,
  { token, listed, as = world.parties.admin }: { token: Address; listed: boolean } & As,
): Promise<TransactionReceipt> {
  const data = encodeFunctionData({ abi: tokenRegistryAbi, functionName: 'setListed', args: [token, listed] })
  return send(world.chain, as, { to: world.protocol.tokenRegistry, data })
}

export async function setVaultActive(
  world: World,
  { vault, active, as = world.parties.admin }: { vault: Address; active: boolean } & As,
): Promise<TransactionReceipt> {
  const data = encodeFunctionData({ abi: vaultRegistryAbi, functionName: 'setActive', args: [vault, active] })
  return send(world.chain, as, { to: world.protocol.vaultRegistry, data })
}

export async function pauseRouter(
  world: World,
  { as = world.parties.admin }: As = {},
): Promise<TransactionReceipt> {
  const data = encodeFunctionData({ abi: financingRouterAbi, functionName: 'pause' })
  return send(world.chain, as, { to: world.protocol.financingRouter, data })
}

export async function unpauseRouter(
  world: World,
  { as = world.parties.admin }: As = {},
): Promise<TransactionReceipt> {
  const data = encodeFunctionData({ abi: financingRouterAbi, functionName: 'unpause' })
  return send(world.chain, as, { to: world.protocol.financingRouter, data })
}
