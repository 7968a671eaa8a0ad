/** The agenda: every errand of the market with its time, before anyone knows at what terms it will be done. */
import { DAY, type DrawnClaim, HOUR } from './draw-claims.ts'
import type { WorldScale } from './plan.ts'
import { createRandom, type Random } from './random.ts'

export type Errand = { at: number } & (
  | { kind: 'register' | 'revoke' | 'settle'; claim: number }
  /** Finance the claim up to this share of its face. */
  | { kind: 'finance'; claim: number; upToPercent: number }
  | { kind: 'lend' | 'redeem' | 'reprice' | 'enlarge lots' }
  | { kind: 'retire vaults' | 'retire issuer' }
)

type Span = { startsAt: number; now: number }

/** In a total order: by time, then as they were thought of. */
export function drawAgenda(
  seed: number,
  scale: WorldScale,
  span: Span,
  claims: readonly DrawnClaim[],
): Errand[] {
  const random = createRandom(seed, 'agenda')
  const errands = [
    ...claims.flatMap((claim, index) => errandsOf(random, index, claim, span.now)),
    ...lenderErrands(random, scale, span),
    ...curatorErrands(span),
  ]
  return errands
    .map((errand, order) => ({ errand, order }))
    .sort((one, other) => one.errand.at - other.errand.at || one.order - other.order)
    .map(({ errand }) => errand)
}

function errandsOf(random: Random, claim: number, drawn: DrawnClaim, now: number): Errand[] {
  const errands: Errand[] = [{ kind: 'register', claim, at: drawn.registeredAt }]
  let at = drawn.registeredAt
  for (const upToPercent of financingShares(random, drawn)) {
    at = Math.min(at + HOUR + random.below(9 * DAY), drawn.dueAt - DAY, now - 10 * 60)
    errands.push({ kind: 'finance', claim, upToPercent, at })
  }
  if (drawn.fate === 'revoked') {
    errands.push({ kind: 'revoke', claim, at: Math.min(at + HOUR + random.below(5 * DAY), now - HOUR) })
  }
  if (drawn.fate === 'settled' || drawn.fate === 'settled unfinanced') {
    const paidAt = drawn.dueAt + HOUR + random.below(3 * DAY)
    errands.push({ kind: 'settle', claim, at: Math.min(paidAt, now - 60) })
  }
  return errands
}

function financingShares(random: Random, { fate }: DrawnClaim): readonly number[] {
  switch (fate) {
    case 'full':
    case 'settled':
      return random.pick([[100], [100], [40, 100], [55, 100], [30, 65, 100]])
    case 'partial':
      return random.pick([[25], [40], [60], [20, 50], [35, 75]])
    case 'overdue':
      return random.pick([[], [50], [100], [100]])
    default:
      return []
  }
}

function lenderErrands(random: Random, scale: WorldScale, { startsAt, now }: Span): Errand[] {
  const count = Math.ceil((scale.vaults * scale.days) / 40)
  return Array.from({ length: count }, () => ({
    kind: random.chance(55) ? ('lend' as const) : ('redeem' as const),
    at: random.between(startsAt + 3 * DAY, now - 20 * 60),
  }))
}

/** At fixed shares of the world's span. */
function curatorErrands({ startsAt, now }: Span): Errand[] {
  const whenPercent = (percent: number) => startsAt + Math.floor(((now - startsAt) * percent) / 100)
  return [
    { kind: 'reprice', at: whenPercent(35) },
    { kind: 'enlarge lots', at: whenPercent(45) },
    { kind: 'retire vaults', at: whenPercent(60) },
    { kind: 'retire issuer', at: whenPercent(70) },
    { kind: 'reprice', at: whenPercent(80) },
  ]
}
