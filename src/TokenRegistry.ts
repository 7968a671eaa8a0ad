import { ponder } from 'ponder:registry'
import { token } from 'ponder:schema'
import { invariant, unknown } from '../indexer/invariant.ts'
import { changeOf } from '../indexer/position.ts'
import { keepStatus } from '../indexer/versions.ts'

ponder.on('TokenRegistry:TokenAdded', async ({ event, context: { db } }) => {
  const { token: address, symbol, name, decimals } = event.args
  const added = await db
    .insert(token)
    .values({
      address,
      symbol,
      name,
      decimals,
      // The event after this one lists it.
      listed: false,
      addedBlock: event.block.number,
      addedAt: event.block.timestamp,
      ...changeOf(event),
    })
    .onConflictDoNothing()
  invariant(added, 'TokenRegistry:TokenAdded', `token ${address} was added before`)
  await keepStatus(db, event, address, false)
})

ponder.on('TokenRegistry:TokenStatusChanged', async ({ event, context: { db } }) => {
  const { token: address, listed } = event.args
  await db
    .update(token, { address })
    .set((row) => {
      invariant(
        row.listed !== listed,
        'TokenRegistry:TokenStatusChanged',
        `token ${address} already has listed = ${listed}`,
      )
      return { listed, ...changeOf(event) }
    })
    .catch(unknown('TokenRegistry:TokenStatusChanged', `token ${address}`))
  await keepStatus(db, event, address, listed)
})
