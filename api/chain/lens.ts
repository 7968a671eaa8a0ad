/**
 * Everything that routing reads of the chain, in one call at a pinned block whatever the number of claims and vaults.
 */
import { type Address, encodeFunctionData, type Hex } from 'viem'
import { financingLensAbi } from '../../abis/FinancingLens.ts'
import { chainUnavailable } from '../errors.ts'
import { type Caller, callLens, LensCallRefused, type LensMode, lensUnavailable } from './lens-call.ts'
import { decodeMarket, decodeRoute, toLensClaim, toQuote, toVault } from './lens-decode.ts'
import type { LensLeg, Market, RouteView } from './lens-types.ts'
import type { PinnedBlock } from './pin-block.ts'

export type Lens = {
  /**
   * The claims, every registered vault, and each vault's probe quote for each claim of `user` that can be financed
   * (without `user`, for every claim that can).
   * @throws CodedError `CHAIN_UNAVAILABLE`
   */
  readMarket(block: PinnedBlock, query: MarketQuery): Promise<Market>
  /** @throws CodedError `CHAIN_UNAVAILABLE` */
  readRoute(block: PinnedBlock, legs: readonly LensLeg[]): Promise<RouteView>
}

export type MarketQuery = { claimIds: readonly Hex[]; user?: Address }

const ANYONE: Address = '0x0000000000000000000000000000000000000000'
/** More vaults than any registry holds; a plain 2^256-1 would be as good. */
const EVERY_VAULT = 2n ** 64n - 1n
/**
 * Bytes that a deployless call may return (EIP-170), and those that claims (with two slices) and vaults take at most in
 * practice.
 */
const ANSWER_BYTES_MAX = 24_576
const CLAIM_BYTES = 640
const VAULT_BYTES = 1_024
/** A quote, and the face that the issuer of a claim owes a vault. */
const PAIR_BYTES = 64

/** @param mode what the nodes can do; found out by the first call that is refused unless given */
export function createLens(chain: Caller, router: Address, mode?: LensMode): Lens {
  let known = mode
  /** The whole in one call, or else by `parts`, in the mode that the nodes turn out to support. */
  const ask = async <T>(block: PinnedBlock, whole: Read<T>, parts: Read<T>): Promise<T> => {
    if (known === 'deployless') return parts(known)
    try {
      return await whole('override')
    } catch (error) {
      if (!(error instanceof LensCallRefused)) throw error
      known ??= await probeMode(chain, block, router)
      return await parts(known)
    }
  }
  return {
    async readMarket(block, query) {
      const read = (mode: LensMode, offset: bigint, limit: bigint) =>
        readPart(chain, block, mode, marketData(router, query, offset, limit))
      const whole = async (mode: LensMode) => [await read(mode, 0n, EVERY_VAULT)]
      const parts = (mode: LensMode) =>
        marketInParts(block, vaultsPerPart(mode, query), (...range) => read(mode, ...range))
      return toMarket(block, query, await ask(block, whole, parts))
    },
    async readRoute(block, legs) {
      const data = encodeFunctionData({ abi: financingLensAbi, functionName: 'route', args: [router, legs] })
      const whole = (mode: LensMode) => callLens(chain, block, mode, data)
      const answer = await ask(block, whole, (mode) => orUnavailable(block, () => whole(mode)))
      return toRoute(block, legs, decodeRoute(answer))
    },
  }
}

type Read<T> = (mode: LensMode) => Promise<T>

/**
 * Calls with empty arguments in both modes: this shows whether nodes lack overrides or an earlier call was too large.
 */
async function probeMode(chain: Caller, block: PinnedBlock, router: Address): Promise<LensMode> {
  const empty = marketData(router, { claimIds: [] }, 0n, 0n)
  try {
    await callLens(chain, block, 'override', empty)
    return 'override'
  } catch (error) {
    if (!(error instanceof LensCallRefused)) throw error
    await orUnavailable(block, () => callLens(chain, block, 'deployless', empty))
    return 'deployless'
  }
}

