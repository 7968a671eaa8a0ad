import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { disagreement } from './agreement.ts'
import { diceOf, seededRandom, smallInstance } from './small-instances.ts'

const SEED = Number(process.env.OPTIMIZER_SEED ?? 20_260_101)
const RUNS = Number(process.env.OPTIMIZER_RUNS ?? 4_000)

describe(`optimizer against plain enumeration (seed ${SEED}, ${RUNS} instances)`, () => {
  it('agrees on cost, legs, face, pairs, reason and the most achievable advance', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0x7fffffff }), (instanceSeed) => {
        expect(disagreement(smallInstance(diceOf(seededRandom(instanceSeed))))).toBeUndefined()
      }),
      { seed: SEED, numRuns: RUNS, endOnFailure: true },
    )
  })
})
