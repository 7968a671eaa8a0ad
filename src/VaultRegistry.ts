import { ponder } from 'ponder:registry'
import { vault } from 'ponder:schema'
import { invariant, unknown } from '../indexer/invariant.ts'
import { changeOf } from '../indexer/position.ts'
import { noLines } from '../indexer/value-days.ts'
import { mandateColumns, pricingColumns, writeTerms } from '../indexer/vault-terms.ts'
import { keepVault } from '../indexer/versions.ts'

ponder.on('VaultRegistry:VaultRegistered', async ({ event, context: { db } }) => {
  const { vault: address, token, curator, name, symbol, noticePeriod, mandate, pricing } = event.args
  const added = await db
    .insert(vault)
    .values({
      address,
      token,
      curator,
      name,
      symbol,
      // The event after this one activates it.
      active: false,
      ...mandateColumns(mandate),
      ...pricingColumns(pricing),
      noticePeriod: BigInt(noticePeriod),
      idleAssets: 0n,
      outstandingFace: 0n,
      outstandingAdvance: 0n,
      totalShares: 0n,
      ...noLines(event.block.timestamp),
      discountEarned: 0n,
      registeredBlock: event.block.number,
      registeredAt: event.block.timestamp,
      ...changeOf(event),
    })
    .onConflictDoNothing()
  invariant(added, 'VaultRegistry:VaultRegistered', `vault ${address} is registered already`)
  await writeTerms(db, added)
  await keepVault(db, event, added)
})

ponder.on('VaultRegistry:VaultStatusChanged', async ({ event, context: { db } }) => {
  const { vault: address, active } = event.args
  const after = await db
    .update(vault, { address })
    .set((row) => {
      invariant(
        row.active !== active,
        'VaultRegistry:VaultStatusChanged',
        `vault ${address} already has active = ${active}`,
      )
      return { active, ...changeOf(event) }
    })
    .catch(unknown('VaultRegistry:VaultStatusChanged', `vault ${address}`))
  await writeTerms(db, after)
  await keepVault(db, event, after)
})
