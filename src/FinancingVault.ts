import { ponder } from 'ponder:registry'
import { activity, allocation, pendingTerms, vault } from 'ponder:schema'
import { zeroAddress } from 'viem'
import { moveCapital } from '../indexer/capital.ts'
import { addToIssuerDay } from '../indexer/days.ts'
import { invariant, unknown } from '../indexer/invariant.ts'
import { changeOf, ordinalOfEvent, placeOf } from '../indexer/position.ts'
import { bookDeposit, bookWithdrawal, moveShares } from '../indexer/share-positions.ts'
import { addValue, removeValue } from '../indexer/value-days.ts'
import { mandateColumns, pricingColumns, writeTerms } from '../indexer/vault-terms.ts'
import { keepVault } from '../indexer/versions.ts'

ponder.on('FinancingVault:TermsSubmitted', async ({ event, context: { db } }) => {
  const { mandate, pricing, effectiveAt } = event.args
  const terms = {
    ...mandateColumns(mandate),
    ...pricingColumns(pricing),
    effectiveAt,
    submittedBlock: event.block.number,
    submittedAt: event.block.timestamp,
  }
  await db
    .insert(pendingTerms)
    .values({ vault: event.log.address, ...terms })
    .onConflictDoUpdate(terms)
})

ponder.on('FinancingVault:TermsRevoked', async ({ event, context: { db } }) => {
  const address = event.log.address
  const isRevoked = await db.delete(pendingTerms, { vault: address })
  invariant(isRevoked, 'FinancingVault:TermsRevoked', `vault ${address} has no pending terms`)
})

/** The first event of terms that take effect. They replace those that are pending. */
ponder.on('FinancingVault:MandateChanged', async ({ event, context: { db } }) => {
  const address = event.log.address
  await db.delete(pendingTerms, { vault: address })
  const before = await db.find(vault, { address })
  const after = await db
    .update(vault, { address })
    .set({ ...mandateColumns(event.args.mandate), ...changeOf(event) })
    .catch(unknown('FinancingVault:MandateChanged', `vault ${address}`))
  await writeTerms(db, after, before)
  await keepVault(db, event, after)
})

ponder.on('FinancingVault:PricingChanged', async ({ event, context: { db } }) => {
  const address = event.log.address
  const after = await db
    .update(vault, { address })
    .set({ ...pricingColumns(event.args.pricing), ...changeOf(event) })
    .catch(unknown('FinancingVault:PricingChanged', `vault ${address}`))
  await writeTerms(db, after)
  await keepVault(db, event, after)
})

ponder.on('FinancingVault:OwnershipTransferred', async ({ event, context: { db } }) => {
  const address = event.log.address
  const { previousOwner, newOwner } = event.args
  // The vault's construction, one event before its registration, which names the curator.
  if (previousOwner === zeroAddress) return
  const after = await db
    .update(vault, { address })
    .set(({ curator }) => {
      invariant(
        curator === previousOwner,
        'FinancingVault:OwnershipTransferred',
        `${previousOwner} was not the curator of vault ${address}`,
      )
      return { curator: newOwner, ...changeOf(event) }
    })
    .catch(unknown('FinancingVault:OwnershipTransferred', `vault ${address}`))
  await keepVault(db, event, after)
})

/** Shares that are issued or burnt have a deposit or a withdrawal, which changes their total. */
ponder.on('FinancingVault:Transfer', async ({ event, context: { db } }) => moveShares(db, event))

ponder.on('FinancingVault:Deposit', async ({ event, context: { db } }) => {
  const { owner, assets, shares } = event.args
  const { token } = await moveCapital(db, 'FinancingVault:Deposit', event, {
    kind: 'DEPOSIT',
    amount: assets,
    idleAssets: assets,
    totalShares: shares,
  })
  await bookDeposit(db, event)
  await db.insert(activity).values({
    id: ordinalOfEvent(event),
    wallet: owner,
    kind: 'VAULT_DEPOSIT',
    token,
    amount: assets,
    vault: event.log.address,
    ...placeOf(event),
  })
})

ponder.on('FinancingVault:Withdraw', async ({ event, context: { db } }) => {
  const { owner, assets, shares } = event.args
  const { token } = await moveCapital(db, 'FinancingVault:Withdraw', event, {
    kind: 'WITHDRAWAL',
    amount: assets,
    idleAssets: -assets,
    totalShares: -shares,
  })
  await bookWithdrawal(db, event)
  await db.insert(activity).values({
    id: ordinalOfEvent(event),
    wallet: owner,
    kind: 'VAULT_WITHDRAWAL',
    token,
    amount: assets,
    vault: event.log.address,
    ...placeOf(event),
  })
})

ponder.on('FinancingVault:Funded', async ({ event, context: { db } }) => {
  const { claimId, sliceIndex, faceAmount, advanceAmount } = event.args
  const part = await db.find(allocation, { claimId, sliceIndex })
  invariant(
    part?.vault === event.log.address &&
      part.faceAmount === faceAmount &&
      part.advanceAmount === advanceAmount &&
      part.dueAt > event.block.timestamp,
    'FinancingVault:Funded',
    `slice ${sliceIndex} of claim ${claimId} is not allocated to vault ${event.log.address} at ${faceAmount} for ${advanceAmount}`,
  )

  const lines = await addValue(db, part, event.block.timestamp)
  await moveCapital(db, 'FinancingVault:Funded', event, {
    kind: 'FUNDING',
    amount: advanceAmount,
    claimId,
    sliceIndex,
    idleAssets: -advanceAmount,
    outstandingFace: faceAmount,
    outstandingAdvance: advanceAmount,
    discount: faceAmount - advanceAmount,
    lines,
  })
})

ponder.on('FinancingVault:Repaid', async ({ event, context: { db } }) => {
  const { claimId, sliceIndex, faceAmount, advanceAmount } = event.args
  const { number: repaidBlock, timestamp: repaidAt } = event.block
  const slice = `slice ${sliceIndex} of claim ${claimId}`
  const part = await db
    .update(allocation, { claimId, sliceIndex })
    .set((row) => {
      const repaidFace = row.repaidFace + faceAmount
      invariant(
        row.vault === event.log.address && repaidFace <= row.paidFace && row.repaidAt === null,
        'FinancingVault:Repaid',
        `${row.paidFace} of ${slice} is paid to vault ${row.vault}, and ${repaidFace} was repaid to ${event.log.address}`,
      )
      return repaidFace < row.faceAmount ? { repaidFace } : { repaidFace, repaidBlock, repaidAt }
    })
    .catch(unknown('FinancingVault:Repaid', slice))
  const discount = faceAmount - advanceAmount
  const lines = await removeValue(db, { ...part, faceAmount, advanceAmount }, repaidAt)
  await moveCapital(db, 'FinancingVault:Repaid', event, {
    kind: 'REPAYMENT',
    amount: faceAmount,
    claimId,
    sliceIndex,
    idleAssets: faceAmount,
    outstandingFace: -faceAmount,
    outstandingAdvance: -advanceAmount,
    discount,
    lines,
  })
  await addToIssuerDay(db, event, part, {
    faceRepaid: faceAmount,
    discountEarned: discount,
  })
})
