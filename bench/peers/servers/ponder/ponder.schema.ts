import { relations } from 'ponder'
import { allocation, claim, vault } from '../../../../ponder.schema.ts'

export * from '../../../../ponder.schema.ts'

export const claimRelations = relations(claim, ({ many }) => ({ allocations: many(allocation) }))

export const allocationRelations = relations(allocation, ({ one }) => ({
  claim: one(claim, { fields: [allocation.claimId], references: [claim.id] }),
  financingVault: one(vault, { fields: [allocation.vault], references: [vault.address] }),
}))
