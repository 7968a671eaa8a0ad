/** The parts of the contracts that the client computes prepared answers with, and the deployments that it ships. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { zeroAddress } from 'viem'
import { claimRegistryAbi } from '../abis/ClaimRegistry.ts'
import { financingRouterAbi } from '../abis/FinancingRouter.ts'
import { financingVaultAbi } from '../abis/FinancingVault.ts'
import { vaultRegistryAbi } from '../abis/VaultRegistry.ts'
import { EVERY_ERROR } from '../api/chain/revert.ts'
import { reverts } from '../api/error-catalogue/reverts.ts'
import { claimAttestationTypes, claimRegistryDomain } from '../api/typed-data/claim-attestation.ts'
import { executionRouteTypes, financingRouterDomain } from '../api/typed-data/execution-route.ts'
import { permitTypes } from '../api/typed-data/permit.ts'
import { toSignable } from '../api/typed-data/signable.ts'
import { loadManifest } from '../deployments/manifest.ts'

const FOLDER = join(import.meta.dirname, '../deployments')

type Entry = { readonly type: string; readonly name?: string; readonly inputs?: readonly unknown[] }

export function contractConstants(): string {
  const router = ['executeFinancing', 'settle', 'pay', 'withdrawCredit', 'cancelRoutes', 'vaults']
  const registry = ['register', 'cancelAttestation', 'revoke', 'claim']
  const vault = [
    ...['deposit', 'depositWithPermit', 'mint', 'withdraw', 'redeem'],
    ...['asset', 'balanceOf', 'maxRedeem', 'maxWithdraw', 'totalAssets', 'totalSupply'],
    ...['submitTerms', 'acceptTerms', 'revokeTerms', 'mandate', 'pricing', 'pendingTerms'],
    ...['previewDeposit', 'previewMint', 'previewWithdraw', 'previewRedeem'],
  ]
  return [
    constant('claimRegistryAbi', functionsOf(claimRegistryAbi, registry)),
    constant('financingRouterAbi', functionsOf(financingRouterAbi, router)),
    constant('vaultRegistryAbi', functionsOf(vaultRegistryAbi, ['isRegistered'])),
    constant('financingVaultAbi', functionsOf(financingVaultAbi, vault)),
    constant('executeRouteAbi', functionsOf(financingRouterAbi, ['executeRoute'])),
    constant('claimAttestation', {
      domain: contractOf(claimRegistryDomain(0, zeroAddress)),
      ...definitionOf('ClaimAttestation', claimAttestationTypes),
    }),
    constant('executionRoute', {
      domain: contractOf(financingRouterDomain(0, zeroAddress)),
      ...definitionOf('ExecutionRoute', executionRouteTypes),
    }),
    constant('permit', definitionOf('Permit', permitTypes)),
  ].join('\n')
}

/** The errors of the contracts, and what the error playbook says of them by name. */
export function revertConstants(): string {
  const errors = EVERY_ERROR.map(({ name, inputs }) => ({
    type: 'error',
    name,
    inputs: inputs.map((input) => ({ name: input.name, type: input.type })),
  }))
  const distinct = new Map(errors.map((error) => [JSON.stringify(error), error]))
  return [constant('contractErrors', [...distinct.values()]), constant('reverts', reverts)].join('\n')
}

/** By chain. */
export function deploymentConstants(): string {
  const chains = readdirSync(FOLDER).flatMap((file) => /^(\d+)\.json$/.exec(file)?.[1] ?? [])
  const entries = chains
    .toSorted((a, b) => Number(a) - Number(b))
    .map((chain) => {
      const { chainId, contracts, tokens } = loadManifest(Number(chain), FOLDER)
      const { claimRegistry, financingRouter } = contracts
      const shown = tokens.map(({ address, symbol, name, decimals }) => ({ address, symbol, name, decimals }))
      return [chain, { chainId, contracts: { claimRegistry, financingRouter }, tokens: shown }]
    })
  return constant('deployments', Object.fromEntries(entries))
}

/** The form with a bound where a function has two. */
function functionsOf(abi: readonly Entry[], names: readonly string[]): readonly Entry[] {
  return names.map((name) => {
    const forms = abi.filter((entry) => entry.type === 'function' && entry.name === name)
    const found = forms.toSorted((a, b) => (a.inputs?.length ?? 0) - (b.inputs?.length ?? 0)).at(-1)
    if (!found) throw new Error(`no contract has a function ${name}`)
    return found
  })
}

function contractOf({ name, version }: { name: string; version: string }) {
  return { name, version }
}

function definitionOf(primaryType: string, types: Parameters<typeof toSignable>[0]['types']) {
  const domain = claimRegistryDomain(0, zeroAddress)
  const signable = toSignable({ domain, types, primaryType, message: {} })
  return { types: signable.types, primaryType }
}

function constant(name: string, value: unknown): string {
  return `\nexport const ${name} = ${JSON.stringify(value, undefined, 2)} as const\n`
}
