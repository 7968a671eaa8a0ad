/** Terms of a vault that are submitted and not in effect. */
import type { Row } from '../../../projection/sql/source.ts'
import { pendingTerms } from '../../../projection/tables/pending-terms.ts'
import { builder } from '../../kit/builder.ts'
import { refersTo, samePart } from '../../kit/reads.ts'
import { Mandate, mandateWith, Pricing, typesOfBitmap } from './vault-parts.ts'

export const PendingTerms = builder.objectRef<Row<'pendingTerms'>>('PendingTerms')

const { resolve, extensions } = refersTo('address', pendingTerms)

/** No column of an export of vaults, whose pages would cost too much with all values of both terms. */
export const pendingTermsOfVault = { resolve, extensions: { ...extensions, isColumn: false } }

PendingTerms.implement({
  description:
    'Mandate and pricing that the curator of a vault has submitted. They replace the present ones when an account calls `acceptTerms` of the vault, at `effectiveAt` or later. The curator can revoke them before.',
  fields: (t) => ({
    mandate: t.field({
      type: Mandate,
      description: 'Submitted mandate.',
      ...mandateWith(typesOfBitmap),
    }),
    pricing: t.field({ type: Pricing, description: 'Submitted pricing.', ...samePart }),
    effectiveAt: t.expose('effectiveAt', {
      type: 'DateTime',
      description: 'Time from which the terms can take effect.',
    }),
    submittedAt: t.expose('submittedAt', { type: 'DateTime', description: 'Time of the submission.' }),
    submittedBlock: t.expose('submittedBlock', {
      type: 'SafeInt',
      description: 'Block number of the submission.',
    }),
  }),
})
