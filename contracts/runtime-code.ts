/** The code that each contract has on a chain: its compiled runtime code with the values of its immutables. */
import { type Address, domainSeparator, type Hex, keccak256, numberToHex, pad, size, stringToHex } from 'viem'
import { claimRegistryImmutables, claimRegistryRuntime } from './artifacts/ClaimRegistry.ts'
import { financingRouterImmutables, financingRouterRuntime } from './artifacts/FinancingRouter.ts'
import { issuerRegistryImmutables, issuerRegistryRuntime } from './artifacts/IssuerRegistry.ts'
import { tokenRegistryImmutables, tokenRegistryRuntime } from './artifacts/TokenRegistry.ts'
import { vaultDeployerImmutables, vaultDeployerRuntime } from './artifacts/VaultDeployer.ts'
import { vaultRegistryImmutables, vaultRegistryRuntime } from './artifacts/VaultRegistry.ts'
import { type ContractName, type Protocol, vaultDeployerOf } from './protocol.ts'

/** @returns the runtime code of each contract of `protocol` on a chain, immutables included */
export function runtimeCodes(protocol: Protocol, chainId: number): Record<ContractName, Hex> {
  const { issuerRegistry, tokenRegistry, claimRegistry, vaultRegistry, financingRouter } = protocol
  return {
    issuerRegistry: withImmutables(issuerRegistryRuntime, issuerRegistryImmutables, {}),
    tokenRegistry: withImmutables(tokenRegistryRuntime, tokenRegistryImmutables, {}),
    claimRegistry: withImmutables(claimRegistryRuntime, claimRegistryImmutables, {
      issuers: pad(issuerRegistry),
      tokens: pad(tokenRegistry),
      router: pad(financingRouter),
      ...domainWords('ClaimRegistry', claimRegistry, chainId),
    }),
    vaultRegistry: withImmutables(vaultRegistryRuntime, vaultRegistryImmutables, {
      claims: pad(claimRegistry),
      router: pad(financingRouter),
      deployer: pad(vaultDeployerOf(vaultRegistry)),
    }),
    financingRouter: withImmutables(financingRouterRuntime, financingRouterImmutables, {
      issuers: pad(issuerRegistry),
      claims: pad(claimRegistry),
      vaults: pad(vaultRegistry),
      ...domainWords('FinancingRouter', financingRouter, chainId),
    }),
  }
}

/** @returns the runtime code of the contract that creates the vaults of a registry */
export function vaultDeployerCode(vaultRegistry: Address): Hex {
  return withImmutables(vaultDeployerRuntime, vaultDeployerImmutables, { registry: pad(vaultRegistry) })
}

/** The immutables of OpenZeppelin's EIP712 for a domain of version 1. */
function domainWords(name: string, verifyingContract: Address, chainId: number) {
  const version = '1'
  return {
    _cachedDomainSeparator: domainSeparator({ domain: { name, version, chainId, verifyingContract } }),
    _cachedChainId: numberToHex(chainId, { size: 32 }),
    _cachedThis: pad(verifyingContract),
    _hashedName: keccak256(stringToHex(name)),
    _hashedVersion: keccak256(stringToHex(version)),
    _name: shortString(name),
    _version: shortString(version),
  }
}

/** OpenZeppelin's ShortString: at most 31 bytes from the left, and their number in the last byte. */
function shortString(text: string): Hex {
  const bytes = stringToHex(text)
  return `${pad(bytes, { dir: 'right', size: 31 })}${numberToHex(size(bytes), { size: 1 }).slice(2)}`
}

/** Writes the value of each immutable, a word, at each of its offsets. */
function withImmutables<Name extends string>(
  runtime: Hex,
  offsets: Readonly<Record<Name, readonly number[]>>,
  values: Readonly<Record<NoInfer<Name>, Hex>>,
): Hex {
  const code = Buffer.from(runtime.slice(2), 'hex')
  for (const name in offsets) {
    for (const offset of offsets[name]) code.write(values[name].slice(2), offset, 'hex')
  }
  return `0x${code.toString('hex')}`
}