function marketData(
  router: Address,
  { claimIds, user = ANYONE }: MarketQuery,
  offset: bigint,
  limit: bigint,
): Hex {
  return encodeFunctionData({
    abi: financingLensAbi,
    functionName: 'market',
    args: [router, user, claimIds, offset, limit],
  })
}

type RawMarket = ReturnType<typeof decodeMarket>

async function readPart(chain: Caller, block: PinnedBlock, mode: LensMode, data: Hex): Promise<RawMarket> {
  return decodeMarket(await callLens(chain, block, mode, data))
}

/** Ranges of `step` vaults, smaller ones where a node refuses even those. */
async function marketInParts(
  block: PinnedBlock,
  step: bigint,
  read: (offset: bigint, limit: bigint) => Promise<RawMarket>,
): Promise<RawMarket[]> {
  const readRange = async (offset: bigint, limit: bigint): Promise<RawMarket[]> => {
    try {
      return [await read(offset, limit)]
    } catch (error) {
      if (!(error instanceof LensCallRefused)) throw error
      if (limit === 1n) throw lensUnavailable(block, error)
      const half = limit / 2n
      return [...(await readRange(offset, half)), ...(await readRange(offset + half, limit - half))]
    }
  }
  const first = await readRange(0n, step)
  const offsets: bigint[] = []
  for (let offset = step; offset < (first[0]?.vaultCount ?? 0n); offset += step) offsets.push(offset)
  const rest = await Promise.all(offsets.map((offset) => readRange(offset, step)))
  return [...first, ...rest.flat()]
}

/** Quotes in one deployless call. With an override, only the timeout of the node limits a call. */
function vaultsPerPart(mode: LensMode, { claimIds }: MarketQuery): bigint {
  const claims = claimIds.length
  const fit = (ANSWER_BYTES_MAX - claims * CLAIM_BYTES) / (VAULT_BYTES + claims * PAIR_BYTES)
  return BigInt(Math.max(1, Math.floor(fit))) * (mode === 'override' ? 8n : 1n)
}

/** For a call that cannot be made smaller. */
async function orUnavailable<T>(block: PinnedBlock, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    throw error instanceof LensCallRefused ? lensUnavailable(block, error) : error
  }
}

/** Parts hold the same claims and consecutive vaults. */
function toMarket(block: PinnedBlock, { claimIds }: MarketQuery, parts: readonly RawMarket[]): Market {
  for (const part of parts) checkBlock(block, part)
  const [first] = parts
  if (!first) throw new Error('a market has at least one part')
  return {
    paused: first.paused,
    claims: first.claims.map((claim, index) => toLensClaim(idAt(claimIds, index), claim)),
    vaults: parts.flatMap(({ vaults, claims }) => vaults.map((vault) => toVault(vault, claims))),
    probes: claimIds.map((_, row) =>
      parts.flatMap(({ vaults, probes }) =>
        probes.slice(row * vaults.length, (row + 1) * vaults.length).map(toQuote),
      ),
    ),
  }
}

function toRoute(
  block: PinnedBlock,
  legs: readonly LensLeg[],
  raw: ReturnType<typeof decodeRoute>,
): RouteView {
  checkBlock(block, raw)
  const { claims, vaults, quotes } = raw
  return {
    paused: raw.paused,
    legs: legs.map(({ claimId }, index) => {
      const [claim, vault, quote] = [claims[index], vaults[index], quotes[index]]
      if (!claim || !vault || quote === undefined)
        throw new Error('the lens answered fewer legs than it was asked for')
      return { claim: toLensClaim(claimId, claim), vault: toVault(vault, [claim]), quote: toQuote(quote) }
    }),
  }
}

function idAt(claimIds: readonly Hex[], index: number): Hex {
  const claimId = claimIds[index]
  if (!claimId) throw new Error('the lens answered more claims than it was asked for')
  return claimId
}

/** A node that runs the call at another time than the block's would price every claim wrongly. */
function checkBlock(block: PinnedBlock, { timestamp }: { timestamp: bigint }): void {
  if (timestamp === block.timestamp) return
  throw chainUnavailable(`A node answered for another time than that of block ${block.number}.`)
}
