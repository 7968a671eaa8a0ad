import type { Address, Hex } from 'viem'
import { seededRandom } from '../../api/domain/random.ts'
import type { IssuerLimit, OptimizeInput } from '../../api/optimizer/index.ts'
import { type Dice, diceOf } from '../../test/support/dice.ts'
import { edgeFamilies } from './edge-families.ts'
import { type Family, families, familiesOfMany } from './families.ts'

/** Limits in multiples of the mean face of a claim, in thousandths. */
const TIGHT: Range = [300, 2_000]
const LOOSE: Range = [2_000, 6_000]

type Range = readonly [least: number, most: number]

/** Limits of a few issuers in most vaults, and of no face in some; the target becomes a part of what it was. */
function withLimits(input: OptimizeInput, dice: Dice, issuers: number, [least, most]: Range): OptimizeInput {
  const faces = new Map<Hex, bigint>()
  for (const { claimId, maxFace } of input.candidates)
    if (maxFace > (faces.get(claimId) ?? 0n)) faces.set(claimId, maxFace)
  const claimIds = Array.from({ length: issuers }, (): Hex[] => [])
  for (const claimId of faces.keys()) claimIds[dice.between(0, issuers - 1)]?.push(claimId)
  const mean = [...faces.values()].reduce((sum, face) => sum + face, 0n) / BigInt(Math.max(1, faces.size))
  const limitsOf = (vault: Address): IssuerLimit[] => {
    if (dice.chance(0.3)) return []
    const maxFace = dice.chance(0.05) ? 0n : (mean * BigInt(dice.between(least, most))) / 1_000n
    return claimIds.map((ids) => ({ vault, claimIds: ids, maxFace }))
  }
  const issuerLimits = [...input.vaultLiquidity.keys()].flatMap(limitsOf)
  const targetAdvance = (input.targetAdvance * BigInt(dice.between(400, 1_000)) + 999n) / 1_000n
  return { ...input, issuerLimits, targetAdvance }
}

const BASES = [
  'realistic 12×5',
  'realistic 12×32',
  'market 12×20',
  'tight liquidity 12×64',
  'cost cap 12×64',
  'equal claims 12×3',
  'near-equal claims, several dates 12×4',
  'fixed lots 12×8',
  'bin packing 12×6',
  'realistic 16×32',
  'market 20×20',
  'near-equal claims 20×4',
] as const

const KINDS = [
  { name: 'one issuer, tight', issuers: 1, range: TIGHT },
  { name: 'one issuer, loose', issuers: 1, range: LOOSE },
  { name: 'four issuers, tight', issuers: 4, range: TIGHT },
] as const

const bases = [...families, ...familiesOfMany, ...edgeFamilies].filter(({ name, claims, vaults }) =>
  BASES.some((one) => one === `${name} ${claims}×${vaults}`),
)

/** Families with limits per issuer. */
export const limitedFamilies: readonly Family[] = bases.flatMap((base) =>
  KINDS.map(({ name, issuers, range }) => ({
    ...base,
    name: `${base.name}, ${name}`,
    make: (seed: number) => withLimits(base.make(seed), diceOf(seededRandom(seed)), issuers, range),
  })),
)
