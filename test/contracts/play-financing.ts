/** Converts the raw numbers of a financing step to legs; most fit, some are just outside a limit. */
import type { Address, Hex } from 'viem'
import { executeFinancing as financeOnChain, signRoute, submitRoute } from '../support/scenario.ts'
import {
  advanceOf,
  executeFinancing,
  executeRoute,
  type Model,
  type ModelClaim,
  type ModelLeg,
  vaultOf,
} from './model.ts'
import { type Attempt, pick, pickClaim } from './play.ts'
import type { Stage } from './stage.ts'
import type { LegDraft, StepOf } from './steps.ts'

export async function playRoute(stage: Stage, model: Model, step: StepOf<'route'>): Promise<Attempt> {
  const { world } = stage
  const user = pick(stage.users, step.user)
  const legs: ModelLeg[] = []
  for (const draft of step.legs) legs.push(legOf(stage, model, user.address, draft, legs))
  const totalFace = legs.reduce((sum, leg) => sum + leg.faceAmount, 0n)
  const totalAdvance = legs.reduce((sum, leg) => sum + advanceOf(model, leg), 0n)
  const route = {
    user: user.address,
    token: tokenFor(stage, model, step, legs),
    legs,
    targetAdvance: { none: 0n, exact: totalAdvance, tooHigh: totalAdvance + 1n }[step.target],
    maxTotalFace: { none: totalFace + 7n, exact: totalFace, tooLow: totalFace > 0n ? totalFace - 1n : 0n }[
      step.limit
    ],
    nonce: (model.nonces.get(user.address) ?? 0n) + (step.wrongNonce ? 1n : 0n),
    deadline: model.now + (step.late ? -1n : { none: 0n, exact: 3600n, tooLong: 3601n }[step.lifetime]),
  }
  const signature = await signRoute(world, step.forged ? world.parties.curator : user, route)
  const submitter = step.relayed ? world.parties.relayer : user
  return {
    refusal: executeRoute(model, route, !step.forged),
    act: () => submitRoute(world, { route, signature, submitter }),
  }
}

export function playDirect(stage: Stage, model: Model, step: StepOf<'direct'>): Attempt {
  const user = pick(stage.users, step.user)
  const leg = legOf(stage, model, user.address, step.leg, [])
  const deadline = step.late ? model.now - 1n : model.now
  return {
    refusal: executeFinancing(model, user.address, leg, deadline),
    act: () => financeOnChain(stage.world, { user, deadline, ...leg }),
  }
}

/** The token of the route's claims, or once in a while another one. */
function tokenFor(stage: Stage, model: Model, step: StepOf<'route'>, [first]: readonly ModelLeg[]): Address {
  const own = first && model.claims.get(first.claimId)?.token
  const other = stage.tokens.find((token) => token !== own)
  return own && !step.otherToken ? own : (other ?? pick(stage.tokens, 0))
}

function legOf(
  stage: Stage,
  model: Model,
  user: string,
  draft: LegDraft,
  before: readonly ModelLeg[],
): ModelLeg {
  const claimId = claimFor(model, user, draft, before)
  const claim = model.claims.get(claimId)
  const vault = vaultFor(stage, model, claim, draft)
  const remaining = claim ? claim.faceValue - claim.financedFaceValue : 1_000n
  const faceAmount = draft.portion > 16 ? remaining + 1n : (remaining * BigInt(draft.portion)) / 16n
  const leg = { claimId, vault, faceAmount, minimumAdvanceAmount: 0n }
  const advance = advanceOf(model, leg)
  return { ...leg, minimumAdvanceAmount: { none: 0n, exact: advance, tooHigh: advance + 1n }[draft.minimum] }
}

function vaultFor(stage: Stage, model: Model, claim: ModelClaim | undefined, draft: LegDraft): Address {
  const fitting = stage.vaults.filter((address) => {
    const vault = vaultOf(model, address)
    return vault.token === claim?.token && vault.mandate.types.includes(claim.claimType)
  })
  return fitting.length > 0 && !draft.stray ? pick(fitting, draft.vault) : pick(stage.vaults, draft.vault)
}

/** A claim that the user can finance together with the legs before, if there is one. */
function claimFor(model: Model, user: string, draft: LegDraft, before: readonly ModelLeg[]): Hex {
  const first = before[0] && model.claims.get(before[0].claimId)
  const fitting = [...model.claims].filter(
    ([claimId, claim]) =>
      claim.beneficiary === user &&
      claim.state <= 2 &&
      claim.dueDate > model.now &&
      (!first || claim.token === first.token) &&
      !before.some((leg) => leg.claimId === claimId),
  )
  const claimIds = fitting.map(([claimId]) => claimId)
  return claimIds.length > 0 && !draft.stray ? pick(claimIds, draft.claim) : pickClaim(model, draft.claim)
}
