import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { claimStates } from '../../api/domain/claim.ts'
import { EXACT_SEARCH_MAX_CLAIMS } from '../../api/optimizer/model/problem.ts'
import { CLAIM_KINDS, DEMO_WALLETS, FADING_ISSUER, TOKENS } from '../../devnet/world/accounts.ts'
import type { Action, Step, WorldPlan } from '../../devnet/world/plan.ts'
import { DEMO_SCALE, planWorld, SMALL_SCALE } from '../../devnet/world/plan-world.ts'

const NOW = 1_790_000_000
const DAY = 86_400
const anySeed = fc.integer({ min: 0, max: 2 ** 31 })
const actionsOf = (plan: WorldPlan): Action[] => plan.steps.flatMap(({ actions }) => actions)
const countOf = (plan: WorldPlan, kind: Action['kind']) =>
  actionsOf(plan).filter((action) => action.kind === kind).length

function forAnyWorld(check: (plan: WorldPlan) => void): void {
  const anyScale = fc.constantFrom(DEMO_SCALE, SMALL_SCALE)
  const property = fc.property(anySeed, anyScale, (seed, scale) =>
    check(planWorld({ seed, scale, now: NOW })),
  )
  fc.assert(property, { numRuns: 40 })
}

describe('a planned world', () => {
  test('is the same for the same seed and scale, and another for another seed', () => {
    const plan = planWorld({ seed: 5, scale: DEMO_SCALE, now: NOW })
    expect(planWorld({ seed: 5, scale: DEMO_SCALE, now: NOW })).toEqual(plan)
    expect(planWorld({ seed: 6, scale: DEMO_SCALE, now: NOW }).claims).not.toEqual(plan.claims)
  })

  test('keeps its story when the present moves: only its times shift', () => {
    fc.assert(
      fc.property(anySeed, fc.integer({ min: 1, max: 400_000_000 }), (seed, later) => {
        const plan = planWorld({ seed, scale: SMALL_SCALE, now: NOW })
        const moved = planWorld({ seed, scale: SMALL_SCALE, now: NOW + later })
        const back = (step: Step) => ({ ...step, at: step.at - later })
        expect(moved.steps.map(back)).toEqual(plan.steps)
        expect(moved.outcomes).toEqual(plan.outcomes)
      }),
      { numRuns: 10 },
    )
  })

  test('takes place over months that end at the present, one block after the other', () => {
    forAnyWorld((plan) => {
      expect(plan.endsAt).toBe(NOW)
      const times = plan.steps.map(({ at }) => at)
      for (const [index, time] of times.entries()) {
        expect(time).toBeGreaterThan(times[index - 1] ?? plan.startsAt)
      }
      // The last three blocks belong to finality.
      expect(times.at(-1)).toBeLessThan(NOW - 2)
      expect(NOW - plan.startsAt).toBeGreaterThanOrEqual(60 * DAY)
    })
  })

  test('leaves each demo wallet more claims of one token to finance than the exact search takes', () => {
    fc.assert(
      fc.property(anySeed, (seed) => {
        const plan = planWorld({ seed, scale: DEMO_SCALE, now: NOW })
        for (const wallet of DEMO_WALLETS) {
          const open = plan.claims.filter(
            ({ beneficiary, token, dueAt, issuer }, index) =>
              plan.actors[beneficiary]?.role === `wallet-${wallet}` &&
              token === 0 &&
              issuer !== FADING_ISSUER &&
              dueAt > NOW + 40 * DAY &&
              plan.outcomes[index]?.state === 'ELIGIBLE',
          )
          expect(open.length).toBeGreaterThan(EXACT_SEARCH_MAX_CLAIMS)
        }
      }),
      { numRuns: 10 },
    )
  })

  test('has two tokens of 6 decimals, one that resets its approvals, and one token of 18', () => {
    forAnyWorld(({ tokens }) => {
      expect(tokens.map(({ decimals }) => decimals)).toEqual([6, 6, 18])
      expect(tokens.filter(({ resetsApproval }) => resetsApproval)).toHaveLength(1)
      expect(tokens.filter(({ hasPermit }) => hasPermit)).toHaveLength(1)
    })
  })

  test('has at least 12 vaults on different terms in every token, one left inactive and one nearly empty', () => {
    forAnyWorld((plan) => {
      expect(plan.vaults.length).toBeGreaterThanOrEqual(12)
      const terms = plan.vaults.map(({ mandate, pricing }) => JSON.stringify([mandate, pricing], exact))
      expect(new Set(terms).size).toBe(plan.vaults.length)
      expect(new Set(plan.vaults.map(({ token }) => token)).size).toBe(TOKENS.length)
      expect(plan.vaults.filter(({ character }) => character === 'nearly empty')).toHaveLength(1)
      const inactive = plan.vaults.findIndex(({ character }) => character === 'inactive')
      expect(actionsOf(plan)).toContainEqual({ kind: 'setVaultActive', vault: inactive, active: false })
    })
  })

  test('ends with one inactive issuer that has claims', () => {
    forAnyWorld((plan) => {
      const retired = actionsOf(plan).filter((action) => action.kind === 'setIssuerActive' && !action.active)
      expect(retired).toEqual([{ kind: 'setIssuerActive', issuer: FADING_ISSUER, active: false }])
    })
    expect(planWorld({ seed: 1, scale: DEMO_SCALE, now: NOW }).claims.map(({ issuer }) => issuer)).toContain(
      FADING_ISSUER,
    )
  })

  test('has at least 60 claims of several types, owned by all three demo wallets', () => {
    forAnyWorld(({ claims }) => {
      expect(claims.length).toBeGreaterThanOrEqual(60)
      expect(new Set(claims.map(({ beneficiary }) => beneficiary))).toEqual(new Set(DEMO_WALLETS))
      expect(new Set(claims.map(({ claimType }) => claimType)).size).toBeGreaterThanOrEqual(3)
      expect(new Set(claims.map(({ document }) => document)).size).toBe(claims.length)
      for (const { claimType, faceValue } of claims) {
        expect(claimType).toBeLessThan(CLAIM_KINDS.length)
        expect(faceValue).toBeGreaterThan(0n)
      }
    })
  })

  test('has claims in every state, and matured ones that nobody has settled', () => {
    forAnyWorld(({ claims, outcomes }) => {
      const states = new Set(outcomes.map(({ state }) => state))
      expect(states).toEqual(new Set(claimStates))
      const overdue = outcomes.filter(
        ({ state }, index) => state !== 'SETTLED' && (claims[index]?.dueAt ?? NOW) < NOW,
      )
      expect(overdue.length).toBeGreaterThan(0)
    })
  })

  test('has a financed claim that is unpaid for so long after its due date that it has no value left', () => {
    forAnyWorld(({ claims, outcomes }) => {
      const lost = outcomes.filter(
        ({ state, sliceCount }, index) =>
          state !== 'SETTLED' && sliceCount > 0 && (claims[index]?.dueAt ?? NOW) <= NOW - 91 * DAY,
      )
      expect(lost).not.toEqual([])
    })
  })

  test('has financed claims that are paid in part, and others whose rest is paid later', () => {
    forAnyWorld((plan) => {
      const paid = actionsOf(plan).flatMap((action) => (action.kind === 'pay' ? [action.claim] : []))
      const states = paid.map((claim) => plan.outcomes[claim])
      expect(states.some((outcome) => outcome?.state === 'SETTLED')).toBe(true)
      expect(states.some((outcome) => outcome?.state !== 'SETTLED' && outcome?.sliceCount)).toBe(true)
    })
  })

  test('lets a wallet that pays the rest of its claim approve no more than that', () => {
    const scale = { claims: 2400, vaults: 40, days: 150, wallets: 20, blockHours: 24 }
    const plan = planWorld({ seed: 2, scale, now: NOW })
    const actions = actionsOf(plan)
    const paid = new Map<number, bigint>()
    const rests = actions.flatMap((action, index) => {
      if (action.kind === 'pay') paid.set(action.claim, (paid.get(action.claim) ?? 0n) + action.faceAmount)
      const before = actions[index - 1]
      if (action.kind !== 'settle' || before?.kind !== 'approve' || before.owner !== action.payer) return []
      return [{ claim: action.claim, approved: before.amount }]
    })
    const unpaid = (claim: number) => (plan.claims[claim]?.faceValue ?? 0n) - (paid.get(claim) ?? 0n)
    expect(rests.filter(({ claim }) => paid.has(claim))).not.toEqual([])
    expect(rests).toEqual(rests.map(({ claim }) => ({ claim, approved: unpaid(claim) })))
  })

  test('has executions by route and direct, deposits, withdrawals, changed terms, and a pause that ended', () => {
    forAnyWorld((plan) => {
      for (const kind of ['executeRoute', 'financeDirect', 'withdraw', 'deposit'] as const) {
        expect(countOf(plan, kind), kind).toBeGreaterThan(2)
      }
      const routes = actionsOf(plan).flatMap((action) => (action.kind === 'executeRoute' ? [action] : []))
      expect(routes.some(({ legs }) => legs.length > 1)).toBe(true)
      expect(routes.some(({ user, submitter }) => user !== submitter)).toBe(true)
      expect(countOf(plan, 'submitTerms')).toBe(4)
      expect(countOf(plan, 'acceptTerms')).toBeGreaterThan(0)
      expect([countOf(plan, 'pause'), countOf(plan, 'unpause')]).toEqual([1, 1])
    })
  })

  test('refuses a scale without room for the story, and says what it needs', () => {
    const scale = { ...DEMO_SCALE, vaults: 3 }
    expect(() => planWorld({ seed: 1, scale, now: NOW })).toThrow(/at least .*vaults 5/)
  })
})

function exact(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value
}
