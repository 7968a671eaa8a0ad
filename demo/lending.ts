/** A lender enters a vault, and leaves it with the gain. */
import { type Actor, keepSession, type Vault, vaultsOf } from './accounts.ts'
import { finish, following } from './following.ts'
import { amount, change, type Reporter, type Token } from './reporter.ts'

const WHOLE_TOKENS = 20_000n

/** A vault that finances invoices until they are due; one without losses, if there is one. */
export async function chooseVault(reader: Actor, token: Token): Promise<Vault> {
  const isLate = ({ capital }: Vault) => Number(capital.overdueFace !== '0')
  const [first] = (await vaultsOf(reader, token))
    .filter(({ mandate }) => mandate.minDurationDays === 0 && mandate.supportedTypes.includes(0))
    .toSorted((a, b) => isLate(a) - isLate(b) || a.pricing.baseDiscountBps - b.pricing.baseDiscountBps)
  if (!first) throw new Error('no vault finances invoices until they are due')
  return first
}

/** @returns what was deposited, base units */
export async function deposit(
  report: Reporter,
  actor: Actor,
  token: Token,
  { address: vault, name: title }: Vault,
): Promise<bigint> {
  const { name, gateway } = actor
  const assets = WHOLE_TOKENS * 10n ** BigInt(token.decimals)
  report.step(
    `${name} deposits in a vault`,
    'A deposit buys shares at the price of the latest block. The transaction has a bound: it reverts if the price is worse by more than 0.10 %.',
  )
  await keepSession(actor)
  report.sent('POST /vaults/:vault/deposits/prepare', { vault: title, assets: amount(assets, token) })
  const plan = await gateway.post('/api/v1/vaults/{vault}/deposits/prepare', {
    params: { path: { vault } },
    body: { assets: `${assets}` },
  })
  report.got({
    shares: `${plan.shares}, at least ${plan.minShares}`,
    'worth right after': amount(plan.exitAssets, token),
    'approvals first': String(plan.approvals.length),
  })
  report.sent('eth_sendTransaction: approve, then deposit')
  await finish(report, actor, await gateway.run(plan, following(report)))
  return assets
}

/** All shares of the lender. */
export async function withdraw(
  report: Reporter,
  actor: Actor,
  token: Token,
  { vault: { address: vault, name: title }, deposited }: { vault: Vault; deposited: bigint },
): Promise<void> {
  const { name, gateway } = actor
  report.step(
    `${name} withdraws with the gain`,
    'A vault earns each discount over the days to the due date. It pays what it has not lent; for the rest, the answer lists the days on which issuers owe it.',
  )
  await keepSession(actor)
  report.sent('POST /vaults/:vault/withdrawals/prepare', { vault: title, shares: 'all' })
  const plan = await gateway.post('/api/v1/vaults/{vault}/withdrawals/prepare', {
    params: { path: { vault } },
    body: { all: true },
  })
  const { position, contractualRepayments } = plan
  report.got({
    worth: amount(position.assets, token),
    'can be withdrawn now': amount(position.withdrawableAssets, token),
    'due days of the rest': String(contractualRepayments?.days.length ?? 'unknown'),
    'would fail now': plan.issues.map(({ message }) => message).join('; ') || 'nothing',
  })
  report.sent('eth_sendTransaction: redeem')
  await finish(report, actor, await gateway.run(plan, following(report)))
  report.got({ gain: change(BigInt(plan.assets) - deposited, token) })
}
