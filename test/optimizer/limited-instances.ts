import type { Dice } from '../support/dice.ts'
import type { OracleInput } from './oracle.ts'
import { seriesInstance } from './series-instances.ts'
import { smallInstance } from './small-instances.ts'

/** A small random instance in which one to three issuers have limits in vaults: none, tight, loose, and of no face. */
export function limitedInstance(dice: Dice): OracleInput {
  const input = dice.chance(0.4) ? seriesInstance(dice) : smallInstance(dice)
  const issuers = dice.between(1, 3)
  const issuerOf = new Map<string, number>()
  for (const { claim } of input.candidates)
    if (!issuerOf.has(claim)) issuerOf.set(claim, dice.between(1, issuers))
  const limits: NonNullable<OracleInput['limits']> = []
  for (const vault of new Set(input.candidates.map((one) => one.vault)))
    for (let issuer = 1; issuer <= issuers; issuer++) {
      const own = input.candidates.filter((one) => one.vault === vault && issuerOf.get(one.claim) === issuer)
      if (own.length === 0 || dice.chance(0.2)) continue
      const most = own.reduce((sum, { max }) => sum + max, 0)
      const max = dice.chance(0.05) ? 0 : dice.between(Math.floor(most / 4), most)
      limits.push({ vault, claims: own.map(({ claim }) => claim), max })
    }
  return { ...input, limits }
}
