/**
 * Settlements and revocations with recipients that a token does not pay, and what becomes of the amounts that the
 * router holds for them.
 */
import type { Address } from 'viem'
import { expect } from 'vitest'
import {
  pay,
  releaseRepayment,
  revokeClaim,
  setBlocked,
  settle,
  withdrawCredit,
} from '../support/scenario.ts'
import { type Model, vaultOf } from './model.ts'
import * as modelled from './model-settlement.ts'
import { entryAssetsOf } from './model-value.ts'
import { type Attempt, pick, pickClaim } from './play.ts'
import type { Stage } from './stage.ts'
import type { StepOf } from './steps.ts'

export function playSettle(stage: Stage, model: Model, step: StepOf<'settle'>): Attempt {
  const due = [...model.claims].filter(
    ([, claim]) => claim.dueDate <= model.now && modelled.isPayable(claim.state),
  )
  const fitting = due.map(([claimId]) => claimId)
  const claimId = fitting.length > 0 && !step.stray ? pick(fitting, step.claim) : pickClaim(model, step.claim)
  const payer = stage.payers[step.poor ? 1 : 0]
  const claim = model.claims.get(claimId)
  const other = stage.tokens.find((token) => token !== claim?.token)
  const token = (step.otherToken ? other : claim?.token) ?? pick(stage.tokens, 0)
  const unpaid = claim ? claim.faceValue - claim.paidFaceValue : 1n
  const maxAmount = step.tooLow && unpaid > 0n ? unpaid - 1n : unpaid
  const settlement = { claimId, token, maxAmount }
  const payment = { claimId, token, faceAmount: (unpaid * BigInt(step.part ?? 0)) / 16n }
  const isPart = step.part !== null
  const blocked = blockedBy(stage, step)
  const ofClaim = claim?.token === stage.blocking ? blocked : []
  const refusal = atOnePrice(stage, model, () =>
    isPart
      ? modelled.pay(model, payer.address, payment, ofClaim)
      : modelled.settle(model, payer.address, settlement, ofClaim),
  )
  return {
    refusal,
    act: () =>
      whileBlocked(stage, blocked, () =>
        isPart ? pay(stage.world, { payer, ...payment }) : settle(stage.world, { payer, ...settlement }),
      ),
  }
}

export function playRevoke(stage: Stage, model: Model, step: StepOf<'revoke'>): Attempt {
  const claimId = pickClaim(model, step.claim)
  const claim = model.claims.get(claimId)
  const own = stage.issuers.find((party) => party.address === claim?.issuer)
  const issuer = own && !step.stray ? own : stage.world.parties.curator
  return {
    refusal: modelled.revoke(model, issuer.address, claimId),
    act: () => revokeClaim(stage.world, { issuer, claimId }),
  }
}

export function playWithdrawCredit(stage: Stage, model: Model, step: StepOf<'withdrawCredit'>): Attempt {
  const credited = stage.users.filter(
    ({ address }) => (model.credits.get(stage.blocking)?.get(address) ?? 0n) > 0n,
  )
  const account = pick(credited.length > 0 && !step.stray ? credited : stage.users, step.account)
  const token = stage.blocking
  return {
    refusal: modelled.withdrawCredit(model, account.address, token),
    act: () => withdrawCredit(stage.world, { account, token }),
  }
}

export function playRelease(stage: Stage, model: Model, step: StepOf<'release'>): Attempt {
  const slices = [...model.claims].flatMap(([claimId, { allocations }]) =>
    allocations.map((_, sliceIndex) => ({ claimId, sliceIndex })),
  )
  const held = slices.filter(({ claimId, sliceIndex }) => model.held.has(`${claimId} ${sliceIndex}`))
  const none = { claimId: pickClaim(model, step.slice), sliceIndex: 255 }
  const from = held.length > 0 && !step.stray ? held : [none, ...slices]
  const slice = pick(from, step.slice)
  const [sender] = stage.payers
  return {
    refusal: atOnePrice(stage, model, () =>
      modelled.releaseRepayment(model, slice.claimId, slice.sliceIndex),
    ),
    act: () => releaseRepayment(stage.world, { sender, ...slice }),
  }
}

/** Runs what pays vaults, and checks that their shares cost the same before and after it. */
function atOnePrice<result>(stage: Stage, model: Model, run: () => result): result {
  const worth = () => stage.vaults.map((address) => entryAssetsOf(vaultOf(model, address), model.now))
  const before = worth()
  const result = run()
  expect(worth()).toEqual(before)
  return result
}

function blockedBy(stage: Stage, { blocked }: StepOf<'settle'>): Address[] {
  const users = stage.users.map(({ address }) => address)
  return { none: [], beneficiary: users, vaults: stage.vaults, all: [...users, ...stage.vaults] }[blocked]
}

/** Blocks and unblocks by writing the token's storage, so that no block lies between. */
async function whileBlocked<result>(stage: Stage, accounts: readonly Address[], run: () => Promise<result>) {
  const set = (blocked: boolean) =>
    Promise.all(
      accounts.map((account) => setBlocked(stage.world, { token: stage.blocking, account, blocked })),
    )
  await set(true)
  try {
    return await run()
  } finally {
    await set(false)
  }
}
