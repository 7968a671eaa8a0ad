/** What becomes of a claim in the end. */
import type { Player } from './cast.ts'
import { following } from './following.ts'
import { amount, short, type Teller, type Token } from './teller.ts'

/** Who owes the money pays it when it is due. */
export async function settle(
  { tell, until }: { tell: Teller; until: (time: number) => Promise<void> },
  { name, gateway }: Player,
  token: Token,
  { claimId, dueAt }: { claimId: string; dueAt: number },
): Promise<void> {
  tell.step(
    `The invoice falls due, and ${name} pays`,
    'What the vault financed goes to the vault, the rest, if any, to the holder. Anyone may pay, from the due date on.',
  )
  tell.sent('(waiting for the due date)')
  await until(dueAt)
  tell.sent('POST /settlements/:claimId/prepare', { claim: short(claimId) })
  const plan = await gateway.post('/api/v1/settlements/{claimId}/prepare', { params: { path: { claimId } } })
  tell.got({
    'approvals first': String(plan.approvals.length || 'none: the router may take this much already'),
    'would fail now': plan.issues.map(({ message }) => message).join('; ') || 'nothing',
  })
  tell.sent('eth_sendTransaction: settle')
  await gateway.run(plan, following(tell))
  const { state } = await gateway.get('/api/v1/claims/{claimId}', { params: { path: { claimId } } })
  tell.got({ claim: `${state}, ${amount(plan.faceValue, token)} paid` })
}
