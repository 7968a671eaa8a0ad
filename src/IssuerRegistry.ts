import { ponder } from 'ponder:registry'
import { issuer } from 'ponder:schema'
import { invariant } from '../indexer/invariant.ts'
import { keepStatus } from '../indexer/versions.ts'

ponder.on('IssuerRegistry:IssuerStatusChanged', async ({ event, context: { db } }) => {
  const { issuer: address, active } = event.args
  const changedAt = event.block.timestamp
  const known = await db.find(issuer, { address })
  invariant(
    (known?.active ?? false) !== active,
    'IssuerRegistry:IssuerStatusChanged',
    `issuer ${address} already has active = ${active}`,
  )

  if (known) {
    await db.update(issuer, { address }).set({ active, changedAt })
  } else {
    await db.insert(issuer).values({
      address,
      active,
      claimCount: 0,
      addedBlock: event.block.number,
      addedAt: changedAt,
      changedAt,
    })
  }
  await keepStatus(db, event, address, active)
})
