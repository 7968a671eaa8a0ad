/** The demo's actors, such as a debtor and a holder of claims, each with a client of the gateway and a wallet. */
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { actorsOf } from '../devnet/world/accounts.ts'
import { type Address, createGateway, deployments, type Gateway } from '../packages/client/src/index.ts'
import type { Token } from './reporter.ts'
import { createAccountWallet } from './wallet.ts'

export type Place = {
  gatewayUrl: string
  rpcUrl: string
  accounts: readonly { role: string; address: Address; privateKey: Hex }[]
}

export type Actor = { name: string; address: Address; gateway: Gateway }

export function actorOf({ gatewayUrl, rpcUrl, accounts }: Place, role: string): Actor {
  const account = accounts.find((candidate) => candidate.role === role)
  const actor = actorsOf(3).find((candidate) => candidate.role === role)
  if (!account || !actor) throw new Error(`no account has the role ${role}`)
  const wallet = createAccountWallet(privateKeyToAccount(account.privateKey), rpcUrl)
  const gateway = createGateway({ url: gatewayUrl, deployment: deployments[31337], wallet })
  return { name: actor.name, address: account.address, gateway }
}

/** More than the requests from one wait to the next take. */
const LEFT_MS = 5 * 60_000

/** Signs in again where the session has ended during a wait for a final block, or is about to end. */
export async function keepSession({ gateway }: Actor): Promise<void> {
  const session = await gateway.session()
  if (!session || session.expiresAt < Date.now() + LEFT_MS) await gateway.signIn()
}

/** The token of that symbol, as the account endpoint describes it. */
export async function tokenOf({ gateway, address: wallet }: Actor, symbol: string): Promise<Token> {
  const { balances } = await gateway.get('/api/v1/account/{wallet}', { params: { path: { wallet } } })
  const found = balances.find((balance) => balance.symbol === symbol)
  if (!found) throw new Error(`the gateway has no token ${symbol}`)
  return { address: found.token, symbol, decimals: found.decimals }
}

/** The balance of each actor and the fundable liquidity of all vaults, base units of the token, by name. */
export async function cashOf(actors: readonly Actor[], token: Token): Promise<Map<string, bigint>> {
  const cash = new Map<string, bigint>()
  for (const { name, gateway, address: wallet } of actors) {
    const { balances } = await gateway.get('/api/v1/account/{wallet}', { params: { path: { wallet } } })
    cash.set(name, BigInt(balances.find((balance) => balance.token === token.address)?.balance ?? 0))
  }
  const vaults = await vaultsOf(actors[0], token)
  cash.set('all vaults, fundable', sum(vaults.map(({ fundableLiquidity }) => BigInt(fundableLiquidity))))
  return cash
}

export type Vault = Awaited<ReturnType<typeof vaultsOf>>[number]

export async function vaultsOf(reader: Actor | undefined, token: Token) {
  const page = await reader?.gateway.get('/api/v1/vaults', { params: { query: { limit: 200 } } })
  return (page?.items ?? []).filter((vault) => vault.token === token.address)
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n)
}
