/** One picture from two sources: the model, and all views of the contracts. */
import type { Address, Hex } from 'viem'
import { claimRegistryAbi } from '../../abis/ClaimRegistry.ts'
import { demoTokenAbi } from '../../abis/DemoToken.ts'
import { financingRouterAbi } from '../../abis/FinancingRouter.ts'
import { financingVaultAbi } from '../../abis/FinancingVault.ts'
import { lowercase } from '../support/parties.ts'
import { balance, type Model, type ModelVault } from './model.ts'
import { maxDeposit, maxRedeem, maxWithdraw, sharesFor } from './model-capital.ts'
import type { ModelMandate, ModelPricing } from './model-quote.ts'
import { entryAssetsOf, totalAssetsOf } from './model-value.ts'
import type { Stage } from './stage.ts'

export function viewsOfModel(stage: Stage, model: Model) {
  return {
    claims: [...model.claims].map(([claimId, { allocations, ...claim }]) => ({
      claimId,
      ...claim,
      sliceCount: allocations.length,
      allocations,
    })),
    vaults: stage.vaults.map((address) => {
      const vault = model.vaults.get(address)
      if (!vault) throw new Error(`the model has no vault ${address}`)
      const { idleAssets, outstandingFace, outstandingAdvance, totalSupply } = vault
      const limits = stage.providers.map(({ address: owner }) => [
        maxWithdraw(model, owner, address),
        maxRedeem(model, owner, address),
      ])
      const fundableLiquidity = idleAssets
      const capital = {
        idleAssets,
        outstandingFace,
        outstandingAdvance,
        totalSupply,
        totalAssets: totalAssetsOf(vault, model.now),
        entryAssets: entryAssetsOf(vault, model.now),
        fundableLiquidity,
      }
      const most = maxDeposit(vault, model.now)
      const entry = [most, sharesFor(vault, most, model.now)]
      return { address, ...capital, entry, limits, terms: termsInModel(vault) }
    }),
    balances: [...stage.tokens, ...stage.vaults].map((token) =>
      stage.holders.map((holder) => balance(model, token, holder)),
    ),
    nonces: stage.users.map(({ address }) => model.nonces.get(address) ?? 0n),
    credits: creditable(stage).map(([account, token]) => model.credits.get(token)?.get(account) ?? 0n),
    paused: model.paused,
  }
}

/** Present terms, and those that are pending. */
function termsInModel({ mandate, pricing, pending }: ModelVault) {
  return [
    shownTerms(mandate, pricing),
    pending ? shownTerms(pending.mandate, pending.pricing, pending) : null,
  ]
}

function shownTerms(
  { types, ...bounds }: ModelMandate,
  pricing: ModelPricing,
  { effectiveAt }: { effectiveAt: bigint } = { effectiveAt: 0n },
) {
  const supportedTypesBitmap = types.reduce((bitmap, type) => bitmap | (1n << BigInt(type)), 0n)
  return [{ supportedTypesBitmap, ...bounds }, pricing, effectiveAt]
}

async function termsOnChain({ reader }: Stage, address: Address) {
  const vault = { abi: financingVaultAbi, address } as const
  const [mandate, pricing, pending] = await Promise.all([
    reader.readContract({ ...vault, functionName: 'mandate' }),
    reader.readContract({ ...vault, functionName: 'pricing' }),
    reader.readContract({ ...vault, functionName: 'pendingTerms' }),
  ])
  return [[mandate, pricing, 0n], pending[2] === 0n ? null : pending]
}

/** Whom a settlement can credit in which token. */
function creditable({ users, vaults, tokens }: Stage) {
  const accounts = [...users.map(({ address }) => address), ...vaults]
  return accounts.flatMap((account) => tokens.map((token) => [account, token] as const))
}

