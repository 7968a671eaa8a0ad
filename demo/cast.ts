/** Who plays: a company that owes, one that is owed, each with its wallet at the gateway. */
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { createGateway, type Gateway } from '../client/index.ts'
import { castOf } from '../devnet/world/cast.ts'
import type { Token } from './teller.ts'
import { createAccountWallet } from './wallet.ts'

export type Place = {
  gatewayUrl: string
  rpcUrl: string
  accounts: readonly { role: string; address: string; privateKey: Hex }[]
}

export type Player = { name: string; address: string; gateway: Gateway }

export function playerOf({ gatewayUrl, rpcUrl, accounts }: Place, role: string): Player {
  const account = accounts.find((candidate) => candidate.role === role)
  const actor = castOf(3).find((candidate) => candidate.role === role)
  if (!account || !actor) throw new Error(`nobody is ${role} here`)
  const wallet = createAccountWallet(privateKeyToAccount(account.privateKey), rpcUrl)
  return { name: actor.name, address: account.address, gateway: createGateway({ url: gatewayUrl, wallet }) }
}

/** The token of that symbol, as the account endpoint describes it. */
export async function tokenOf({ gateway, address: wallet }: Player, symbol: string): Promise<Token> {
  const { balances } = await gateway.get('/api/v1/account/{wallet}', { params: { path: { wallet } } })
  const found = balances.find((balance) => balance.symbol === symbol)
  if (!found) throw new Error(`the gateway knows no ${symbol}`)
  return { address: found.token, symbol, decimals: found.decimals }
}

/** What each has of a token, in base units, by the same kind of read. */
export async function cashOf(players: readonly Player[], token: Token): Promise<Map<string, bigint>> {
  const cash = new Map<string, bigint>()
  for (const { name, gateway, address: wallet } of players) {
    const { balances } = await gateway.get('/api/v1/account/{wallet}', { params: { path: { wallet } } })
    cash.set(name, BigInt(balances.find((balance) => balance.token === token.address)?.balance ?? 0))
  }
  const vaults = await vaultsOf(players[0], token)
  cash.set('all vaults, at hand', sum(vaults.map(({ fundableLiquidity }) => BigInt(fundableLiquidity))))
  return cash
}

export async function vaultsOf(reader: Player | undefined, token: Token) {
  const page = await reader?.gateway.get('/api/v1/vaults', { params: { query: { limit: 200 } } })
  return (page?.items ?? []).filter((vault) => vault.token === token.address)
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n)
}
