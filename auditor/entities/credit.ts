import { lowercaseAddress } from '../../api/domain/address.ts'
import { auditTable, BETWEEN } from '../entity.ts'

/** The amount is in the router's state; events show the accounts and tokens. */
export const credit = auditTable('credit', {
  key: ['account', 'token'],
  order: { column: 'account', of: 'address' },
  implied: (log) =>
    log.eventName === 'Credited' || log.eventName === 'CreditWithdrawn'
      ? [[log.args.account, log.args.token].map(lowercaseAddress).join(BETWEEN)]
      : [],
  related: async () => () => undefined,
  prove: async (row, _, { state }) => {
    const amount = await state.credit(row)
    return amount === undefined ? undefined : { account: row.account, token: row.token, amount }
  },
})
