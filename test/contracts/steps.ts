/** The random steps of the property test: raw numbers, which `play.ts` converts to valid actions. */
import fc from 'fast-check'

const index = fc.nat({ max: 30 })
/** True once in a while; simplest when false. */
const rarely = fc.nat({ max: 19 }).map((value) => value === 19)
/** Seconds between this step's block and the one before. */
const elapsed = fc.integer({ min: 1, max: 4_000 })

/** 0 and 17 are the edges, on which little goes through. */
const sixteenths = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: 1, max: 16 }) },
  { weight: 1, arbitrary: fc.constantFrom(0, 17) },
)
/** The first two mostly, the last, which is refused, once in a while. */
const often = <first extends string, second extends string, last extends string>(
  first: first,
  second: second,
  last: last,
) =>
  fc.oneof(
    { weight: 5, arbitrary: fc.constant(first) },
    { weight: 10, arbitrary: fc.constant(second) },
    { weight: 1, arbitrary: fc.constant(last) },
  )

const leg = fc.record({
  claim: index,
  vault: index,
  /** Sixteenths of what remains of the claim; 17 asks for one unit too much. */
  portion: sixteenths,
  /** The minimum advance is exactly what the vault pays, one more, or 0. */
  minimum: often('none', 'exact', 'tooHigh'),
  /** Take any claim and vault, fitting or not. */
  stray: rarely,
})

const register = fc.record({
  kind: fc.constant('register' as const),
  elapsed,
  issuer: index,
  beneficiary: index,
  token: index,
  faceValue: fc.oneof(
    { weight: 1, arbitrary: fc.bigInt({ min: 0n, max: 30n }) },
    { weight: 4, arbitrary: fc.bigInt({ min: 500n, max: 60_000n }) },
  ),
  dueIn: fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom(0n, 1n, 86_400n, 864_000n) },
    { weight: 1, arbitrary: fc.bigInt({ min: 2n, max: 40n * 86_400n }) },
    { weight: 6, arbitrary: fc.bigInt({ min: 86_400n, max: 20n * 86_400n }) },
  ),
  claimType: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 4 })),
  document: fc.nat({ max: 60 }),
  cancelled: rarely,
  expired: rarely,
  /** The beneficiary is a vault. */
  unpayable: rarely,
  forged: rarely,
})

const route = fc.record({
  kind: fc.constant('route' as const),
  elapsed,
  user: index,
  legs: fc.oneof(
    { weight: 12, arbitrary: fc.array(leg, { minLength: 1, maxLength: 4 }) },
    { weight: 1, arbitrary: fc.array(leg, { minLength: 0, maxLength: 9 }) },
  ),
  target: often('none', 'exact', 'tooHigh'),
  limit: often('none', 'exact', 'tooLow'),
  wrongNonce: rarely,
  lifetime: often('none', 'exact', 'tooLong'),
  late: rarely,
  forged: rarely,
  relayed: fc.boolean(),
  otherToken: rarely,
})

const direct = fc.record({ kind: fc.constant('direct' as const), elapsed, user: index, leg, late: rarely })
/** Whom the token does not pay meanwhile, if it blocks accounts. */
const blocked = fc.constantFrom('none', 'beneficiary', 'vaults', 'all')
const settle = fc.record({
  kind: fc.constant('settle' as const),
  elapsed,
  claim: index,
  poor: rarely,
  otherToken: rarely,
  tooLow: rarely,
  stray: rarely,
  blocked,
  /** Sixteenths of what is unpaid, as a part; null settles the claim. */
  part: fc.option(sixteenths),
})
const cancel = fc.record({ kind: fc.constant('cancel' as const), elapsed, user: index })
const revoke = fc.record({
  kind: fc.constant('revoke' as const),
  elapsed,
  claim: index,
  stray: rarely,
})
const capital = (kind: 'deposit' | 'withdraw' | 'redeem') =>
  fc.record({
    kind: fc.constant(kind),
    elapsed,
    /** The third enters and leaves. */
    provider: fc.nat({ max: 1 }),
    vault: index,
    /** Sixteenths of what is possible; 17 asks for one unit too much. */
    portion: sixteenths,
  })
