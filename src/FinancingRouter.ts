import { type Context, type Event, ponder } from 'ponder:registry'
import {
  activity,
  allocation,
  claim,
  credit,
  execution,
  executionLeg,
  routeCancellation,
  router,
  settlement,
} from 'ponder:schema'
import type { Hex } from 'viem'
import { executionKinds } from '../indexer/codes.ts'
import { addSettledToDueDay, addToIssuerDay, addToTokenDay } from '../indexer/days.ts'
import { invariant, unknown } from '../indexer/invariant.ts'
import { addPayment } from '../indexer/payment-record.ts'
import { changeOf, ordinalOfEvent, placeOf } from '../indexer/position.ts'
import { keepStatus } from '../indexer/versions.ts'

ponder.on('FinancingRouter:setup', async ({ context: { db, client, contracts } }) => {
  const { address, startBlock } = contracts.FinancingRouter
  const deployment = await client.getBlock({ blockNumber: BigInt(startBlock) })
  await db.insert(router).values({
    id: address,
    paused: false,
    changedBlock: deployment.number,
    changedAt: deployment.timestamp,
  })
  await keepStatus(db, { block: deployment }, address, false)
})

ponder.on('FinancingRouter:Executed', async ({ event, context: { db } }) => {
  const { executionId: id, user, token, submitter, legCount, totalFace, totalAdvance } = event.args
  const kind = executionKinds[event.args.kind]
  invariant(kind, 'FinancingRouter:Executed', `execution ${id} is of unknown kind ${event.args.kind}`)

  const added = await db
    .insert(execution)
    .values({
      id,
      user,
      token,
      kind,
      submitter,
      legCount,
      totalFace,
      totalAdvance,
      ...placeOf(event),
      ordinal: ordinalOfEvent(event),
    })
    .onConflictDoNothing()
  invariant(added, 'FinancingRouter:Executed', `execution ${id} happened already`)
  await db.insert(activity).values({
    id: ordinalOfEvent(event),
    wallet: user,
    kind: 'EXECUTION',
    token,
    amount: totalAdvance,
    executionId: id,
    ...placeOf(event),
  })
  await addToTokenDay(db, event, token, { executions: 1, faceFinanced: totalFace, advanced: totalAdvance })
})

ponder.on('FinancingRouter:LegExecuted', async ({ event, context: { db } }) => {
  const { executionId, claimId, vault, legIndex, sliceIndex, faceAmount, advanceAmount } = event.args
  const within = await db.find(execution, { id: executionId })
  invariant(
    within && legIndex < within.legCount,
    'FinancingRouter:LegExecuted',
    `execution ${executionId} has no leg ${legIndex}`,
  )
  const financed = await db.find(claim, { id: claimId })
  invariant(
    financed?.beneficiary === within.user && financed.token === within.token,
    'FinancingRouter:LegExecuted',
    `claim ${claimId} is not one of ${within.user} in ${within.token}`,
  )
  const part = await db.find(allocation, { claimId, sliceIndex })
  invariant(
    part?.executionId === executionId &&
      part.vault === vault &&
      part.faceAmount === faceAmount &&
      part.advanceAmount === advanceAmount,
    'FinancingRouter:LegExecuted',
    `slice ${sliceIndex} of claim ${claimId} is not allocated to vault ${vault} at ${faceAmount} for ${advanceAmount}`,
  )

  const ordinal = ordinalOfEvent(event)
  await db.insert(executionLeg).values({
    executionId,
    legIndex,
    claimId,
    vault,
    sliceIndex,
    faceAmount,
    advanceAmount,
    at: within.at,
    ordinal,
  })
})

ponder.on('FinancingRouter:RoutesCancelled', async ({ event, context: { db } }) => {
  const { user, nonce } = event.args
  const added = await db
    .insert(routeCancellation)
    .values({ user, nonce, ...placeOf(event) })
    .onConflictDoNothing()
  invariant(added, 'FinancingRouter:RoutesCancelled', `nonce ${nonce} of ${user} is used up already`)
})

