/** The protocol on a chain of one's own, with demo tokens and named parties. */
import { type Abi, type Address, createWalletClient, type Hex, http, keccak256, numberToHex } from 'viem'
import { foundry } from 'viem/chains'
import { demoTokenAbi } from '../../abis/DemoToken.ts'
import { resetApprovalTokenAbi } from '../../abis/ResetApprovalToken.ts'
import { smartWalletAbi } from '../../abis/SmartWallet.ts'
import { demoTokenBytecode } from '../../contracts/artifacts/DemoToken.ts'
import { resetApprovalTokenBytecode } from '../../contracts/artifacts/ResetApprovalToken.ts'
import { smartWalletBytecode } from '../../contracts/artifacts/SmartWallet.ts'
import { deployed, deployProtocol } from '../../contracts/deploy.ts'
import { allRolesOf, type Protocol } from '../../contracts/protocol.ts'
import { type ChainClient, startAnvil } from './anvil.ts'
import { type Parties, type Party, wellKnownParties } from './parties.ts'
import { setIssuerActive, setTokenListed } from './scenario/administration.ts'

/** Seconds between the two steps of a change of the administrator. */
export const ADMIN_DELAY = 60

/** `issuer` and `otherIssuer` are active issuers and both tokens listed from the start; there is no vault yet. */
export type World = {
  chain: ChainClient
  rpcUrl: string
  chainId: number
  /** Block of the first deployment. */
  startBlock: bigint
  protocol: Protocol
  /** 6 decimals. */
  usd: Address
  /** 6 decimals; refuses to change an allowance that is not zero. */
  eur: Address
  parties: Parties
  /** The hash of a document that no claim has yet. */
  newDocument: () => Hex
}

/** Starts an anvil of one's own (`stop` ends it) and makes a world on it. */
export async function startWorld(
  options: Parameters<typeof startAnvil>[0] = {},
): Promise<World & { stop: () => Promise<void> }> {
  const anvil = await startAnvil(options)
  try {
    return { ...(await createWorld(anvil.client, anvil.rpcUrl)), stop: anvil.stop }
  } catch (error) {
    await anvil.stop()
    throw error
  }
}

/** Deploys the protocol and two tokens on a local chain as its first account, the admin. */
export async function createWorld(chain: ChainClient, rpcUrl: string): Promise<World> {
  const parties = wellKnownParties()
  const deployer = deployerClient(rpcUrl, parties.admin)
  const { startBlock, ...protocol } = await deployProtocol(
    deployer,
    allRolesOf(parties.admin.address, ADMIN_DELAY),
  )
  const deploy = async (abi: Abi, bytecode: Hex, args: readonly unknown[]): Promise<Address> =>
    (await deployed(deployer, deployer.deployContract({ abi, bytecode, args }))).address
  const usd = await deploy(demoTokenAbi, demoTokenBytecode, ['Demo Dollar', 'dUSD', 6])
  const eur = await deploy(resetApprovalTokenAbi, resetApprovalTokenBytecode, ['Demo Euro', 'dEUR', 6])
  let documents = 0n
  const newDocument = () => keccak256(numberToHex(++documents))
  const world = { chain, rpcUrl, chainId: foundry.id, startBlock, protocol, usd, eur, parties, newDocument }
  for (const token of [usd, eur]) await setTokenListed(world, { token, listed: true })
  await setIssuerActive(world, { issuer: parties.issuer.address, active: true })
  await setIssuerActive(world, { issuer: parties.otherIssuer.address, active: true })
  return world
}

/** A contract wallet (ERC-1271) whose only key is `owner`'s. */
export async function createSmartWallet(world: World, owner: Party): Promise<Party> {
  const address = await deployForTest(world, smartWalletAbi, smartWalletBytecode, [owner.address])
  return { kind: 'SMART_WALLET', address, key: owner.key }
}

/** Deploys any contract as the admin. @returns its lowercase address */
export async function deployForTest(
  world: World,
  abi: Abi,
  bytecode: Hex,
  args: readonly unknown[],
): Promise<Address> {
  const deployer = deployerClient(world.rpcUrl, world.parties.admin)
  return (await deployed(deployer, deployer.deployContract({ abi, bytecode, args }))).address
}

function deployerClient(rpcUrl: string, admin: Party) {
  return createWalletClient({ account: admin.key, chain: foundry, transport: http(rpcUrl) })
}
