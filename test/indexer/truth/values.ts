/** The value over time of the allocations of vaults, from the logs alone: lines by the days on which they change. */
import { lowercase } from '../../support/parties.ts'
import { sum } from '../../support/sum.ts'
import { type ClaimTruth, claimById } from './claims.ts'
import { addUp } from './days.ts'
import { by, dayOf, type History, type Located } from './history.ts'
import type { MovementTruth, VaultTruth } from './vaults.ts'

const DAY = 86_400n
const WRITE_DOWN = 90n * DAY
const LOSS_PER_SECOND = 2n ** 32n
const SCALE = WRITE_DOWN * LOSS_PER_SECOND
const LINES = ['gain_per_second', 'gain_offset', 'loss_per_second', 'loss_offset']

/** The lines, also as those that events of earlier days have added. */
const scheduled = (lines: { readonly [line: string]: bigint }) => ({
  ...lines,
  ...Object.fromEntries(Object.entries(lines).map(([line, value]) => [`scheduled_${line}`, value])),
})

/** A line that rises by so much a second from one time on, and a step. */
const gains = (perSecond: bigint, since: bigint, step = 0n) => ({
  gain_per_second: perSecond,
  gain_offset: step - perSecond * since,
})
const losses = (perSecond: bigint, since: bigint, step = 0n) => ({
  loss_per_second: perSecond,
  loss_offset: step - perSecond * since,
})

export function valueDaysOf(
  { fundings, repayments }: Pick<History, 'fundings' | 'repayments'>,
  claims: readonly ClaimTruth[],
) {
  const additions = fundings.flatMap(({ address, at: fundedAt, args }) => {
    const { claimId, sliceIndex, faceAmount, advanceAmount } = args
    const key = { vault: lowercase(address) }
    const start = dayOf(claimById(claims, claimId).due_at) + DAY
    const end = start + WRITE_DOWN
    const discount = (faceAmount - advanceAmount) * SCALE
    const gain = discount / (start - fundedAt)
    const repaid = repayments.filter(
      (one) => one.args.claimId === claimId && one.args.sliceIndex === sliceIndex,
    )
    const unpaidAt = (time: bigint) =>
      faceAmount - sum(repaid.map(({ at, args }) => (at < time ? args.faceAmount : 0n)))
    const overdue = {
      ...gains(-gain, fundedAt, discount),
      ...losses(unpaidAt(start) * LOSS_PER_SECOND, start),
    }
    return [
      { key, at: fundedAt, figures: gains(gain, fundedAt) },
      { key, at: start, figures: scheduled(overdue) },
      { key, at: end, figures: scheduled(losses(-unpaidAt(end) * LOSS_PER_SECOND, end)) },
      ...repaid.flatMap(({ at, args: part }) => [
        { key, at, figures: gains(0n, 0n, -(part.faceAmount - part.advanceAmount) * SCALE) },
        { key, at, figures: lossesOfRepayment(part.faceAmount, at, { start, end }) },
      ]),
    ]
  })
  return addUp(additions, [...LINES, ...LINES.map((line) => `scheduled_${line}`)])
}

/** The loss that a repayment reverses, and that would have followed. */
function lossesOfRepayment(face: bigint, at: bigint, { start, end }: { start: bigint; end: bigint }) {
  if (at < start) return losses(0n, 0n)
  return at < end ? losses(-face * LOSS_PER_SECOND, start) : losses(0n, 0n, -face * SCALE)
}

export type ValueDays = ReturnType<typeof valueDaysOf>

/** The lines of a vault through the day of its last movement, or of its registration. */
export function linesOf(vault: VaultTruth, movements: readonly MovementTruth[], days: ValueDays) {
  const through_day = dayOf(by(movements, vault.address).at(-1)?.at ?? vault.registered_at)
  return { ...linesUntil(through_day, vault.address, days), through_day }
}

/** The lines of a vault right after a movement, through its day: from the events until then alone. */
export function linesAfter(
  movement: MovementTruth,
  { fundings, repayments }: Pick<History, 'fundings' | 'repayments'>,
  claims: readonly ClaimTruth[],
) {
  const vault = lowercase(movement.address)
  const isUntil = ({ blockNumber, logIndex }: Located) =>
    blockNumber < movement.blockNumber ||
    (blockNumber === movement.blockNumber && logIndex <= movement.logIndex)
  const own = {
    fundings: by(fundings, vault).filter(isUntil),
    repayments: by(repayments, vault).filter(isUntil),
  }
  return linesUntil(dayOf(movement.at), vault, valueDaysOf(own, claims))
}

/** The sum of a vault's lines until a day. */
export function linesUntil(day: bigint, vault: string, days: ValueDays) {
  const own = days.filter((row) => row.vault === vault && row.day <= day)
  const sumOf = (line: string) => sum(own.map((row) => BigInt(String(Reflect.get(row, line)))))
  return {
    gain_per_second: sumOf('gain_per_second'),
    gain_offset: sumOf('gain_offset'),
    loss_per_second: sumOf('loss_per_second'),
    loss_offset: sumOf('loss_offset'),
  }
}