export async function viewsOfChain(stage: Stage, claimIds: readonly Hex[]) {
  const { reader, world } = stage
  const router = { abi: financingRouterAbi, address: world.protocol.financingRouter } as const
  const [claims, vaults, balances, nonces, credits, paused] = await Promise.all([
    Promise.all(claimIds.map((claimId) => claimOnChain(stage, claimId))),
    Promise.all(stage.vaults.map((address) => vaultOnChain(stage, address))),
    Promise.all([...stage.tokens, ...stage.vaults].map((token) => balancesOnChain(stage, token))),
    Promise.all(
      stage.users.map(({ address }) =>
        reader.readContract({ ...router, functionName: 'nonces', args: [address] }),
      ),
    ),
    Promise.all(
      creditable(stage).map((args) => reader.readContract({ ...router, functionName: 'credits', args })),
    ),
    reader.readContract({ ...router, functionName: 'paused' }),
  ])
  return { claims, vaults, balances, nonces, credits, paused }
}

/** Each token's supply, and what the known holders own of it. */
export async function suppliesOf(stage: Stage) {
  const supply = (address: Address) =>
    stage.reader.readContract({ abi: demoTokenAbi, address, functionName: 'totalSupply' })
  const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n)
  const held = await Promise.all(stage.tokens.map(async (token) => sum(await balancesOnChain(stage, token))))
  return { supplies: await Promise.all(stage.tokens.map(supply)), held }
}

function balancesOnChain({ reader, holders }: Stage, token: Address) {
  const read = { abi: demoTokenAbi, address: token, functionName: 'balanceOf' } as const
  return Promise.all(holders.map((holder) => reader.readContract({ ...read, args: [holder] })))
}

async function claimOnChain({ reader, world }: Stage, claimId: Hex) {
  const registry = { abi: claimRegistryAbi, address: world.protocol.claimRegistry } as const
  const [claim, allocations] = await Promise.all([
    reader.readContract({ ...registry, functionName: 'claim', args: [claimId] }),
    reader.readContract({ ...registry, functionName: 'allocations', args: [claimId] }),
  ])
  return {
    claimId,
    ...claim,
    issuer: lowercase(claim.issuer),
    beneficiary: lowercase(claim.beneficiary),
    token: lowercase(claim.token),
    allocations: allocations.map((part) => ({ ...part, vault: lowercase(part.vault) })),
  }
}

async function vaultOnChain(stage: Stage, address: Address) {
  const { reader, providers } = stage
  const vault = { abi: financingVaultAbi, address } as const
  const names = [
    'idleAssets',
    'outstandingFace',
    'outstandingAdvance',
    'totalSupply',
    'totalAssets',
    'entryAssets',
    'fundableLiquidity',
  ] as const
  const figures = Promise.all(
    names.map(
      async (functionName) => [functionName, await reader.readContract({ ...vault, functionName })] as const,
    ),
  )
  const limits = Promise.all(
    providers.map(({ address: owner }) =>
      Promise.all([
        reader.readContract({ ...vault, functionName: 'maxWithdraw', args: [owner] }),
        reader.readContract({ ...vault, functionName: 'maxRedeem', args: [owner] }),
      ]),
    ),
  )
  const entry = Promise.all(
    (['maxDeposit', 'maxMint'] as const).map((functionName) =>
      reader.readContract({ ...vault, functionName, args: [address] }),
    ),
  )
  const terms = await termsOnChain(stage, address)
  return { address, ...Object.fromEntries(await figures), entry: await entry, limits: await limits, terms }
}

/** Books that are not backed by tokens: none, whatever happens. */
export function shortfallsOf(stage: Stage, model: Model): string[] {
  const router = stage.tokens.flatMap((token) => {
    const credits = [...(model.credits.get(token)?.values() ?? [])].reduce((sum, amount) => sum + amount, 0n)
    return balance(model, token, model.router) === credits ? [] : [`credits in ${token}`]
  })
  const vaults = stage.vaults.filter((address) => {
    const vault = model.vaults.get(address)
    return !vault || balance(model, vault.token, address) < vault.idleAssets
  })
  return [...router, ...vaults]
}
