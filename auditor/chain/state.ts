/** The state of the contracts at one block. `undefined` if there is no contract, or the call reverts. */
import { type Address, ContractFunctionExecutionError, type Hex } from 'viem'
import { claimRegistryAbi } from '../../abis/ClaimRegistry.ts'
import { financingRouterAbi } from '../../abis/FinancingRouter.ts'
import { financingVaultAbi } from '../../abis/FinancingVault.ts'
import { issuerRegistryAbi } from '../../abis/IssuerRegistry.ts'
import { tokenRegistryAbi } from '../../abis/TokenRegistry.ts'
import { vaultRegistryAbi } from '../../abis/VaultRegistry.ts'
import type { Chain } from '../../api/chain/client.ts'
import { lowercaseAddress } from '../../api/domain/address.ts'
import type { Manifest } from '../../deployments/manifest.ts'
import { readMany } from './read-many.ts'

export type State = ReturnType<typeof stateAt>

/**
 * Calls in one `eth_call`. A deployless multicall returns at most 24,576 bytes: 416 for each claim, 960 for its
 * allocations, 160 for a number.
 */
const CLAIMS = 50
const ALLOCATIONS = 24
const NUMBERS = 100
/** Symbol and name of one token have up to 128 bytes. */
const TOKENS = 50
/** The pricing of one vault, and that of its pending terms, have up to 8 KB each. */
const VAULTS = 1

/** Vaults, or tokens, in one page of their registry. */
const PAGE = 500n

type Outcome<T> = { status: 'success'; result: T } | { status: 'failure'; error: Error }

/** Reads of the contracts' state at a block. Reads of one tick are one call. */
export function stateAt(chain: Chain, contracts: Manifest['contracts'], blockNumber: bigint) {
  const at = { blockNumber, deployless: true, batchSize: 0 } as const
  const claims = { abi: claimRegistryAbi, address: contracts.claimRegistry } as const
  const issuers = { abi: issuerRegistryAbi, address: contracts.issuerRegistry } as const
  const tokenRegistry = { abi: tokenRegistryAbi, address: contracts.tokenRegistry } as const
  const registry = { abi: vaultRegistryAbi, address: contracts.vaultRegistry } as const
  const router = { abi: financingRouterAbi, address: contracts.financingRouter } as const
  const text = String

  return {
    claim: readMany<Hex, ClaimState | undefined>(CLAIMS, text, async (ids) =>
      answers(
        await chain.multicall({
          ...at,
          contracts: ids.map((id) => ({ ...claims, functionName: 'claim', args: [id] }) as const),
        }),
      ),
    ),
    allocations: readMany<Hex, AllocationState | undefined>(ALLOCATIONS, text, async (ids) =>
      answers(
        await chain.multicall({
          ...at,
          contracts: ids.map((id) => ({ ...claims, functionName: 'allocations', args: [id] }) as const),
        }),
      ),
    ),
    isIssuerActive: readMany<Address, boolean | undefined>(NUMBERS, text, async (addresses) =>
      answers(
        await chain.multicall({
          ...at,
          contracts: addresses.map(
            (address) => ({ ...issuers, functionName: 'isActive', args: [address] }) as const,
          ),
        }),
      ),
    ),
    isTokenListed: readMany<Address, boolean | undefined>(NUMBERS, text, async (addresses) =>
      answers(
        await chain.multicall({
          ...at,
          contracts: addresses.map(
            (address) => ({ ...tokenRegistry, functionName: 'isListed', args: [address] }) as const,
          ),
        }),
      ),
    ),
    tokenMetadata: readMany<Address, TokenState | undefined>(TOKENS, text, async (addresses) =>
      answers(
        await chain.multicall({
          ...at,
          contracts: addresses.map(
            (address) => ({ ...tokenRegistry, functionName: 'metadata', args: [address] }) as const,
          ),
        }),
      ),
    ),
    isVaultActive: readMany<Address, boolean | undefined>(NUMBERS, text, async (addresses) =>
      answers(
        await chain.multicall({
          ...at,
          contracts: addresses.map(
            (address) => ({ ...registry, functionName: 'isActive', args: [address] }) as const,
          ),
        }),
      ),
    ),
    shares: readMany<{ vault: Address; owner: Address }, bigint | undefined>(
      NUMBERS,
      ({ vault, owner }) => vault + owner,
      async (pairs) =>
        answers(
          await chain.multicall({
            ...at,
            contracts: pairs.map(
              ({ vault, owner }) =>
                ({
                  abi: financingVaultAbi,
                  address: vault,
                  functionName: 'balanceOf',
                  args: [owner],
                }) as const,
            ),
          }),
        ),
    ),
    /** Face of a slice that the router holds for its vault. */
    heldFace: readMany<Slice, bigint | undefined>(
      NUMBERS,
      ({ claimId, sliceIndex }) => claimId + sliceIndex,
      async (slices) =>
        answers(
          await chain.multicall({
            ...at,
            contracts: slices.map(
              ({ claimId, sliceIndex }) =>
                ({ ...router, functionName: 'heldFace', args: [claimId, sliceIndex] }) as const,
            ),
          }),
        ),
    ),
    /** The amount that the router holds for an account. */
    credit: readMany<{ account: Address; token: Address }, bigint | undefined>(
      NUMBERS,
      ({ account, token }) => account + token,
      async (credits) =>
        answers(
          await chain.multicall({
            ...at,
            contracts: credits.map(
              ({ account, token }) =>
                ({ ...router, functionName: 'credits', args: [account, token] }) as const,
            ),
          }),
        ),
    ),
    /** Routes of the wallet that were executed, and its cancellations. */
    nonce: readMany<Address, bigint | undefined>(NUMBERS, text, async (wallets) =>
      answers(
        await chain.multicall({
          ...at,
          contracts: wallets.map(
            (wallet) => ({ ...router, functionName: 'nonces', args: [wallet] }) as const,
          ),
        }),
      ),
    ),
    vault: readMany<Address, VaultState | undefined>(VAULTS, text, (addresses) =>
      Promise.all(addresses.map((address) => readVault(chain, address, blockNumber))),
    ),
    isPaused: readMany<Address, boolean | undefined>(1, text, async () =>
      answers(await chain.multicall({ ...at, contracts: [{ ...router, functionName: 'paused' }] })),
    ),
    /** All vaults of the registry, in the order of their registration. */
    vaults: () =>
      readPages((args) => chain.readContract({ ...registry, functionName: 'vaults', args, blockNumber })),
    /** All tokens that were ever listed, in the order of their first listing. */
    tokens: () =>
      readPages((args) =>
        chain.readContract({ ...tokenRegistry, functionName: 'tokens', args, blockNumber }),
      ),
  }
}

