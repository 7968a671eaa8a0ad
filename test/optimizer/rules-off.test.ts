import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../api/domain/random.ts'
import { createChangedCopy } from '../../bench/optimizer/changed-copy.ts'
import { rules } from '../../bench/optimizer/rules.ts'
import { diceOf } from '../support/dice.ts'
import { disagreement } from './agreement.ts'
import { smallInstance } from './small-instances.ts'

const SEED = 4_510
const INSTANCES = 8

const instances = Array.from({ length: INSTANCES }, (_, index) =>
  smallInstance(diceOf(seededRandom(SEED + index))),
)

describe(`the rules of the search (seed ${SEED}, ${INSTANCES} instances)`, () => {
  it.each(rules)('change no answer when one is switched off: $name', async ({ off }) => {
    const { optimizeRoute, remove } = await createChangedCopy([off])
    remove()
    for (const instance of instances) expect(disagreement(instance, optimizeRoute)).toBeUndefined()
  })
})