const withdrawCredit = fc.record({
  kind: fc.constant('withdrawCredit' as const),
  elapsed,
  /** Index into the accounts that have a credit; into the users when stray. */
  account: index,
  stray: rarely,
})
/** Brings a vault's value forward to a day before or after the present one, which changes nothing. */
const carryForward = fc.record({
  kind: fc.constant('carryForward' as const),
  elapsed,
  vault: index,
  days: fc.oneof(fc.integer({ min: -120, max: 3 }), fc.constant(10_000)),
})
const release = fc.record({ kind: fc.constant('release' as const), elapsed, slice: index, stray: rarely })
/** Someone enters a vault, a claim is settled, and they leave. */
const visit = fc.record({
  kind: fc.constant('visit' as const),
  elapsed,
  vault: index,
  claim: index,
  portion: sixteenths,
  stay: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 86_400 })),
})
const donate = fc.record({
  kind: fc.constant('donate' as const),
  elapsed,
  vault: index,
  amount: fc.nat({ max: 9_999 }),
})
const wait = fc.oneof(
  fc.record({
    kind: fc.constant('wait' as const),
    elapsed: fc.oneof(
      { weight: 9, arbitrary: fc.integer({ min: 1, max: 5 * 86_400 }) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 100 * 86_400 }) },
    ),
  }),
  /** To a second around which a claim falls due, its days to due change, or its write-down begins or ends. */
  fc.record({
    kind: fc.constant('approach' as const),
    claim: index,
    days: fc.oneof({ weight: 9, arbitrary: fc.nat({ max: 3 }) }, fc.constantFrom(-45, -90)),
    midnight: fc.boolean(),
    offset: fc.constantFrom(-1, 0, 1),
  }),
)
const administer = fc.oneof(
  fc.record({
    kind: fc.constant('vaultActive' as const),
    elapsed,
    vault: index,
    active: fc.nat(3).map((n) => n < 3),
  }),
  fc.record({
    kind: fc.constant('issuerActive' as const),
    elapsed,
    issuer: index,
    active: fc.nat(3).map((n) => n < 3),
  }),
  fc.record({ kind: fc.constant('pause' as const), elapsed }),
)
const terms = fc.oneof(
  fc.record({
    kind: fc.constant('submitTerms' as const),
    elapsed,
    vault: index,
    /** The present rates are raised by these, or replaced. */
    raises: fc.boolean(),
    baseDiscountBps: fc.integer({ min: 0, max: 900 }),
    durationBpsPerDay: fc.integer({ min: 0, max: 60 }),
    premiumBps: fc.array(fc.integer({ min: 0, max: 500 }), { maxLength: 4 }),
    /** The bound of the mandate that becomes narrower or wider. */
    bound: fc.constantFrom(
      'types',
      'minDurationDays',
      'maxDurationDays',
      'minFace',
      'maxFace',
      'maxClaimFace',
      'maxIssuerFace',
      'none',
    ),
    widens: fc.boolean(),
    stray: rarely,
  }),
  fc.record({
    kind: fc.constant('acceptTerms' as const),
    elapsed,
    vault: index,
    /** A second before the notice is over, when it is, or without waiting for it. */
    wait: fc.constantFrom('less', 'exact', 'none'),
  }),
  fc.record({ kind: fc.constant('revokeTerms' as const), elapsed, vault: index, stray: rarely }),
)

export const step = fc.oneof(
  { weight: 8, arbitrary: register },
  { weight: 10, arbitrary: route },
  { weight: 4, arbitrary: direct },
  { weight: 5, arbitrary: settle },
  { weight: 3, arbitrary: capital('deposit') },
  { weight: 2, arbitrary: capital('withdraw') },
  { weight: 2, arbitrary: capital('redeem') },
  { weight: 3, arbitrary: visit },
  { weight: 2, arbitrary: withdrawCredit },
  { weight: 2, arbitrary: release },
  { weight: 1, arbitrary: donate },
  { weight: 1, arbitrary: revoke },
  { weight: 1, arbitrary: carryForward },
  { weight: 1, arbitrary: cancel },
  { weight: 3, arbitrary: wait },
  { weight: 2, arbitrary: administer },
  { weight: 4, arbitrary: terms },
)

const plainLeg = { claim: 1, vault: 0, portion: 5, minimum: 'exact', stray: false } as const
const plainRoute = {
  target: 'exact',
  limit: 'exact',
  wrongNonce: false,
  lifetime: 'exact',
  late: false,
  forged: false,
  otherToken: false,
} as const
export const plainSettlement = {
  poor: false,
  otherToken: false,
  tooLow: false,
  stray: false,
  part: null,
} as const

