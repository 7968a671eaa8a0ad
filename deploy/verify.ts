/** Compares a complete deployment with what it must be, at one block. */
import { type Address, type Client, keccak256, toHex, zeroAddress } from 'viem'
import { readContract as read } from 'viem/actions'
import { claimRegistryAbi } from '../abis/ClaimRegistry.ts'
import { financingRouterAbi } from '../abis/FinancingRouter.ts'
import { issuerRegistryAbi } from '../abis/IssuerRegistry.ts'
import { vaultRegistryAbi } from '../abis/VaultRegistry.ts'
import type { Manifest } from '../deployments/manifest.ts'
import type { Context } from './context.ts'
import { creationSteps, hasVaultDeployer } from './creations.ts'
import { DeployError } from './errors.ts'
import { readContract } from './node.ts'

type Check = { what: string; expected: string; find: (client: Client) => Promise<string> }

/**
 * Code with immutables, references between contracts, administrator, delay and roles.
 * @throws DeployError `NO_EFFECT`, `CODE_DIFFERS`, `WIRING_DIFFERS`
 */
export async function verifyDeployment(context: Context, block: number): Promise<void> {
  const vaultDeployer = { name: 'vaultDeployer', isDone: (at: number) => hasVaultDeployer(context, at) }
  for (const { name, isDone } of [...creationSteps(context), vaultDeployer]) {
    if (!(await isDone(block))) {
      throw new DeployError('NO_EFFECT', `${name} has no code at block ${block}. Compare with another node.`)
    }
  }
  const faults: string[] = []
  for (const { what, expected, find } of [...references(context, block), ...administration(context, block)]) {
    const found = (await readContract(context.node, what, find)).toLowerCase()
    if (found !== expected) faults.push(`${what} is ${found}, expected ${expected}`)
  }
  if (faults.length > 0) throw new DeployError('WIRING_DIFFERS', `at block ${block}: ${faults.join('; ')}`)
}

/** The type hashes of the manifest, as the contracts answer them. */
export async function readTypeHashes(
  { node, protocol }: Context,
  block: number,
): Promise<Manifest['typeHashes']> {
  const blockNumber = BigInt(block)
  const claims = { abi: claimRegistryAbi, address: protocol.claimRegistry, blockNumber }
  const router = { abi: financingRouterAbi, address: protocol.financingRouter, blockNumber }
  return {
    claimAttestation: await readContract(node, 'CLAIM_ATTESTATION_TYPEHASH', (client) =>
      read(client, { ...claims, functionName: 'CLAIM_ATTESTATION_TYPEHASH' }),
    ),
    executionRoute: await readContract(node, 'EXECUTION_ROUTE_TYPEHASH', (client) =>
      read(client, { ...router, functionName: 'EXECUTION_ROUTE_TYPEHASH' }),
    ),
  }
}

function references({ protocol }: Context, block: number): Check[] {
  const { issuerRegistry, tokenRegistry, claimRegistry, vaultRegistry, financingRouter } = protocol
  const blockNumber = BigInt(block)
  const ofClaims = (functionName: 'issuers' | 'tokens' | 'router', expected: Address): Check => ({
    what: `claimRegistry.${functionName}()`,
    expected,
    find: (client) =>
      read(client, { abi: claimRegistryAbi, address: claimRegistry, functionName, blockNumber }),
  })
  const ofVaults = (functionName: 'claims' | 'router', expected: Address): Check => ({
    what: `vaultRegistry.${functionName}()`,
    expected,
    find: (client) =>
      read(client, { abi: vaultRegistryAbi, address: vaultRegistry, functionName, blockNumber }),
  })
  const ofRouter = (functionName: 'issuers' | 'claims' | 'vaults', expected: Address): Check => ({
    what: `financingRouter.${functionName}()`,
    expected,
    find: (client) =>
      read(client, { abi: financingRouterAbi, address: financingRouter, functionName, blockNumber }),
  })
  return [
    ofClaims('issuers', issuerRegistry),
    ofClaims('tokens', tokenRegistry),
    ofClaims('router', financingRouter),
    ofVaults('claims', claimRegistry),
    ofVaults('router', financingRouter),
    ofRouter('issuers', issuerRegistry),
    ofRouter('claims', claimRegistry),
    ofRouter('vaults', vaultRegistry),
  ]
}

/** The four contracts with an administrator have the same functions for it. */
const administrationAbi = issuerRegistryAbi

function administration({ protocol, journal }: Context, block: number): Check[] {
  const { admin, adminDelay, issuerManager, tokenManager, vaultManager, pauser } = journal.roles
  const managed = [
    ['issuerRegistry', 'ISSUER_MANAGER_ROLE', issuerManager],
    ['tokenRegistry', 'TOKEN_MANAGER_ROLE', tokenManager],
    ['vaultRegistry', 'VAULT_MANAGER_ROLE', vaultManager],
    ['financingRouter', 'PAUSER_ROLE', pauser],
  ] as const
  return managed.flatMap(([name, role, manager]) => {
    const at = { abi: administrationAbi, address: protocol[name], blockNumber: BigInt(block) }
    const hasRole = (account: Address): Check => ({
      what: `${name}.hasRole(${role}, ${account})`,
      expected: String(account === manager),
      find: async (client) =>
        String(
          await read(client, { ...at, functionName: 'hasRole', args: [keccak256(toHex(role)), account] }),
        ),
    })
    return [
      {
        what: `${name}.defaultAdmin()`,
        expected: admin,
        find: (client: Client) => read(client, { ...at, functionName: 'defaultAdmin' }),
      },
      {
        what: `${name}.pendingDefaultAdmin()`,
        expected: zeroAddress,
        find: async (client: Client) =>
          (await read(client, { ...at, functionName: 'pendingDefaultAdmin' }))[0],
      },
      {
        what: `${name}.defaultAdminDelay()`,
        expected: String(adminDelay),
        find: async (client: Client) =>
          String(await read(client, { ...at, functionName: 'defaultAdminDelay' })),
      },
      hasRole(manager),
      ...(manager === journal.deployer ? [] : [hasRole(journal.deployer)]),
    ]
  })
}
