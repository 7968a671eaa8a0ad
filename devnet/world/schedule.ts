/** The schedule: every action of the market with its time. The terms are known only when it runs. */
import { DAY, type DrawnClaim, HOUR, type Outcome } from './draw-claims.ts'
import type { WorldScale } from './plan.ts'
import { createRandom, type Random } from './random.ts'

export type ScheduledAction = { at: number } & (
  | { kind: 'register' | 'revoke' | 'settle'; claim: number }
  /** Pay this share of the claim's face. */
  | { kind: 'pay'; claim: number; percent: number }
  /** Finance the claim up to this share of its face. */
  | { kind: 'finance'; claim: number; upToPercent: number }
  | { kind: 'lend' | 'redeem' | 'reprice' | 'enlarge lots' | 'accept terms' }
  | { kind: 'retire vaults' | 'retire issuer' }
)

type Span = { startsAt: number; now: number }

/** In a total order: by time, then in the order of the draw. */
export function drawSchedule(
  seed: number,
  scale: WorldScale,
  span: Span,
  claims: readonly DrawnClaim[],
): ScheduledAction[] {
  const random = createRandom(seed, 'agenda')
  const actions = [
    ...claims.flatMap((claim, index) => claimActions(random, index, claim, span.now)),
    ...partPayments(createRandom(seed, 'part payments'), claims),
    ...lenderActions(random, scale, span),
    ...curatorActions(span),
  ]
  return actions
    .map((action, order) => ({ action, order }))
    .sort((one, other) => one.action.at - other.action.at || one.order - other.order)
    .map(({ action }) => action)
}

function claimActions(random: Random, claim: number, drawn: DrawnClaim, now: number): ScheduledAction[] {
  const actions: ScheduledAction[] = [{ kind: 'register', claim, at: drawn.registeredAt }]
  let at = drawn.registeredAt
  for (const upToPercent of financingShares(random, drawn)) {
    at = Math.min(at + HOUR + random.below(9 * DAY), drawn.dueAt - DAY, now - 10 * 60)
    actions.push({ kind: 'finance', claim, upToPercent, at })
  }
  if (drawn.outcome === 'revoked') {
    actions.push({ kind: 'revoke', claim, at: Math.min(at + HOUR + random.below(5 * DAY), now - HOUR) })
  }
  if (drawn.outcome === 'closed') {
    actions.push({ kind: 'revoke', claim, at: Math.min(at + 2 * DAY, now - 5 * 60) })
  }
  if (drawn.outcome === 'settled' || drawn.outcome === 'settled unfinanced') {
    const paidAt = drawn.dueAt + HOUR + random.below(3 * DAY)
    actions.push({ kind: 'settle', claim, at: Math.min(paidAt, now - 60) })
  }
  return actions
}

/** In percent of the face. Most shares of slices are rounded. */
const PARTS = [14, 33, 43, 67]

/** The lost claim, every second overdue one and every third settled one are paid in part on their due date. */
function partPayments(random: Random, claims: readonly DrawnClaim[]): ScheduledAction[] {
  const due = claims.map(({ outcome, dueAt }, claim) => ({ outcome, dueAt, claim }))
  const every = (nth: number, wanted: Outcome) =>
    due.filter(({ outcome }) => outcome === wanted).filter((_, order) => order % nth === 0)
  return [...every(1, 'lost'), ...every(2, 'overdue'), ...every(3, 'settled')].map(({ dueAt, claim }) => {
    return { kind: 'pay', claim, percent: random.pick(PARTS), at: dueAt }
  })
}

function financingShares(random: Random, { outcome }: DrawnClaim): readonly number[] {
  switch (outcome) {
    case 'full':
    case 'settled':
      return random.pick([[100], [100], [40, 100], [55, 100], [30, 65, 100]])
    case 'partial':
    case 'closed':
      return random.pick([[25], [40], [60], [20, 50], [35, 75]])
    case 'overdue':
      return random.pick([[], [50], [100], [100]])
    case 'lost':
      return [100]
    default:
      return []
  }
}

function lenderActions(random: Random, scale: WorldScale, { startsAt, now }: Span): ScheduledAction[] {
  const count = Math.ceil((scale.vaults * scale.days) / 40)
  return Array.from({ length: count }, () => ({
    kind: random.chance(55) ? ('lend' as const) : ('redeem' as const),
    at: random.between(startsAt + 3 * DAY, now - 20 * 60),
  }))
}

/** Days after which submitted terms are accepted: a day more than the notice of the vaults. */
const DAYS_TO_ACCEPTANCE = 3

/** At fixed shares of the world's span. The terms that are submitted last are pending at its end. */
function curatorActions({ startsAt, now }: Span): ScheduledAction[] {
  const whenPercent = (percent: number) => startsAt + Math.floor(((now - startsAt) * percent) / 100)
  return [
    { kind: 'reprice', at: whenPercent(35) },
    { kind: 'accept terms', at: whenPercent(35) + DAYS_TO_ACCEPTANCE * DAY },
    { kind: 'enlarge lots', at: whenPercent(45) },
    { kind: 'accept terms', at: whenPercent(45) + DAYS_TO_ACCEPTANCE * DAY },
    { kind: 'retire vaults', at: whenPercent(60) },
    { kind: 'retire issuer', at: whenPercent(70) },
    { kind: 'reprice', at: whenPercent(80) },
    { kind: 'accept terms', at: whenPercent(80) + DAYS_TO_ACCEPTANCE * DAY },
    { kind: 'enlarge lots', at: now - 12 * HOUR },
  ]
}
