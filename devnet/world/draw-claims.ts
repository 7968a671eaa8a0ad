/** Draws the claims: who owes what to whom, since when and until when, and the planned outcome of each. */
import { CLAIM_KINDS, DEMO_WALLETS, FADING_ISSUER, ISSUERS, walletActor, wholeTokens } from './accounts.ts'
import type { ClaimPlan, WorldScale } from './plan.ts'
import { at, createRandom, type Random } from './random.ts'

export const HOUR = 3_600
export const DAY = 86_400

/** Intended outcome of a claim; the market may leave less of it financed. */
export type Outcome =
  | 'open'
  | 'partial'
  | 'full'
  | 'settled'
  | 'settled unfinanced'
  | 'overdue'
  | 'lost'
  | 'revoked'
  | 'closed'
export type DrawnClaim = ClaimPlan & { outcome: Outcome; registeredAt: number }

/** Dealt in turn, so that every dozen claims holds every outcome. */
const OUTCOMES: readonly Outcome[] = [
  'settled',
  'open',
  'full',
  'partial',
  'settled',
  'overdue',
  'full',
  'revoked',
  'settled',
  'closed',
  'open',
  'settled unfinanced',
]

/** Share of the world's span after which the fading issuer registers nothing more; it is deactivated later. */
const FADING_FROM_PERCENT = 65

type Span = { startsAt: number; now: number }

/** In the order of registration. */
export function drawClaims(seed: number, scale: WorldScale, span: Span): DrawnClaim[] {
  const random = createRandom(seed, 'claims')
  const drawn = Array.from({ length: scale.claims }, (_, index) => {
    const claim = drawClaim(random, index, scale, span)
    return index === LOST.index ? { ...claim, ...drawLost(seed, span) } : claim
  })
  return [...drawn, ...drawOpenClaims(seed, scale, span)].sort(
    (one, other) => one.registeredAt - other.registeredAt || (one.document < other.document ? -1 : 1),
  )
}

/** Its purchase orders are due in two months at the earliest, so a world that is kept has them for a while. */
const OPEN_CLAIM_TYPE = 1
const OPEN_CLAIM_DAYS = 10

/** Claims with which each demo wallet can plan routes. */
function drawOpenClaims(seed: number, { openClaims = 0 }: WorldScale, { now }: Span): DrawnClaim[] {
  const random = createRandom(seed, 'open claims')
  const { name, face, tenors } = at(CLAIM_KINDS, OPEN_CLAIM_TYPE)
  return Array.from({ length: openClaims * DEMO_WALLETS.length }, (_, index) => {
    const registeredAt = random.between(now - OPEN_CLAIM_DAYS * DAY, now - 2 * HOUR)
    return {
      outcome: 'open',
      issuer: at(ISSUERS, index % (ISSUERS.length - 1)),
      beneficiary: walletActor(index % DEMO_WALLETS.length),
      token: 0,
      faceValue: drawFace(random, 0, face),
      claimType: OPEN_CLAIM_TYPE,
      document: `${name} ${50_001 + index * 7}`,
      registeredAt,
      dueAt: registeredAt + random.pick(tenors) * DAY,
    }
  })
}

/**
 * The first claim that is to be overdue is so for longer than its due day and `WRITE_DOWN_DAYS` of
 * contracts/CarryingValue.sol, so it has lost all its value. Its kind is due within weeks and financed by the first
 * vault of every world.
 */
const LOST = { index: OUTCOMES.indexOf('overdue'), token: 0, claimType: 3, overdueDays: 91 }

/** A world that is too short has it overdue for as long as possible. */
function drawLost(seed: number, span: Span) {
  const random = createRandom(seed, 'lost claim')
  const { token, claimType, index } = LOST
  const { name, face, tenors } = at(CLAIM_KINDS, claimType)
  return {
    outcome: 'lost' as const,
    token,
    claimType,
    faceValue: drawFace(random, token, face),
    document: documentOf(name, index),
    ...drawTimes(random, 'lost', random.pick(tenors), span),
  }
}

function documentOf(kind: string, index: number): string {
  return `${kind} ${10_001 + index * 7}`
}

function drawClaim(random: Random, index: number, scale: WorldScale, span: Span): DrawnClaim {
  const outcome = at(OUTCOMES, index % OUTCOMES.length)
  const token = random.pick([0, 0, 0, 1, 1, 2])
  const claimType = drawType(random, token)
  const kind = at(CLAIM_KINDS, claimType)
  const times = drawTimes(random, outcome, random.pick(kind.tenors), span)
  return {
    outcome,
    issuer: drawIssuer(random, times.registeredAt, span),
    beneficiary: walletActor((index + Math.floor(index / OUTCOMES.length)) % scale.wallets),
    token,
    faceValue: drawFace(random, token, kind.face),
    claimType,
    document: documentOf(kind.name, index),
    ...times,
  }
}

/** The issuer that is going to be deactivated has few claims, and none from shortly before that on. */
function drawIssuer(random: Random, registeredAt: number, { startsAt, now }: Span): number {
  const mayFade =
    random.chance(20) && (registeredAt - startsAt) * 100 < (now - startsAt) * FADING_FROM_PERCENT
  return mayFade ? FADING_ISSUER : at(ISSUERS, random.below(ISSUERS.length - 1))
}

function drawType(random: Random, token: number): number {
  const kinds = CLAIM_KINDS.map((kind, type) => ({ type, ...kind })).filter((kind) =>
    kind.tokens.includes(token),
  )
  let ticket = random.below(kinds.reduce((sum, kind) => sum + kind.weight, 0))
  const drawn = kinds.find((kind) => {
    ticket -= kind.weight
    return ticket < 0
  })
  return drawn?.type ?? 0
}

/** Small amounts are commoner than large ones; cents as invoices have them. */
function drawFace(random: Random, token: number, [low, high]: readonly [number, number]): bigint {
  const draw = random.below(1_001)
  const cents = low * 100 + Math.floor(((high - low) * draw * draw) / 10_000) + random.below(100)
  return wholeTokens(token, cents) / 100n
}

function drawTimes(random: Random, outcome: Outcome, tenorDays: number, { startsAt, now }: Span) {
  const opensAt = startsAt + 2 * DAY
  const tenor = Math.min(tenorDays * DAY, Math.floor((now - opensAt) / 2))
  const [earliest, latest] = registrationWindow(outcome, tenor, opensAt, now)
  const registeredAt = random.between(earliest, Math.max(earliest, latest))
  return { registeredAt, dueAt: registeredAt + tenor }
}

function registrationWindow(outcome: Outcome, tenor: number, opensAt: number, now: number): [number, number] {
  switch (outcome) {
    case 'settled':
    case 'settled unfinanced':
      return [opensAt, now - tenor - 5 * DAY]
    case 'overdue':
      return [Math.max(opensAt, now - tenor - 14 * DAY), now - tenor - HOUR]
    case 'lost':
      return [opensAt, now - tenor - LOST.overdueDays * DAY]
    default:
      return [Math.max(opensAt, now - tenor + 5 * HOUR), now - 2 * HOUR]
  }
}
