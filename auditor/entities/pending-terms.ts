import { lowercaseAddress } from '../../api/domain/address.ts'
import { event } from '../chain/logs.ts'
import { auditTable } from '../entity.ts'
import { mandateOf, pricingOf } from './terms.ts'

const CHANGES: readonly string[] = ['TermsSubmitted', 'TermsRevoked', 'MandateChanged']

/**
 * The vault holds the terms and the time; the event of their submission shows the block. The vault's count shows that a
 * row is missing.
 */
export const pendingTerms = auditTable('pendingTerms', {
  key: ['vault'],
  order: { column: 'vault', of: 'address' },
  touched: (log) => (CHANGES.includes(log.eventName) ? [lowercaseAddress(log.address)] : []),
  related: async () => () => undefined,
  prove: async ({ vault, submittedBlock }, _, { state, find, timestamp }) => {
    const pending = (await state.vault(vault))?.pendingTerms
    if (!pending) return undefined
    const { mandate, pricing, effectiveAt } = pending
    const submitted = await find(
      event(
        'TermsSubmitted',
        ({ address, args }) => lowercaseAddress(address) === vault && args.effectiveAt === effectiveAt,
      ),
      submittedBlock,
    )
    const block = submitted?.blockNumber
    return {
      vault,
      ...mandateOf(mandate),
      ...pricingOf(pricing),
      effectiveAt,
      submittedBlock: block,
      submittedAt: block && (await timestamp(block)),
    }
  },
})
