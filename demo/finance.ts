/** The two ways to an advance: a route that the gateway plans, or one vault that the holder chooses. */
import { randomUUID } from 'node:crypto'
import { graphql, type Hash } from '../packages/client/src/index.ts'
import { type Actor, keepSession, type Vault, vaultsOf } from './accounts.ts'
import { finish, following } from './following.ts'
import { amount, percent, type Reporter, short, type Token } from './reporter.ts'

/** Over several claims, by the cheapest route to an advance. */
export async function financeByRoute(
  report: Reporter,
  actor: Actor,
  token: Token,
  claimIds: Hash[],
): Promise<void> {
  const { name, gateway } = actor
  const targetAdvance = 15_000n * 10n ** BigInt(token.decimals)
  report.step(
    `${name} asks for ${amount(targetAdvance, token)} now`,
    'The gateway looks for the cheapest way: which vault finances how much of which claim. Nothing is signed yet.',
  )
  await keepSession(actor)
  report.sent('POST /routes/optimize', {
    claims: String(claimIds.length),
    'target advance': amount(targetAdvance, token),
  })
  const { routeId, result, blockNumber } = await gateway.post('/api/v1/routes/optimize', {
    body: { claimIds, targetAdvance: `${targetAdvance}` },
  })
  if (routeId === null || !result.executable) throw new Error('there is no route: is the market empty?')
  const vaults = new Map((await vaultsOf(actor, token)).map((vault) => [vault.address, vault.name]))
  report.got({
    route: `${result.approximation}, planned on finalized block ${blockNumber}`,
    ...Object.fromEntries(
      result.legs.map((leg, index) => [
        `leg ${index + 1}`,
        `${amount(leg.faceAmount, token)} of claim ${short(leg.claimId)} by ${vaults.get(leg.vault)}`,
      ]),
    ),
    cost: `${amount(result.totals.totalCost, token)}, ${percent(result.totals.effectiveDiscountBps)} of the face`,
  })

  report.step(
    'The route is prepared, signed and sent',
    'Every leg is checked again on the newest final block. The wallet signs the route as typed data: the router pays at least the signed advance, or reverts. Anyone can send it; here the holder does.',
  )
  report.sent('POST /routes/:routeId/prepare-execution', { route: short(routeId) })
  const prepared = await gateway.post('/api/v1/routes/{routeId}/prepare-execution', {
    params: { path: { routeId }, header: { 'idempotency-key': randomUUID() } },
  })
  report.got({
    'execution id': short(prepared.executionId),
    advance: `${amount(prepared.totals.totalAdvance, token)} at least`,
    deadline: prepared.deadline,
  })
  report.sent('eth_signTypedData_v4, then executeRoute(route, signature)')
  await finish(report, actor, await gateway.runRoute(prepared, following(report)))

  report.step(
    'GraphQL reports what happened',
    'One query asks for exactly what a page shows. Reads are of finalized blocks only, so a reorganization cannot change them.',
  )
  report.sent('POST /graphql', { query: 'execution(executionId: …) { totalAdvance totalCost legs { … } }' })
  const { execution } = await gateway.ask(EXECUTION, { id: prepared.executionId })
  const { totalAdvance = null, totalCost = null } = execution ?? {}
  if (!execution || totalAdvance === null || totalCost === null)
    throw new Error('the execution is projected, but GraphQL has none')
  report.got({
    advanced: amount(totalAdvance, token),
    cost: amount(totalCost, token),
    ...Object.fromEntries(
      execution.legs.map(({ vault, claim, advanceAmount }, index) => [
        `leg ${index + 1}`,
        `${amount(advanceAmount, token)} by ${vault.name}; the claim is ${claim.state} now`,
      ]),
    ),
  })
}

const EXECUTION = graphql(`
  query ($id: Hash!) {
    execution(executionId: $id) {
      totalAdvance
      totalCost
      legs { advanceAmount vault { name } claim { state } }
    }
  }
`)

/** One claim by one vault. */
export async function financeDirectly(
  report: Reporter,
  actor: Actor,
  token: Token,
  { claimId, vault }: { claimId: Hash; vault: Vault },
): Promise<void> {
  const { name, gateway } = actor
  report.step(
    `${name} has it financed by a vault of its own choice`,
    'For one claim and one vault no signature is needed: the transaction holds all terms. This claim is due within minutes, so the discount is small.',
  )
  await keepSession(actor)
  const { faceValue } = await gateway.get('/api/v1/claims/{claimId}', { params: { path: { claimId } } })
  report.sent('POST /executions/prepare', { vault: vault.name, face: amount(faceValue, token) })
  const plan = await gateway.post('/api/v1/executions/prepare', {
    body: { claimId, vault: vault.address, faceAmount: faceValue, deadlineSeconds: 60 },
  })
  report.got({
    advance: amount(plan.totals.totalAdvance, token),
    cost: `${amount(plan.totals.totalCost, token)}, ${percent(plan.totals.effectiveDiscountBps)} of the face`,
    'would fail now': plan.issues.map(({ message }) => message).join('; ') || 'nothing',
  })
  report.sent('eth_sendTransaction: executeFinancing')
  await finish(report, actor, await gateway.run(plan, following(report)))
}
