/** How outstanding face is spread, part by part. */
import { sum } from '../../support/sum.ts'
import { partsOf, type Slice, sliceOf } from './maturities.ts'
import type { Args } from './pages.ts'
import { compare, type Row, rowsOf, text, type World } from './rows.ts'

const DAY = 86_400n

export type IssuedSlice = Slice & { readonly issuer: string }

const faceOf = (slices: readonly Slice[]) => sum(partsOf(slices).map(({ face }) => face))

/** Outstanding face by issuer, the largest first. */
export function sharesOf(slices: readonly IssuedSlice[]) {
  const total = faceOf(slices)
  const faces = [...new Set(slices.map(({ issuer }) => issuer))].map((issuer) => ({
    issuer,
    face: faceOf(slices.filter((slice) => slice.issuer === issuer)),
  }))
  return faces
    .filter(({ face }) => face > 0n)
    .sort((a, b) => compare(b.face, a.face) || compare(a.issuer, b.issuer))
    .map(({ issuer, face }) => ({
      issuer,
      outstandingFace: face,
      shareBps: Number((10_000n * face) / total),
    }))
}

function floor(dividend: bigint, divisor: bigint): bigint {
  const rest = ((dividend % divisor) + divisor) % divisor
  return (dividend - rest) / divisor
}

/** The figures of all issuers together. */
export function concentrationOf(slices: readonly IssuedSlice[], now: bigint) {
  const parts = partsOf(slices)
  const face = faceOf(slices)
  if (face === 0n) return { herfindahlBps: null, weightedDaysToDue: null, weightedDiscountBps: null }
  const squares = sum(sharesOf(slices).map(({ outstandingFace }) => outstandingFace ** 2n))
  const seconds = sum(parts.map((part) => part.face * (part.dueAt - now)))
  const discount = face - sum(parts.map(({ advance }) => advance))
  return {
    herfindahlBps: Number((10_000n * squares) / face ** 2n),
    weightedDaysToDue: Number(`${floor(100n * seconds, face * DAY)}e-2`),
    weightedDiscountBps: Number(-floor(-10_000n * discount, face)),
  }
}

function slicesOfVault(vault: Row, world: World): IssuedSlice[] {
  const own = rowsOf(world, 'Allocation').filter((row) => row.vault === vault.address)
  return own.map((row) => ({ ...sliceOf(row), issuer: text(row, 'issuer') }))
}

export const concentrationValues = {
  'Vault.concentration': (vault: Row, world: World) => ({
    address: text(vault, 'address'),
    ...concentrationOf(slicesOfVault(vault, world), world.block.timestamp),
  }),
  'Concentration.byIssuer': (concentration: Row, world: World, { first }: Args) =>
    sharesOf(slicesOfVault(concentration, world)).slice(0, Number(first)),
}
