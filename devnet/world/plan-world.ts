/** Plans a world: the same seed and scale give the same world, shifted to the given present. */

import { actorsOf, LEAST_VAULTS, TOKENS, vaultsOf } from './accounts.ts'
import { createScheduleRunner } from './actions.ts'
import { DAY, drawClaims, HOUR } from './draw-claims.ts'
import { openMarket } from './market.ts'
import { openingSteps } from './opening.ts'
import type { Step, WorldPlan, WorldScale } from './plan.ts'
import { at } from './random.ts'
import { drawSchedule, type ScheduledAction } from './schedule.ts'

/** Scale of the world that `npm run dev` shows. */
export const DEMO_SCALE: WorldScale = {
  claims: 96,
  openClaims: 14,
  vaults: 14,
  days: 150,
  wallets: 3,
  blockHours: 1,
}
/**
 * A second's worth of world with everything in it, for tests: also a claim that its vault has written down to zero, 91
 * days after it was due.
 */
export const SMALL_SCALE: WorldScale = { claims: 60, vaults: 12, days: 120, wallets: 3, blockHours: 1 }

/** Shorter, and a claim could not be registered, financed and settled. */
const LEAST_DAYS = 20

/**
 * @param now Unix seconds at which the world ends.
 * @throws RangeError when the scale is too small for claims to be registered, financed and settled
 */
export function planWorld({ seed, scale, now }: { seed: number; scale: WorldScale; now: number }): WorldPlan {
  checkScale(scale)
  const startsAt = now - scale.days * DAY
  const drawn = drawClaims(seed, scale, { startsAt, now })
  const vaults = vaultsOf(scale.vaults)
  const actors = actorsOf(scale.wallets)
  const market = openMarket(vaults, drawn)
  const opening = openingSteps({ startsAt, scale, market })
  const run = createScheduleRunner(seed, market)
  const steps: Step[] = []
  for (const scheduled of byBlock(drawSchedule(seed, scale, { startsAt, now }, drawn), startsAt, scale)) {
    const time = at(scheduled, scheduled.length - 1).at
    const actions = scheduled.flatMap((action) => run(action, time))
    if (actions.length > 0) steps.push({ at: time, actions })
  }
  return {
    seed,
    startsAt,
    endsAt: now,
    actors,
    tokens: TOKENS,
    vaults,
    claims: drawn.map(({ outcome: _outcome, registeredAt: _at, ...claim }) => claim),
    steps: [...opening, ...steps],
    outcomes: market.claims.map(({ state, financedFaceValue, sliceCount }) => ({
      state,
      financedFaceValue,
      sliceCount,
    })),
  }
}

function checkScale(scale: WorldScale): void {
  if (scale.days < LEAST_DAYS || scale.vaults < LEAST_VAULTS || scale.wallets < 3 || scale.claims < 1) {
    const least = `claims 1, vaults ${LEAST_VAULTS}, days ${LEAST_DAYS}, wallets 3`
    throw new RangeError(`a world needs at least ${least}; asked for ${JSON.stringify(scale)}`)
  }
}

/** Actions of the same hours share a block, which keeps the chain of a large world short. */
function* byBlock(
  actions: readonly ScheduledAction[],
  startsAt: number,
  { blockHours }: WorldScale,
): Generator<ScheduledAction[]> {
  const blockOf = (action: ScheduledAction) => Math.floor((action.at - startsAt) / (blockHours * HOUR))
  let group: ScheduledAction[] = []
  for (const action of actions) {
    const previous = group[0]
    if (previous && blockOf(previous) !== blockOf(action)) {
      yield group
      group = []
    }
    group.push(action)
  }
  if (group.length > 0) yield group
}
