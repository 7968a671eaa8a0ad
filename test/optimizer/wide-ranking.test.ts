import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../api/domain/random.ts'
import { createChangedCopy } from '../../bench/optimizer/changed-copy.ts'
import { diceOf } from '../support/dice.ts'
import { disagreement } from './agreement.ts'
import { limitedInstance } from './limited-instances.ts'
import { smallInstance } from './small-instances.ts'

const SEED = 6_120
const INSTANCES = 150

/** Nodes with more than one claim that competes for a vault are wide, and nothing is enumerated. */
const ALL_WIDE = [
  { in: 'newWorkspace', find: 'widest = WIDEST', replace: 'widest = 1' },
  { in: 'FEW_ASSIGNMENTS', find: '256', replace: '1' },
]
const AT_ONCE = { in: 'FIRST_STEPS', find: '60_000_000', replace: '0' }

describe(`wide nodes (seed ${SEED}, ${INSTANCES} instances)`, () => {
  it.each([
    ['in one run', ALL_WIDE],
    ['in a second run', [...ALL_WIDE, AT_ONCE]],
  ])('decide every key of the ranking %s', async (_, changes) => {
    const { optimizeRoute, remove } = await createChangedCopy(changes)
    remove()
    for (let index = 0; index < INSTANCES; index++)
      for (const draw of [smallInstance, limitedInstance])
        expect(disagreement(draw(diceOf(seededRandom(SEED + index))), optimizeRoute)).toBeUndefined()
  })
})
