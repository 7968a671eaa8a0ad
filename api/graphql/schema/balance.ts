import DataLoader from 'dataloader'
import type { Address } from 'viem'
import type { TokenBalance } from '../../chain/balances.ts'
import { builder } from '../builder.ts'
import type { GraphqlContext, Operation } from '../context.ts'

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

const loaders = new WeakMap<Operation, DataLoader<Address, TokenBalance[]>>()

/** Reads the balances of all wallets of an operation in one call after its snapshot is closed, so no connection waits for the chain. */
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
