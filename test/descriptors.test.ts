/** The descriptors for wallets with clear signing (ERC-7730) are well-formed, complete, and use the right names. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type AbiParameter,
  getAbiItem,
  getAddress,
  parseAbiItem,
  toEventSignature,
  toFunctionSelector,
} from 'viem'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { claimRegistryAbi } from '../abis/ClaimRegistry.ts'
import { financingRouterAbi } from '../abis/FinancingRouter.ts'
import { financingVaultAbi } from '../abis/FinancingVault.ts'
import { vaultRegistryAbi } from '../abis/VaultRegistry.ts'
import { claimAttestationTypes } from '../api/typed-data/claim-attestation.ts'
import { executionRouteTypes } from '../api/typed-data/execution-route.ts'
import { loadManifest } from '../deployments/manifest.ts'

const folder = join(import.meta.dirname, '../descriptors')

/** The part of version 2 of the standard's schema that our descriptors use, as strict as the schema is. */
const label = z.string().min(1)
const path = z.string().regex(/^[A-Za-z]\w*(\.([A-Za-z]\w*|\[\]))*$/)
/** A path from the root (`#`), or the contract that is called. */
const tokenPath = z.union([path, z.string().regex(/^#\.[A-Za-z]\w*(\.[A-Za-z]\w*)*$/), z.literal('@.to')])
const plain = z.strictObject({
  path,
  label,
  format: z.literal('raw'),
  visible: z.enum(['always', 'never', 'optional']).optional(),
})
const addressName = z.strictObject({
  path: z.union([path, z.literal('@.from'), z.literal('@.to')]),
  label,
  format: z.literal('addressName'),
  params: z.strictObject({ types: z.array(z.enum(['wallet', 'eoa', 'contract', 'token', 'collection'])) }),
})
const tokenAmount = z.strictObject({
  path,
  label,
  format: z.literal('tokenAmount'),
  params: z.strictObject({ tokenPath }),
})
const date = z.strictObject({
  path,
  label,
  format: z.literal('date'),
  params: z.strictObject({ encoding: z.enum(['timestamp', 'blockheight']) }),
})
const field = z.discriminatedUnion('format', [plain, addressName, tokenAmount, date])
const group = z.strictObject({
  path,
  label,
  // `sequential` would show all claims, then all vaults, then all amounts.
  iteration: z.literal('bundled'),
  fields: z.array(field).min(1),
})
const display = z.strictObject({
  intent: z.string().max(30),
  interpolatedIntent: z.string().optional(),
  fields: z.array(z.union([field, group])).min(1),
})
const deployments = z
  .array(
    z.strictObject({ chainId: z.int(), address: z.string().refine((text) => getAddress(text) === text) }),
  )
  .min(1)
const descriptor = z.strictObject({
  $schema: z.url(),
  $comment: z.string(),
  context: z.union([
    z.strictObject({ contract: z.strictObject({ deployments }) }),
    z.strictObject({
      contract: z.strictObject({ factory: z.strictObject({ deployments, deployEvent: z.string() }) }),
    }),
    z.strictObject({ eip712: z.strictObject({ deployments }) }),
  ]),
  metadata: z.strictObject({ owner: z.string(), contractName: z.string() }),
  display: z.strictObject({ formats: z.record(z.string(), display) }),
})

type Descriptor = z.output<typeof descriptor>
type Display = z.output<typeof display>
type Shown = z.output<typeof field>

const files = readdirSync(folder)
const read = (name: string): Descriptor =>
  descriptor.parse(JSON.parse(readFileSync(join(folder, name), 'utf8')))

/** Every path of a display with its groups unfolded. */
function paths({ fields }: Display): string[] {
  return fields.flatMap((entry) =>
    'fields' in entry ? entry.fields.map((inner) => `${entry.path}.${inner.path}`) : [entry.path],
  )
}

/** Every value that parameters hold, as a path. */
function valuesOf(parameters: readonly AbiParameter[], at = ''): string[] {
  return parameters.flatMap((parameter) => {
    const here = `${at}${parameter.name}${parameter.type.endsWith('[]') ? '.[]' : ''}`
    return 'components' in parameter ? valuesOf(parameter.components, `${here}.`) : [here]
  })
}

type Structs = Record<string, readonly { name: string; type: string }[]>

function valuesOfStruct(types: Structs, name: string, at = ''): string[] {
  return (types[name] ?? []).flatMap((entry) => {
    const inner = entry.type.replace('[]', '')
    const here = `${at}${entry.name}${entry.type.endsWith('[]') ? '.[]' : ''}`
    return types[inner] ? valuesOfStruct(types, inner, `${here}.`) : [here]
  })
}

const isAmount = (path: string) => /(Amount|Advance|Face|faceValue|[aA]ssets|[sS]hares)$/.test(path)

function isTokenAmount({ fields }: Display, index: number): boolean {
  const shown = fields.flatMap((entry) => ('fields' in entry ? entry.fields : [entry]))[index]
  return shown?.format === 'tokenAmount'
}

function deploymentsOf({ context }: Descriptor) {
  const at = 'contract' in context ? context.contract : context.eip712
  const { deployments, deployEvent } = 'factory' in at ? at.factory : { ...at, deployEvent: undefined }
  return {
    deployEvent,
    deployed: deployments.map(({ chainId, address }) => [chainId, address.toLowerCase()]),
  }
}

const SENDER = '@.from'
/** The called contract, a vault, which is the token of its shares. */
const VAULT = '@.to'

/**
 * The token of every amount, as a path from the root. Within a group, a path without `#` starts at the entry of the
 * list.
 */
function tokensOf({ fields }: Display): string[] {
  const tokens = (field: Shown) => (field.format === 'tokenAmount' ? [field.params.tokenPath] : [])
  return fields.flatMap((entry) => {
    if (!('fields' in entry)) return tokens(entry)
    return entry.fields
      .flatMap(tokens)
      .map((at) => (at.startsWith('#.') ? at.slice(2) : `${entry.path}.${at}`))
  })
}

describe('the clear-signing descriptors', () => {
  it.each(files)('%s has the shape that the standard gives it', (name) => {
    expect(() => read(name)).not.toThrow()
  })

  it('cover every call that is prepared, under the signature that has its selector, and show or hide every value of it', () => {
    const calls = files.filter((name) => name.startsWith('calldata-')).map(read)
    const covered = calls.flatMap(({ display: { formats } }) => Object.entries(formats))
    const abi = [...claimRegistryAbi, ...financingRouterAbi, ...financingVaultAbi]
    expect(covered.map(([key]) => key.split('(')[0])).toEqual([
      'register',
      'cancelAttestation',
      'revoke',
      'executeRoute',
      'executeFinancing',
      'settle',
      'pay',
      'cancelRoutes',
      'withdrawCredit',
      ...[
        'deposit',
        'deposit',
        'depositWithPermit',
        'mint',
        'mint',
        'withdraw',
        'withdraw',
        'redeem',
        'redeem',
      ],
      'submitTerms',
      'acceptTerms',
      'revokeTerms',
    ])
    for (const [key, shown] of covered) {
      const item = parseAbiItem(`function ${key}`)
      if (item.type !== 'function') throw new Error(`${key} is no function`)
      const selectors = abi.flatMap((entry) => (entry.type === 'function' ? [toFunctionSelector(entry)] : []))
      expect(selectors).toContain(toFunctionSelector(item))
      const ofArguments = paths(shown).filter((at) => at !== SENDER && at !== VAULT)
      expect(ofArguments.sort()).toEqual(valuesOf(item.inputs).sort())
    }
  })

  it('cover both typed data, and show or hide every value of them', () => {
    const attestation = Object.values(read('eip712-ClaimRegistry.json').display.formats)
    const route = Object.values(read('eip712-FinancingRouter.json').display.formats)
    expect(attestation.map((shown) => paths(shown).sort())).toEqual([
      valuesOfStruct(claimAttestationTypes, 'ClaimAttestation').sort(),
    ])
    expect(route.map((shown) => paths(shown).sort())).toEqual([
      valuesOfStruct(executionRouteTypes, 'ExecutionRoute').sort(),
    ])
  })

  it('hide nothing that decides what is paid: only nonces and signatures', () => {
    const hidden = files.flatMap((name) =>
      Object.values(read(name).display.formats).flatMap(({ fields }) =>
        fields.flatMap((entry) => ('visible' in entry && entry.visible === 'never' ? [entry.path] : [])),
      ),
    )
    expect(new Set(hidden)).toEqual(new Set(['signature', 'v', 'r', 's', 'route.nonce', 'nonce']))
  })

  it('name in their sentences and token paths only what is there', () => {
    for (const name of files) {
      for (const shown of Object.values(read(name).display.formats)) {
        const known = paths(shown)
        const named = [...(shown.interpolatedIntent ?? '').matchAll(/\{([^}]+)\}/g)].map(
          ([, inside]) => inside,
        )
        expect(known).toEqual(expect.arrayContaining(named))
        for (const token of tokensOf(shown)) expect([...known, VAULT]).toContain(token)
      }
    }
  })

  it('show every amount of a route and of a settlement in its token', () => {
    const formats = files.flatMap((name) => Object.entries(read(name).display.formats))
    const inBaseUnits = formats.flatMap(([key, shown]) =>
      paths(shown).flatMap((at, index) =>
        isAmount(at) && !isTokenAmount(shown, index) ? [`${key}: ${at}`] : [],
      ),
    )
    // These calls name no token.
    expect(inBaseUnits.map((entry) => entry.replace(/\(.*: /, ' '))).toEqual([
      'executeFinancing faceAmount',
      'executeFinancing minimumAdvanceAmount',
      'deposit assets',
      'deposit assets',
      'depositWithPermit assets',
      'mint maxAssets',
      'withdraw assets',
      'withdraw assets',
      'redeem minAssets',
      'submitTerms nextMandate.minFace',
      'submitTerms nextMandate.maxFace',
      'submitTerms nextMandate.maxClaimFace',
      'submitTerms nextMandate.maxIssuerFace',
    ])
  })

  it('are for the contracts of every chain with a manifest, and for the vaults that its registry creates', () => {
    const vaultRegistered = getAbiItem({ abi: vaultRegistryAbi, name: 'VaultRegistered' })
    const contractOf = {
      ClaimRegistry: 'claimRegistry',
      FinancingRouter: 'financingRouter',
      FinancingVault: 'vaultRegistry',
    } as const
    const chainIds = readdirSync(join(folder, '../deployments')).flatMap(
      (file) => /^(\d+)\.json$/.exec(file)?.[1] ?? [],
    )
    for (const name of files) {
      const contract = z
        .enum(['ClaimRegistry', 'FinancingRouter', 'FinancingVault'])
        .parse(/-(\w+)\.json$/.exec(name)?.[1])
      const { deployed, deployEvent } = deploymentsOf(read(name))
      expect(deployed).toEqual(
        chainIds
          .map(Number)
          .map((chainId) => [chainId, loadManifest(chainId).contracts[contractOf[contract]]]),
      )
      if (contract === 'FinancingVault') expect(deployEvent).toBe(toEventSignature(vaultRegistered))
    }
  })
})
