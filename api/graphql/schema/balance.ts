import DataLoader from 'dataloader'
import type { Address } from 'viem'
import type { TokenBalance } from '../../chain/balances.ts'
import { builder } from '../builder.ts'
import type { GraphqlContext, Operation } from '../context.ts'

/** What the chain is asked costs more than what a row holds; so some hundreds of accounts fit one operation. */
export const BALANCES_COST = 20

export const TokenBalanceType = builder.objectRef<TokenBalance>('TokenBalance').implement({
  description: 'Balance of a wallet in one token, read from the chain at the finalized block of the answer.',
  fields: (t) => ({
    token: t.expose('token', { type: 'Address', description: 'The token.' }),
    symbol: t.exposeString('symbol', { description: 'Symbol of the token.' }),
    decimals: t.exposeInt('decimals', { description: 'Decimals of the token.' }),
    balance: t.expose('balance', { type: 'Amount', description: 'Balance, base units.' }),
  }),
})

const loaders = new WeakMap<Operation, DataLoader<Address, TokenBalance[]>>()

/** The balances of all wallets that an operation asks for, in one go once its snapshot is closed: no connection waits for the chain. */
export async function balancesOf(
  { operation, tokenBalances }: GraphqlContext,
  wallet: Address,
): Promise<TokenBalance[]> {
  const through = await operation.afterSnapshot()
  const loader =
    loaders.get(operation) ??
    new DataLoader<Address, TokenBalance[]>((wallets) => tokenBalances(through, wallets))
  loaders.set(operation, loader)
  return loader.load(wallet)
}
