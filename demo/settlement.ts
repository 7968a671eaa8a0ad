/** Settlement of a claim at its due date. */
import { type Actor, keepSession } from './accounts.ts'
import { finish, following } from './following.ts'
import type { Registered } from './invoices.ts'
import { amount, type Reporter, short, type Token } from './reporter.ts'

/** The debtor pays the claim when it is due. */
export async function settle(
  { report, until }: { report: Reporter; until: (time: number) => Promise<void> },
  actor: Actor,
  token: Token,
  { claimId, dueAt }: Registered,
): Promise<void> {
  const { name, gateway } = actor
  report.step(
    `The invoice falls due, and ${name} pays`,
    'The vault receives the face that it financed, the holder the rest. Anyone may pay from the due date on.',
  )
  report.sent('(waiting for the due date)')
  await until(dueAt)
  await keepSession(actor)
  report.sent('POST /settlements/:claimId/prepare', { claim: short(claimId) })
  const plan = await gateway.post('/api/v1/settlements/{claimId}/prepare', { params: { path: { claimId } } })
  report.got({
    'approvals first': String(plan.approvals.length || 'none: the router may take this much already'),
    'would fail now': plan.issues.map(({ message }) => message).join('; ') || 'nothing',
  })
  report.sent('eth_sendTransaction: settle')
  await finish(report, actor, await gateway.run(plan, following(report)))
  const { state } = await gateway.get('/api/v1/claims/{claimId}', { params: { path: { claimId } } })
  report.got({ claim: `${state}, ${amount(plan.faceValue, token)} paid` })
}
