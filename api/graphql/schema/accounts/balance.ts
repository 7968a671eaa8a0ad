import { type Address, isAddress } from 'viem'
import type { TokenBalance } from '../../../chain/balances.ts'
import { toPlainString } from '../../../projection/sql/json.ts'
import { builder } from '../../kit/builder.ts'
import { reading } from '../../kit/declared-read.ts'

/** A read of the chain costs more than a row, so an operation can have a few hundred accounts. */
export const BALANCES_COST = 20

export const TokenBalanceType = builder.objectRef<TokenBalance>('TokenBalance').implement({
  description: 'Balance of a wallet in one token, read from the chain at the finalized block of the answer.',
  fields: (t) => ({
    token: t.expose('token', { type: 'Address', description: 'The token.' }),
    symbol: t.exposeString('symbol', { description: 'Symbol of the token.' }),
    name: t.exposeString('name', { description: 'Name of the token.' }),
    decimals: t.exposeInt('decimals', { description: 'Decimals of the token.' }),
    balance: t.expose('balance', { type: 'Amount', description: 'Balance, base units.' }),
  }),
})

/**
 * Reads the balances of all accounts of an answer in one call, after its statement: no connection waits for the chain.
 */
export const balancesOfAccount = reading({
  kind: 'hole',
  isAtBlock: true,
  needs: (account) => toPlainString(account.column('address'), false),
  fill: async (addresses, { tokenBalances }, through) => {
    const wallets = addresses.map(toWallet)
    const own = [...new Set(wallets)]
    const balances = await tokenBalances(own, through)
    const byWallet = new Map(own.map((wallet, index) => [wallet, balances[index]]))
    return wallets.map((wallet) => byWallet.get(wallet))
  },
})

function toWallet(address: unknown): Address {
  if (typeof address === 'string' && isAddress(address, { strict: false })) return address
  throw new Error('an account has no address')
}