ponder.on('FinancingRouter:ClaimPaid', async ({ event, context: { db } }) => {
  const { claimId, payer, token, faceAmount, paidFaceValue, sliceAmounts, beneficiaryAmount } = event.args
  const paid = await db
    .update(claim, { id: claimId })
    .set((row) => {
      invariant(
        row.paidFaceValue + faceAmount === paidFaceValue && paidFaceValue <= row.faceValue,
        'FinancingRouter:ClaimPaid',
        `claim ${claimId} of face ${row.faceValue} had ${row.paidFaceValue} paid, and ${faceAmount} more makes ${paidFaceValue}`,
      )
      invariant(
        (row.state === 'SETTLED') === (paidFaceValue === row.faceValue),
        'FinancingRouter:ClaimPaid',
        `claim ${claimId} of face ${row.faceValue} is ${row.state}, and ${paidFaceValue} of it is paid`,
      )
      return { paidFaceValue, ...changeOf(event) }
    })
    .catch(unknown('FinancingRouter:ClaimPaid', `claim ${claimId}`))
  const vaultsAmount = sliceAmounts.reduce((sum, amount) => sum + amount, 0n)
  invariant(
    vaultsAmount + beneficiaryAmount === faceAmount,
    'FinancingRouter:ClaimPaid',
    `${faceAmount} of claim ${claimId} was paid as ${vaultsAmount} + ${beneficiaryAmount}`,
  )
  for (const [sliceIndex, amount] of sliceAmounts.entries()) {
    if (amount > 0n) await paySlice(db, event, { claimId, sliceIndex, amount })
  }

  const { beneficiary, issuer, claimType } = paid
  await db.insert(settlement).values({
    id: ordinalOfEvent(event),
    claimId,
    payer,
    beneficiary,
    token,
    issuer,
    claimType,
    faceAmount,
    sliceAmounts: [...sliceAmounts],
    vaultsAmount,
    beneficiaryAmount,
    ...placeOf(event),
  })
  const shared = { token, claimId, ...placeOf(event) }
  await db.insert(activity).values([
    {
      id: ordinalOfEvent(event),
      wallet: payer,
      kind: 'SETTLEMENT_PAID',
      amount: faceAmount,
      ...shared,
    },
    {
      id: ordinalOfEvent(event, 1n),
      wallet: beneficiary,
      kind: 'SETTLEMENT_RECEIVED',
      amount: beneficiaryAmount,
      ...shared,
    },
  ])
  const settled = { settlements: 1, faceSettled: faceAmount }
  await addToTokenDay(db, event, token, settled)
  await addToIssuerDay(db, event, paid, { ...settled, vaultsAmount })
  await addPayment(db, event, paid, faceAmount)
})

/** Adds what a settlement pays for a slice. Its vault books it by `Repaid`, or later if the token does not pay it. */
async function paySlice(
  db: Context['db'],
  event: Event<'FinancingRouter:ClaimPaid'>,
  { claimId, sliceIndex, amount }: { claimId: Hex; sliceIndex: number; amount: bigint },
) {
  const slice = `slice ${sliceIndex} of claim ${claimId}`
  const part = await db
    .update(allocation, { claimId, sliceIndex })
    .set(({ faceAmount, ...row }) => {
      const paidFace = row.paidFace + amount
      invariant(
        paidFace <= faceAmount,
        'FinancingRouter:ClaimPaid',
        `${slice} has a face of ${faceAmount}, and ${paidFace} of it is paid`,
      )
      return { paidFace, settled: paidFace === faceAmount }
    })
    .catch(unknown('FinancingRouter:ClaimPaid', slice))
  await addSettledToDueDay(db, event, part, amount)
}

ponder.on('FinancingRouter:Credited', async ({ event, context: { db } }) => {
  const { claimId, account, token, amount } = event.args
  await db
    .insert(credit)
    .values({ account, token, amount })
    .onConflictDoUpdate((row) => ({ amount: row.amount + amount }))
  await db.insert(activity).values({
    id: ordinalOfEvent(event),
    wallet: account,
    kind: 'CREDITED',
    token,
    amount,
    claimId,
    ...placeOf(event),
  })
})

ponder.on('FinancingRouter:CreditWithdrawn', async ({ event, context: { db } }) => {
  const { account, token, amount } = event.args
  const row = await db.find(credit, { account, token })
  invariant(
    row && row.amount >= amount,
    'FinancingRouter:CreditWithdrawn',
    `${account} withdrew ${amount} of a credit of ${row?.amount ?? 0n} in ${token}`,
  )
  await db.update(credit, { account, token }).set({ amount: row.amount - amount })
  await db.insert(activity).values({
    id: ordinalOfEvent(event),
    wallet: account,
    kind: 'CREDIT_WITHDRAWN',
    token,
    amount,
    ...placeOf(event),
  })
})

ponder.on('FinancingRouter:Paused', async ({ event, context: { db } }) => {
  const id = event.log.address
  const row = await db.find(router, { id })
  invariant(row?.paused === false, 'FinancingRouter:Paused', `router ${id} is paused already`)
  await db.update(router, { id }).set({ paused: true, ...changeOf(event) })
  await keepStatus(db, event, id, true)
})

ponder.on('FinancingRouter:Unpaused', async ({ event, context: { db } }) => {
  const id = event.log.address
  const row = await db.find(router, { id })
  invariant(row?.paused === true, 'FinancingRouter:Unpaused', `router ${id} is not paused`)
  await db.update(router, { id }).set({ paused: false, ...changeOf(event) })
  await keepStatus(db, event, id, false)
})
