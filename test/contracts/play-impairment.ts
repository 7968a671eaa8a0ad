/** Impairments of slices that are overdue, or not yet. */
import { impair } from '../support/scenario.ts'
import { type Model, sliceKey, vaultOf } from './model.ts'
import * as modelled from './model-profit.ts'
import { type Attempt, pick, pickClaim } from './play.ts'
import type { Stage } from './stage.ts'
import type { StepOf } from './steps.ts'

export function playImpair(stage: Stage, model: Model, step: StepOf<'impair'>): Attempt {
  const { claimId, sliceIndex, vault: own, carried } = sliceOf(model, step)
  const vault = own && !step.stray ? own : pick(stage.vaults, step.slice)
  const carryingValue = (carried * BigInt(step.portion)) / 16n
  const { curator } = stage.world.parties
  const caller = step.byCurator ? curator : stage.payers[0]
  const impairment = { vault, claimId, sliceIndex, carryingValue }
  return {
    refusal: modelled.impair(model, impairment, { address: caller.address, isCurator: step.byCurator }),
    act: () => impair(stage.world, { caller, ...impairment }),
  }
}

/** The second from which the caller may impair the slice, or around it; the next step's time where that is past. */
export function timeOfImpairment(model: Model, step: StepOf<'impair'>): bigint {
  const { dueDate } = sliceOf(model, step)
  const grace = BigInt(step.byCurator ? 30 : 90) * 86_400n
  const moment = step.offset === undefined ? 0n : dueDate + grace + BigInt(step.offset)
  return moment > model.now ? moment : model.now + BigInt(step.elapsed)
}

function sliceOf(model: Model, step: StepOf<'impair'>) {
  const outstanding = [...model.claims].flatMap(([claimId, { state, dueDate, allocations }]) =>
    allocations.flatMap(({ vault, advanceAmount }, sliceIndex) => {
      const written = vaultOf(model, vault).impairments.get(sliceKey(claimId, sliceIndex)) ?? 0n
      return state === 2 || state === 3
        ? [{ claimId, sliceIndex, vault, dueDate, carried: advanceAmount - written }]
        : []
    }),
  )
  const none = {
    claimId: pickClaim(model, step.slice),
    sliceIndex: 9,
    vault: undefined,
    dueDate: 0n,
    carried: 16n,
  }
  return outstanding.length > 0 ? pick(outstanding, step.slice) : none
}
