import { ponder } from 'ponder:registry'
import { activity, allocation, claim, execution, issuer, tokenDay, vault } from 'ponder:schema'
import { claimStates } from '../indexer/codes.ts'
import { invariant } from '../indexer/invariant.ts'
import { changeOf, dayOf, eventId, placeOf } from '../indexer/position.ts'
import { EMPTY_TOKEN_DAY } from '../indexer/token-day.ts'

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
  const { block, at, tx } = placeOf(event)
  const by = await db.find(issuer, { address })
  invariant(by?.active, 'ClaimRegistry:ClaimRegistered', `claim ${claimId} is of inactive issuer ${address}`)
  const known = await db.find(claim, { id: claimId })
  invariant(!known, 'ClaimRegistry:ClaimRegistered', `claim ${claimId} is registered already`)

  await db.insert(claim).values({
    id: claimId,
    issuer: address,
    beneficiary,
    token,
    faceValue,
    financedFaceValue: 0n,
    dueAt: dueDate,
    claimType,
    sliceCount: 0,
    state: 'ELIGIBLE',
    documentHash,
    registeredBlock: block,
    registeredAt: at,
    registeredTx: tx,
    ...changeOf(event),
  })
  await db.update(issuer, { address }).set({ claimCount: by.claimCount + 1 })
  await db.insert(activity).values({
    id: `${eventId(event)}-CLAIM_REGISTERED`,
    wallet: beneficiary,
    kind: 'CLAIM_REGISTERED',
    token,
    amount: faceValue,
    claimId,
    ...placeOf(event),
  })
  await db
    .insert(tokenDay)
    .values({ ...EMPTY_TOKEN_DAY, token, day: dayOf(event), claimsRegistered: 1, faceRegistered: faceValue })
    .onConflictDoUpdate((day) => ({
      claimsRegistered: day.claimsRegistered + 1,
      faceRegistered: day.faceRegistered + faceValue,
    }))
})

ponder.on('ClaimRegistry:ClaimStateChanged', async ({ event, context: { db } }) => {
  const { claimId, from, to } = event.args
  const state = claimStates[to]
  const row = await db.find(claim, { id: claimId })
  invariant(row, 'ClaimRegistry:ClaimStateChanged', `claim ${claimId} is unknown`)
  invariant(
    state && state !== 'NONE',
    'ClaimRegistry:ClaimStateChanged',
    `claim ${claimId} has no state ${to}`,
  )
  if (claimStates[from] === 'NONE') {
    // The registration just before this event has stored the state that this one names.
    const isRegistration = state === 'ELIGIBLE' && row.registeredTx === event.transaction.hash
    invariant(isRegistration, 'ClaimRegistry:ClaimStateChanged', `claim ${claimId} became ${state} from NONE`)
    return
  }
  invariant(
    claimStates[from] === row.state,
    'ClaimRegistry:ClaimStateChanged',
    `claim ${claimId} became ${state} from ${claimStates[from]}, but it was ${row.state}`,
  )

  await db.update(claim, { id: claimId }).set({ state, ...changeOf(event) })
  if (state === 'REVOKED') {
    await db.insert(activity).values({
      id: `${eventId(event)}-CLAIM_REVOKED`,
      wallet: row.beneficiary,
      kind: 'CLAIM_REVOKED',
      token: row.token,
      amount: row.faceValue,
      claimId,
      ...placeOf(event),
    })
  }
})

ponder.on('ClaimRegistry:SliceReserved', async ({ event, context: { db } }) => {
  const { claimId, sliceIndex, faceAmount, financedFaceValue } = event.args
  const row = await db.find(claim, { id: claimId })
  invariant(row, 'ClaimRegistry:SliceReserved', `claim ${claimId} is unknown`)
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

  await db
    .update(claim, { id: claimId })
    .set({ sliceCount: sliceIndex + 1, financedFaceValue, ...changeOf(event) })
})

ponder.on('ClaimRegistry:AllocationRegistered', async ({ event, context: { db } }) => {
  const { claimId, vault: address, executionId, sliceIndex, faceAmount, advanceAmount } = event.args
  const row = await db.find(claim, { id: claimId })
  invariant(
    row && sliceIndex === row.sliceCount - 1,
    'ClaimRegistry:AllocationRegistered',
    `slice ${sliceIndex} of claim ${claimId} is not the one just reserved`,
  )
  const by = await db.find(vault, { address })
  invariant(
    by?.token === row.token,
    'ClaimRegistry:AllocationRegistered',
    `vault ${address} is not one of token ${row.token}`,
  )
  const within = await db.find(execution, { id: executionId })
  invariant(within, 'ClaimRegistry:AllocationRegistered', `execution ${executionId} is unknown`)

  await db.insert(allocation).values({
    claimId,
    sliceIndex,
    vault: address,
    executionId,
    faceAmount,
    advanceAmount,
    fundedBlock: event.block.number,
    fundedAt: event.block.timestamp,
  })
})
