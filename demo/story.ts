/** The whole flow, from an invoice to its settlement, as a frontend would go through it. */
import { cashOf, type Place, type Player, playerOf, tokenOf } from './cast.ts'
import { financeByRoute, financeDirectly } from './finance.ts'
import { bringInvoices } from './invoices.ts'
import { settle } from './settlement.ts'
import { amount, change, short, type Teller, type Token } from './teller.ts'

export type Surroundings = Place & {
  tell: Teller
  /** Unix seconds, by the chain. */
  chainTime: () => Promise<number>
  /** Resolves when the chain's time is there. */
  until: (time: number) => Promise<void>
}

const DAY = 86_400
/** Seconds: enough to register a claim and to finance it with a deadline of a minute, before it is due. */
const SOON = 110

/** @returns what changed for each, by name: base units of the token */
export async function tellStory(around: Surroundings): Promise<Map<string, bigint>> {
  const { tell } = around
  const debtor = playerOf(around, 'issuer-1')
  const holder = playerOf(around, 'wallet-1')
  const token = await tokenOf(holder, 'HUSD')
  const deal = { debtor, holder, token }
  const before = await cashOf([holder, debtor], token)
  tell.say(
    `${holder.name} has delivered to ${debtor.name} and is owed money, later. Vaults advance it today, for a discount. This takes about two minutes: near the end it waits for a due date.`,
  )

  await signInBoth(tell, debtor, holder)
  const later = await bringInvoices(tell, deal, await around.chainTime(), [
    { face: 12_000n, dueIn: 45.5 * DAY },
    { face: 8_000n, dueIn: 60.5 * DAY },
  ])
  const claimIds = later.map(({ claimId }) => claimId)
  await financeByRoute(tell, holder, token, claimIds)
  const soon = [{ face: 3_000n, dueIn: SOON }]
  for (const claim of await bringInvoices(tell, deal, await around.chainTime(), soon)) {
    await financeDirectly(tell, holder, token, claim.claimId)
    await settle(around, debtor, token, claim)
  }
  const after = await cashOf([holder, debtor], token)
  return tellBalances(tell, token, before, after)
}

async function signInBoth(tell: Teller, ...players: readonly Player[]): Promise<void> {
  tell.step(
    'Both sign in',
    'Each wallet signs one message (EIP-4361) that names this site and a nonce of the gateway, and gets a token for an hour. No key leaves the wallet.',
  )
  for (const { name, gateway } of players) {
    tell.sent('GET /auth/nonce, then POST /auth/verify', { wallet: name })
    const { wallet, expiresAt } = await gateway.signIn({ statement: 'Sign in to the claim financing demo.' })
    tell.got({ session: `${short(wallet)}, for ${Math.round((expiresAt - Date.now()) / 60_000)} minutes` })
  }
}

function tellBalances(tell: Teller, token: Token, before: Map<string, bigint>, after: Map<string, bigint>) {
  tell.step(
    'What changed',
    'The holder has its money today, the debtor has paid what was due, and the vaults wait for the rest.',
  )
  const changes = new Map([...after].map(([name, cash]) => [name, cash - (before.get(name) ?? 0n)]))
  tell.table([
    ['', 'before', 'after', 'change'],
    ...[...after].map(([name, cash]) => [
      name,
      amount(before.get(name) ?? 0n, token),
      amount(cash, token),
      change(changes.get(name) ?? 0n, token),
    ]),
  ])
  return changes
}
