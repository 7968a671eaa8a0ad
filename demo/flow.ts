/** The whole flow from an invoice to its settlement, and a lender of it, with the client that a frontend uses. */
import { type Actor, actorOf, cashOf, type Place, tokenOf } from './accounts.ts'
import { financeByRoute, financeDirectly } from './finance.ts'
import { bringInvoices } from './invoices.ts'
import { chooseVault, deposit, withdraw } from './lending.ts'
import { amount, change, type Reporter, short, type Token } from './reporter.ts'
import { settle } from './settlement.ts'
import { raiseDiscount } from './terms.ts'

export type Environment = Place & {
  /** Seconds after which a block is final. */
  finalitySeconds: number
  report: Reporter
  /** Unix seconds, by the chain. */
  chainTime: () => Promise<number>
  /** Resolves when the chain's time has reached `time`. */
  until: (time: number) => Promise<void>
}

const DAY = 86_400
/** Seconds to finance a claim with a deadline of a minute, before it is due. */
const SOON = 110
/** Steps that wait until a block is final. */
const WAITS = 8

/** @returns the change of each balance by name, base units of the token */
export async function runFlow(around: Environment): Promise<Map<string, bigint>> {
  const { report } = around
  const debtor = actorOf(around, 'issuer-1')
  const holder = actorOf(around, 'wallet-1')
  const lender = actorOf(around, 'wallet-2')
  const curator = actorOf(around, 'lender-1')
  const token = await tokenOf(holder, 'HUSD')
  const deal = { debtor, holder, token }
  const before = await cashOf([holder, debtor, lender], token)
  const { finalitySeconds: finality } = around
  const minutes = Math.max(2, Math.ceil((SOON + WAITS * finality) / 60))
  report.print(
    `${holder.name} has delivered to ${debtor.name} and is owed money, later. Vaults advance it today, for a discount. This takes about ${minutes} minutes: a block is final after ${finality} seconds, and near the end it waits for a due date.`,
  )

  await signInAll(report, debtor, holder, lender, curator)
  const later = await bringInvoices(report, deal, await around.chainTime(), [
    { face: 12_000n, dueIn: 45.5 * DAY },
    { face: 8_000n, dueIn: 60.5 * DAY },
  ])
  const claimIds = later.map(({ claimId }) => claimId)
  await financeByRoute(report, holder, token, claimIds)
  const vault = await chooseVault(lender, token)
  const deposited = await deposit(report, lender, token, vault)
  const soon = [{ face: 3_000n, dueIn: SOON + finality }]
  for (const claim of await bringInvoices(report, deal, await around.chainTime(), soon)) {
    await financeDirectly(report, holder, token, { claimId: claim.claimId, vault })
    await settle(around, debtor, token, claim)
  }
  await withdraw(report, lender, token, { vault, deposited })
  await raiseDiscount(report, curator, vault)
  const after = await cashOf([holder, debtor, lender], token)
  return reportBalances(report, token, before, after)
}

async function signInAll(report: Reporter, ...actors: readonly Actor[]): Promise<void> {
  report.step(
    'All sign in',
    'Each wallet signs one message (EIP-4361) that names this site and a nonce of the gateway, and gets a token for an hour. No key leaves the wallet. The debtor, the holder, a lender and the curator of a vault follow.',
  )
  for (const { name, gateway } of actors) {
    report.sent('GET /auth/nonce, then POST /auth/verify', { wallet: name })
    const { wallet, expiresAt } = await gateway.signIn({ statement: 'Sign in to the claim financing demo.' })
    report.got({ session: `${short(wallet)}, for ${Math.round((expiresAt - Date.now()) / 60_000)} minutes` })
  }
}

function reportBalances(
  report: Reporter,
  token: Token,
  before: Map<string, bigint>,
  after: Map<string, bigint>,
) {
  report.step(
    'What changed',
    'The holder has its money today, the debtor has paid what was due, the lender has a gain, and the vaults wait for the rest.',
  )
  const changes = new Map([...after].map(([name, cash]) => [name, cash - (before.get(name) ?? 0n)]))
  report.table([
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