const looserTerms = (vault: number): Step => ({
  kind: 'submitTerms',
  elapsed: 1,
  vault,
  raises: true,
  baseDiscountBps: 0,
  durationBpsPerDay: 0,
  premiumBps: [],
  bound: 'maxFace',
  widens: true,
  stray: false,
})

/** How every story begins: capital in all vaults, a few claims, and one of each action that goes through. */
export const opening: readonly Step[] = [
  ...[0, 1, 2, 0, 3, 4].map((vault) => ({
    kind: 'deposit' as const,
    elapsed: 1,
    provider: vault % 2,
    vault,
    portion: 8,
  })),
  ...[0, 1, 2, 3, 4, 5, 6, 7, 8].map((document) => ({
    kind: 'register' as const,
    elapsed: 1,
    issuer: document,
    beneficiary: document >> 1,
    token: document > 7 ? 3 : document > 4 ? document % 3 : 0,
    faceValue: BigInt(document + 1) * 3_001n,
    dueIn: BigInt(document === 5 ? 3 : document + 2) * 2n * 86_400n,
    claimType: document % 2,
    document: 100 + document,
    cancelled: false,
    expired: false,
    unpayable: false,
    forged: false,
  })),
  { kind: 'route', elapsed: 1, user: 0, legs: [plainLeg, plainLeg], relayed: true, ...plainRoute },
  { kind: 'cancel', elapsed: 1, user: 0 },
  { kind: 'direct', elapsed: 1, user: 1, leg: plainLeg, late: false },
  { kind: 'withdraw', elapsed: 1, provider: 0, vault: 0, portion: 1 },
  { kind: 'redeem', elapsed: 1, provider: 0, vault: 0, portion: 1 },
  { kind: 'approach', claim: 0, days: 0, midnight: false, offset: 0 },
  { kind: 'settle', elapsed: 1, claim: 0, ...plainSettlement, part: 5, blocked: 'none' },
  { kind: 'settle', elapsed: 1, claim: 0, ...plainSettlement, blocked: 'none' },
  { kind: 'visit', elapsed: 1, vault: 0, claim: 0, portion: 8, stay: 1 },
  // Claim 5 is in the token that blocks accounts: its vault and its beneficiary get later what they could not be paid.
  { kind: 'direct', elapsed: 1, user: 0, leg: { ...plainLeg, claim: 2 }, late: false },
  { kind: 'approach', claim: 5, days: 0, midnight: false, offset: 0 },
  { kind: 'settle', elapsed: 1, claim: 5, ...plainSettlement, stray: true, part: 8, blocked: 'all' },
  { kind: 'withdrawCredit', elapsed: 1, account: 0, stray: false },
  { kind: 'release', elapsed: 1, slice: 0, stray: false },
  { kind: 'direct', elapsed: 1, user: 1, leg: { ...plainLeg, claim: 4 }, late: false },
  // The claim in the token of 36 decimals.
  { kind: 'direct', elapsed: 1, user: 0, leg: { ...plainLeg, claim: 3 }, late: false },
  // A claim that is partially funded.
  { kind: 'revoke', elapsed: 1, claim: 3, stray: false },
  { kind: 'carryForward', elapsed: 1, vault: 0, days: 10_000 },
  looserTerms(4),
  { kind: 'acceptTerms', elapsed: 1, vault: 4, wait: 'less' },
  { kind: 'acceptTerms', elapsed: 1, vault: 4, wait: 'exact' },
  looserTerms(1),
  { kind: 'revokeTerms', elapsed: 1, vault: 1, stray: false },
]

/** How every story ends: overdue claims are written down, then paid, and what could not be paid is withdrawn. */
export const ending: readonly Step[] = [
  { kind: 'wait', elapsed: 60 * 86_400 },
  ...Array.from({ length: 16 }, (_, i) => ({
    kind: 'settle' as const,
    elapsed: 1,
    claim: 0,
    ...plainSettlement,
    part: i % 2 === 0 ? 7 : null,
    blocked: i % 4 === 0 ? ('none' as const) : ('all' as const),
  })),
  { kind: 'visit', elapsed: 1, vault: 3, claim: 0, portion: 16, stay: 86_400 },
  { kind: 'withdrawCredit', elapsed: 1, account: 0, stray: false },
  { kind: 'release', elapsed: 1, slice: 0, stray: false },
]

type Generated<arbitrary> = arbitrary extends fc.Arbitrary<infer value> ? value : never
export type Step = Generated<typeof step>
export type StepOf<kind extends Step['kind']> = Extract<Step, { kind: kind }>
export type LegDraft = Generated<typeof leg>
