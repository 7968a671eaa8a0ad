/** From claims to money: the cheapest route to an advance, signed and executed. */
import {
  type components,
  type Gateway,
  GatewayError,
  type Resumed,
  type Transaction,
} from 'claim-financing-client'
import { type Run, useRun } from './run.ts'
import { reporting, type Step } from './steps.ts'

export type FinanceInput = components['schemas']['OptimizeRequest']

export type NoRoute = components['schemas']['NonExecutableRoute']

/** `totals` are those of the signed route; `noRoute` states why there is none and the highest advance that there is. */
export type Financed =
  | { transaction: Transaction; totals: components['schemas']['PreparedRoute']['totals'] }
  | { noRoute: NoRoute }

/**
 * `mutate({ claimIds, targetAdvance })` plans a route, prepares it, has it signed and sent, and succeeds when reads
 * show it. `step` states where it is. Requires a session.
 */
export function useFinance() {
  return useRun(finance)
}

/**
 * Continues a route that a closed page has left: `mutate()`. `data` is its transaction, or the error that prevents it;
 * undefined without a route.
 */
export function useResume() {
  return useRun(resume)
}

const resume: Run<void, Resumed | undefined> = (gateway, _, report) => gateway.resumeRoute(reporting(report))

async function finance(
  gateway: Gateway,
  input: FinanceInput,
  report: (step: Step) => void,
): Promise<Financed> {
  report({ name: 'optimizing' })
  const { routeId, result } = await gateway.post('/api/v1/routes/optimize', { body: input })
  if (!result.executable) return { noRoute: result }
  if (routeId === null) throw new GatewayError({ code: 'UNREACHABLE', message: 'The route has no id.' })
  report({ name: 'preparing' })
  // A second request with this key gets the same answer, should this one be lost.
  const params = { path: { routeId }, header: { 'idempotency-key': crypto.randomUUID() } }
  const prepared = await gateway.post('/api/v1/routes/{routeId}/prepare-execution', { params })
  const transaction = await gateway.runRoute(prepared, reporting(report))
  return { transaction, totals: prepared.totals }
}