async function readPages(
  read: (args: readonly [offset: bigint, limit: bigint]) => Promise<readonly Address[]>,
): Promise<Address[]> {
  const found: Address[] = []
  for (let offset = 0n; ; offset += PAGE) {
    const page = await read([offset, PAGE])
    found.push(...page.map(lowercaseAddress))
    if (BigInt(page.length) < PAGE) return found
  }
}

type TokenState = { known: boolean; decimals: number; symbol: string; name: string }
type Slice = { claimId: Hex; sliceIndex: number }
type ClaimState = {
  issuer: Address
  beneficiary: Address
  token: Address
  faceValue: bigint
  financedFaceValue: bigint
  paidFaceValue: bigint
  dueDate: bigint
  claimType: number
  sliceCount: number
  state: number
}
type AllocationState = readonly { vault: Address; faceAmount: bigint; advanceAmount: bigint }[]
type VaultState = NonNullable<Awaited<ReturnType<typeof readVault>>>

/** The state of one vault; undefined if any of its getters fails. */
async function readVault(chain: Chain, address: Address, blockNumber: bigint) {
  const of = { abi: financingVaultAbi, address } as const
  const read = await chain.multicall({
    blockNumber,
    deployless: true,
    batchSize: 0,
    contracts: [
      { ...of, functionName: 'asset' },
      { ...of, functionName: 'owner' },
      { ...of, functionName: 'name' },
      { ...of, functionName: 'symbol' },
      { ...of, functionName: 'mandate' },
      { ...of, functionName: 'pricing' },
      { ...of, functionName: 'idleAssets' },
      { ...of, functionName: 'outstandingFace' },
      { ...of, functionName: 'outstandingAdvance' },
      { ...of, functionName: 'totalSupply' },
      { ...of, functionName: 'entryAssets' },
      { ...of, functionName: 'totalAssets' },
      { ...of, functionName: 'lines' },
      { ...of, functionName: 'noticePeriod' },
      { ...of, functionName: 'pendingTerms' },
    ],
  })
  const [
    asset,
    owner,
    name,
    symbol,
    mandate,
    pricing,
    idle,
    face,
    advance,
    supply,
    entryAssets,
    totalAssets,
    lines,
    noticePeriod,
    pending,
  ] = read
  const parts = {
    asset: answer(asset),
    owner: answer(owner),
    name: answer(name),
    symbol: answer(symbol),
    mandate: answer(mandate),
    pricing: answer(pricing),
    idleAssets: answer(idle),
    outstandingFace: answer(face),
    outstandingAdvance: answer(advance),
    totalSupply: answer(supply),
    entryAssets: answer(entryAssets),
    totalAssets: answer(totalAssets),
    lines: answer(lines),
    noticePeriod: answer(noticePeriod),
    pendingTerms: pendingOf(answer(pending)),
  }
  return parts.mandate === undefined || parts.pricing === undefined
    ? undefined
    : { ...parts, mandate: parts.mandate, pricing: parts.pricing }
}

/** The terms that are submitted and not in effect; null if there are none. */
function pendingOf<M, P>(read: readonly [M, P, bigint] | undefined) {
  if (!read) return undefined
  const [mandate, pricing, effectiveAt] = read
  return effectiveAt === 0n ? null : { mandate, pricing, effectiveAt }
}

function answers<T>(outcomes: readonly Outcome<T>[]): (T | undefined)[] {
  return outcomes.map(answer)
}

/** A call that reverts is a result; a failure of the whole multicall is a failure of the node and is thrown. */
function answer<T>(outcome: Outcome<T>): T | undefined {
  if (outcome.status === 'success') return outcome.result
  const { error } = outcome
  if (error instanceof ContractFunctionExecutionError && error.functionName !== 'aggregate3') return undefined
  throw error
}
