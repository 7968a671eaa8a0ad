/**
 * Whatever anyone does in whatever order, the contracts do what the model says, and no token appears or disappears.
 * Claims are settled while the token does not pay the recipients, overdue ones lose their value, and visitors try to
 * take gains that they did not wait for. Nobody has more than it paid and its part of what was earned meanwhile, and no
 * share ever costs less than before. PROTOCOL_RUNS sets the number of random stories (2 unless given), PROTOCOL_SEED
 * repeats those of an earlier run.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { assertProperty } from '../support/property.ts'
import { startWorld } from '../support/protocol.ts'
import { brokenRules, type EntryPrice, entryPrices, isLower } from './model-rules.ts'
import { play } from './play.ts'
import { type Stage, setStage } from './stage.ts'
import { ending, opening, step } from './steps.ts'
import { shortfallsOf, suppliesOf, viewsOfChain, viewsOfModel } from './views.ts'

const numRuns = Number(process.env.PROTOCOL_RUNS ?? 1)
const seed = Number(process.env.PROTOCOL_SEED ?? Math.floor(Math.random() * 2 ** 31))

let world: Awaited<ReturnType<typeof startWorld>>
let stage: Stage
beforeAll(async () => {
  world = await startWorld()
  stage = await setStage(world)
})
afterAll(() => world.stop())

test('every random story ends as the model says and conserves every token', {
  timeout: 600_000 + numRuns * 60_000,
}, async () => {
  console.log(`PROTOCOL_SEED=${seed} PROTOCOL_RUNS=${numRuns}`)
  const { supplies } = await suppliesOf(stage)
  const story = fc.array(step, { minLength: 1, maxLength: 80 })
  const outcomes = new Map<string, number>()
  let snapshot = await world.chain.snapshot()

  await assertProperty(
    fc
      .asyncProperty(story, async (steps) => {
        const model = stage.freshModel()
        let before: EntryPrice[] = []
        for (const each of [...opening, ...steps, ...ending]) {
          const outcome = await play(stage, model, each)
          outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
          expect(await viewsOfChain(stage, [...model.claims.keys()])).toEqual(viewsOfModel(stage, model))
          expect(shortfallsOf(stage, model)).toEqual([])
          expect(brokenRules(model)).toEqual([])
          const prices = entryPrices(model)
          expect(prices.filter((price, vault) => isLower(price, before[vault]))).toEqual([])
          before = prices
          expect(await suppliesOf(stage)).toEqual({ supplies, held: supplies })
        }
      })
      .afterEach(async () => {
        await world.chain.revert({ id: snapshot })
        snapshot = await world.chain.snapshot()
      }),
    { numRuns, seed },
  )
  console.log(
    [...outcomes]
      .sort()
      .map(([outcome, times]) => `${outcome} × ${times}`)
      .join('\n'),
  )
  // A run in which nothing of a kind went through would have shown nothing.
  const kinds = ['register', 'route', 'cancel', 'direct', 'settle', 'revoke', 'deposit', 'withdraw', 'redeem']
  const others = [
    'visit',
    'withdrawCredit',
    'release',
    'carryForward',
    'submitTerms',
    'acceptTerms',
    'revokeTerms',
  ]
  for (const kind of [...kinds, ...others]) {
    expect(outcomes.get(kind) ?? 0, kind).toBeGreaterThan(0)
  }
})
