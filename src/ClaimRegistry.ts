import { ponder } from 'ponder:registry'
import { activity, allocation, claim, issuer } from 'ponder:schema'
import { countClaim, countFinanced } from '../indexer/claim-total.ts'
import { claimStates } from '../indexer/codes.ts'
import { addToDueDay, addToIssuerDay, addToTokenDay } from '../indexer/days.ts'
import { invariant, unknown } from '../indexer/invariant.ts'
import { addOwed } from '../indexer/payment-record.ts'
import { changeOf, ordinalOfEvent, placeOf } from '../indexer/position.ts'

ponder.on('ClaimRegistry:ClaimRegistered', async ({ event, context: { db } }) => {
  const {
    claimId,
    issuer: address,
    beneficiary,
    token,
    faceValue,
    dueDate,
    claimType,
    documentHash,
  } = event.args
  const place = placeOf(event)
  const { claimCount } = await db
    .update(issuer, { address })
    .set((by) => {
      invariant(
        by.active,
        'ClaimRegistry:ClaimRegistered',
        `claim ${claimId} is of inactive issuer ${address}`,
      )
      return { claimCount: by.claimCount + 1 }
    })
    .catch(unknown('ClaimRegistry:ClaimRegistered', `issuer ${address}`))
  const added = await db
    .insert(claim)
    .values({
      id: claimId,
      issuer: address,
      beneficiary,
      token,
      faceValue,
      financedFaceValue: 0n,
      paidFaceValue: 0n,
      dueAt: dueDate,
      claimType,
      sliceCount: 0,
      state: 'ELIGIBLE',
      documentHash,
      registeredBlock: place.block,
      registeredAt: place.at,
      registeredTx: place.tx,
      ordinal: ordinalOfEvent(event),
      issuerClaimNumber: claimCount,
      ...changeOf(event),
    })
    .onConflictDoNothing()
  invariant(added, 'ClaimRegistry:ClaimRegistered', `claim ${claimId} is registered already`)
  await db.insert(activity).values({
    id: ordinalOfEvent(event),
    wallet: beneficiary,
    kind: 'CLAIM_REGISTERED',
    token,
    amount: faceValue,
    claimId,
    ...place,
  })
  const registered = { claimsRegistered: 1, faceRegistered: faceValue }
  await addToTokenDay(db, event, token, registered)
  await addToIssuerDay(db, event, added, registered)
  await countClaim(db, added, 1)
  await addOwed(db, added, faceValue)
})

ponder.on('ClaimRegistry:ClaimStateChanged', async ({ event, context: { db } }) => {
  const { claimId } = event.args
  const from = claimStates[event.args.from]
  const to = claimStates[event.args.to]
  invariant(
    to && to !== 'NONE',
    'ClaimRegistry:ClaimStateChanged',
    `claim ${claimId} has no state ${event.args.to}`,
  )
  if (from === 'NONE') {
    // The registration just before this event has stored the state that this one names.
    invariant(to === 'ELIGIBLE', 'ClaimRegistry:ClaimStateChanged', `claim ${claimId} began as ${to}`)
    return
  }
  const row = await db
    .update(claim, { id: claimId })
    .set(({ state }) => {
      invariant(
        from === state,
        'ClaimRegistry:ClaimStateChanged',
        `claim ${claimId} became ${to} from ${from}, but it was ${state}`,
      )
      return { state: to, ...changeOf(event) }
    })
    .catch(unknown('ClaimRegistry:ClaimStateChanged', `claim ${claimId}`))
  // The update above has found the claim in the state `from`.
  if (from) await countClaim(db, row, -1, from)
  await countClaim(db, row, 1)
  if (to === 'REVOKED') await addOwed(db, row, -row.faceValue)
  if (to === 'REVOKED' || to === 'CLOSED') {
    await db.insert(activity).values({
      id: ordinalOfEvent(event),
      wallet: row.beneficiary,
      kind: 'CLAIM_REVOKED',
      token: row.token,
      amount: row.faceValue - row.financedFaceValue,
      claimId,
      ...placeOf(event),
    })
  }
})

ponder.on('ClaimRegistry:SliceReserved', async ({ event, context: { db } }) => {
  const { claimId, sliceIndex, faceAmount, financedFaceValue } = event.args
  const financed = await db
    .update(claim, { id: claimId })
    .set((row) => {
      invariant(
        sliceIndex === row.sliceCount,
        'ClaimRegistry:SliceReserved',
        `claim ${claimId} has ${row.sliceCount} slices, but slice ${sliceIndex} was reserved`,
      )
      invariant(
        row.financedFaceValue + faceAmount === financedFaceValue && financedFaceValue <= row.faceValue,
        'ClaimRegistry:SliceReserved',
        `claim ${claimId} of face ${row.faceValue} had ${row.financedFaceValue} financed, and ${faceAmount} more makes ${financedFaceValue}`,
      )
      return { sliceCount: sliceIndex + 1, financedFaceValue, ...changeOf(event) }
    })
    .catch(unknown('ClaimRegistry:SliceReserved', `claim ${claimId}`))
  await countFinanced(db, financed, faceAmount)
})

/** The router's `LegExecuted`, the next event, checks what it belongs to. */
ponder.on('ClaimRegistry:AllocationRegistered', async ({ event, context: { db } }) => {
  const { claimId, vault, executionId, sliceIndex, faceAmount, advanceAmount } = event.args
  const of = await db.find(claim, { id: claimId })
  invariant(of, 'ClaimRegistry:AllocationRegistered', `claim ${claimId} is unknown`)
  const { token, issuer, claimType, dueAt } = of
  const added = await db
    .insert(allocation)
    .values({
      claimId,
      sliceIndex,
      vault,
      executionId,
      token,
      issuer,
      claimType,
      dueAt,
      settled: false,
      faceAmount,
      advanceAmount,
      paidFace: 0n,
      repaidFace: 0n,
      fundedBlock: event.block.number,
      fundedAt: event.block.timestamp,
      ordinal: ordinalOfEvent(event),
    })
    .onConflictDoNothing()
  invariant(
    added,
    'ClaimRegistry:AllocationRegistered',
    `slice ${sliceIndex} of claim ${claimId} is allocated already`,
  )
  await addToIssuerDay(db, event, of, { allocations: 1, faceFinanced: faceAmount, advanced: advanceAmount })
  await addToDueDay(db, dueAt, { vault, issuer, token }, { faceDue: faceAmount })
})
