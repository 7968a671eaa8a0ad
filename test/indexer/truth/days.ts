/** Daily figures, from the logs alone: each event adds to the day of its block. */

import { lowercase } from '../../support/parties.ts'
import { sum } from '../../support/sum.ts'
import { type ClaimTruth, claimById } from './claims.ts'
import { by, dayOf, type History, missing } from './history.ts'
import { linesUntil, type ValueDays } from './values.ts'
import { figuresAfter, type MovementTruth, tokenOf, type VaultTruth } from './vaults.ts'

type Figures = { readonly [figure: string]: bigint }
/** Figures that one event adds to the day of `key`. */
type Addition<Key> = { key: Key; at: bigint; figures: Figures }

/** A row for each key and day on which anything happened. */
export function addUp<Key extends object>(additions: readonly Addition<Key>[], figures: readonly string[]) {
  const days = new Map<string, { key: Key; day: bigint; of: Figures[] }>()
  for (const { key, at, figures } of additions) {
    const day = dayOf(at)
    const id = [...Object.values(key), day].join()
    const known = days.get(id) ?? { key, day, of: [] }
    days.set(id, { ...known, of: [...known.of, figures] })
  }
  return [...days.values()].map(({ key, day, of }) => {
    const totals = figures.map((figure) => [figure, sum(of.map((one) => one[figure] ?? 0n))])
    return { ...key, day, ...Object.fromEntries(totals) }
  })
}

const REGISTERING = ['claims_registered', 'face_registered', 'settlements', 'face_settled']
const FINANCING = ['face_financed', 'advanced', 'face_repaid', 'discount_earned']
const CAPITAL = ['deposited', 'withdrawn']

function capitalFigures({ kind, amount, gain }: MovementTruth): Figures {
  return {
    deposited: kind === 'DEPOSIT' ? amount : 0n,
    withdrawn: kind === 'WITHDRAWAL' ? amount : 0n,
    face_repaid: kind === 'REPAYMENT' ? amount : 0n,
    discount_earned: gain,
  }
}

export function tokenDaysOf(
  { registered, executed, payments }: History,
  movements: readonly MovementTruth[],
  vaults: readonly VaultTruth[],
) {
  const key = (token: `0x${string}`) => ({ token: lowercase(token) })
  return addUp(
    [
      ...registered.map(({ at, args }) => ({
        key: key(args.token),
        at,
        figures: { claims_registered: 1n, face_registered: args.faceValue },
      })),
      ...executed.map(({ at, args }) => ({
        key: key(args.token),
        at,
        figures: { executions: 1n, face_financed: args.totalFace, advanced: args.totalAdvance },
      })),
      ...payments.map(({ at, args }) => ({
        key: key(args.token),
        at,
        figures: { settlements: 1n, face_settled: args.faceAmount },
      })),
      ...movements.map((event) => ({
        key: key(tokenOf(vaults, event.address)),
        at: event.at,
        figures: capitalFigures(event),
      })),
    ],
    [...REGISTERING, ...FINANCING, ...CAPITAL, 'executions'],
  )
}

export function issuerDaysOf(
  { registered, allocated, payments }: History,
  claims: readonly ClaimTruth[],
  movements: readonly MovementTruth[],
) {
  const key = (claimId: string) => {
    const { issuer, token } = claimById(claims, claimId)
    return { issuer, token }
  }
  return addUp(
    [
      ...registered.map(({ at, args }) => ({
        key: key(args.claimId),
        at,
        figures: { claims_registered: 1n, face_registered: args.faceValue },
      })),
      ...allocated.map(({ at, args }) => ({
        key: key(args.claimId),
        at,
        figures: { allocations: 1n, face_financed: args.faceAmount, advanced: args.advanceAmount },
      })),
      ...payments.map(({ at, args }) => ({
        key: key(args.claimId),
        at,
        figures: {
          settlements: 1n,
          face_settled: args.faceAmount,
          vaults_amount: args.faceAmount - args.beneficiaryAmount,
        },
      })),
      ...movements.flatMap((event) =>
        event.kind === 'REPAYMENT'
          ? [{ key: key(event.slice.claimId), at: event.at, figures: capitalFigures(event) }]
          : [],
      ),
    ],
    [...REGISTERING, 'vaults_amount', ...FINANCING, 'allocations'],
  )
}

/** Face by the day on which it is due, and on which it is paid, if that is not earlier. */
export function dueDaysOf({ allocated, payments }: History, claims: readonly ClaimTruth[]) {
  return addUp(
    allocated.flatMap(({ args: { claimId, sliceIndex, vault, faceAmount } }) => {
      const { issuer, token, due_at } = claimById(claims, claimId)
      const key = { vault: lowercase(vault), issuer, token }
      const isDue = (at: bigint) => at >= due_at
      const paid = payments.flatMap(({ at, args }) => {
        const amount = args.claimId === claimId ? (args.sliceAmounts[sliceIndex] ?? 0n) : 0n
        return amount > 0n ? [{ at, amount }] : []
      })
      return [
        { key, at: due_at, figures: { face_due: faceAmount } },
        ...paid.map(({ at, amount }) => ({
          key,
          at: isDue(at) ? at : due_at,
          figures: { face_settled: amount },
        })),
      ]
    }),
    ['face_due', 'face_settled'],
  )
}

export function vaultDaysOf(
  movements: readonly MovementTruth[],
  vaults: readonly VaultTruth[],
  values: ValueDays,
) {
  const additions = movements.map((event) => ({
    key: { vault: lowercase(event.address), token: tokenOf(vaults, event.address) },
    at: event.at,
    figures: {
      ...capitalFigures(event),
      allocations: event.kind === 'FUNDING' ? 1n : 0n,
      face_financed: event.kind === 'FUNDING' ? event.face : 0n,
      advanced: event.kind === 'FUNDING' ? event.advance : 0n,
    },
  }))
  return addUp(additions, [...FINANCING, ...CAPITAL, 'allocations']).map((row) => {
    const until = by(movements, row.vault).filter(({ at }) => dayOf(at) <= row.day)
    if (until.length === 0) missing(`a movement of vault ${row.vault}`)
    return { ...row, ...figuresAfter(until), ...linesUntil(row.day, row.vault, values) }
  })
}
