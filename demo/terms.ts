/** A curator changes the terms of a vault, and sees first what they change. */
import { type Actor, keepSession, type Vault } from './accounts.ts'
import { finish, following } from './following.ts'
import { percent, type Reporter } from './reporter.ts'

const BPS_MORE = 5

/** Raises the base discount, which no notice delays. */
export async function raiseDiscount(
  report: Reporter,
  actor: Actor,
  { address: vault, name: title, pricing: { baseDiscountBps, durationBpsPerDay, premiumBps } }: Vault,
): Promise<void> {
  const { name, gateway } = actor
  const pricing = { baseDiscountBps: baseDiscountBps + BPS_MORE, durationBpsPerDay, premiumBps }
  report.step(
    `${name} raises the base discount of the vault`,
    'Before the curator signs, the answer states what the terms change. Wider limits and lower rates wait for the notice of the vault, so that lenders can leave before.',
  )
  await keepSession(actor)
  report.sent('POST /vaults/:vault/terms/prepare', {
    vault: title,
    'base discount': `${percent(baseDiscountBps)}, then ${percent(pricing.baseDiscountBps)}`,
  })
  const plan = await gateway.post('/api/v1/vaults/{vault}/terms/prepare', {
    params: { path: { vault } },
    body: { pricing },
  })
  const { effects, atOnce, effectiveAt } = plan
  report.got({
    'in effect': atOnce ? 'at once' : `from ${effectiveAt} on`,
    ...(effects && {
      'open claims accepted': `${effects.accepted} of ${effects.judged}, ${effects.newlyRefused.count} newly refused`,
      'prepared routes broken': `${effects.brokenRoutes} of ${effects.openRoutes}`,
    }),
  })
  report.sent('eth_sendTransaction: submitTerms')
  await finish(report, actor, await gateway.run(plan, following(report)))
}
