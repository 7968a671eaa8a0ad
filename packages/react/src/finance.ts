'use client'
/** From claims to money: the cheapest route to an advance is planned, reviewed by its user, then executed. */
import { type UseMutationResult, useMutation } from '@tanstack/react-query'
import {
  type components,
  type Gateway,
  GatewayError,
  type Hash,
  type PreparedRoute,
  type Resumed,
  type Transaction,
} from 'claim-financing-client'
import { useConnection } from './provider.ts'
import { type Run, type Running, useReset, useRun } from './run.ts'
import { reporting, type Step } from './steps.ts'

type Schemas = components['schemas']

export type PlanInput = Schemas['OptimizeRequest']

/** A route with its legs and totals. It can be executed until `expiresAt`. */
export type PlannedRoute = Schemas['ExecutableRoute'] &
  Pick<Schemas['OptimizedRoute'], 'tokenInfo' | 'expiresAt'> & { routeId: Hash }

export type NoRoute = Schemas['NonExecutableRoute']

/**
 * `noRoute` states why there is none, and the highest advance that there is. `filteredOut` has the claims that were
 * left out, and why. `pendingChanges` has the events that are not final and change what the plan was made from, such as
 * the registration of a claim that is not found. `issues` states why they make the route impossible. Amounts are in
 * base units of the token `tokenInfo`.
 */
export type Plan = Pick<
  Schemas['OptimizedRoute'],
  'filteredOut' | 'tokenInfo' | 'issues' | 'pendingChanges'
> &
  ({ route: PlannedRoute; noRoute: null } | { route: null; noRoute: NoRoute })

type Totals = Schemas['ExecutableRoute']['totals']

/** Totals of the route as it was planned, and as it would be signed now. Amounts in base units. */
export type RateChange = { planned: Totals; prepared: Totals }

export type ExecuteOptions = {
  /**
   * Called before the wallet is asked if the advance is lower than planned; it is never lower than the target of the
   * plan. The route is not executed if it resolves with false. Without it, the change is accepted.
   */
  acceptRateChange?: (change: RateChange) => boolean | Promise<boolean>
}

/** `totals` are those of the signed route, in base units of the token `tokenInfo`. */
export type Executed = { transaction: Transaction; totals: Totals; tokenInfo: PreparedRoute['tokenInfo'] }

/** `mutate({ claimIds, targetAdvance })` plans the cheapest route. The wallet is not asked. Requires a session. */
export function usePlan(): UseMutationResult<Plan, Error, PlanInput> {
  const { gateway, session } = useConnection()
  const mutation = useMutation({ mutationFn: (input: PlanInput) => plan(gateway, input) })
  useReset(session?.wallet, mutation.reset)
  return mutation
}

/**
 * `mutate(route)` prepares a planned route, has it signed and sent, and succeeds when reads show it. `step` states
 * where it is. Fails with `ROUTE_INTENT_EXPIRED` after `expiresAt`: plan again.
 */
export function useExecute(options: ExecuteOptions = {}): Running<PlannedRoute, Executed> {
  const run: Run<PlannedRoute, Executed> = (gateway, route, report) =>
    execute(gateway, route, { ...options, report })
  return useRun(run)
}

/**
 * Continues a route that a closed page has left: `mutate()`. `data` is its transaction, or the error that prevents it;
 * undefined without a route.
 */
export function useResume(): Running<void, Resumed | undefined> {
  return useRun(resume)
}

/** As `usePlan`. */
export async function plan(gateway: Gateway, input: PlanInput): Promise<Plan> {
  const planned = await gateway.post('/api/v1/routes/optimize', { body: input })
  const { routeId, result, expiresAt, filteredOut, tokenInfo, issues, pendingChanges } = planned
  const common = { filteredOut, tokenInfo, issues, pendingChanges }
  if (!result.executable) return { route: null, noRoute: result, ...common }
  if (routeId === null) throw new GatewayError({ code: 'UNREACHABLE', message: 'The route has no id.' })
  return { route: { ...result, routeId, tokenInfo, expiresAt }, noRoute: null, ...common }
}

const resume: Run<void, Resumed | undefined> = (gateway, _, report) => gateway.resumeRoute(reporting(report))

/** As `useExecute`. */
export async function execute(
  gateway: Gateway,
  { routeId, totals }: PlannedRoute,
  { acceptRateChange, report }: ExecuteOptions & { report: (step: Step) => void },
): Promise<Executed> {
  report({ name: 'preparing' })
  const params = { path: { routeId }, header: { 'idempotency-key': crypto.randomUUID() } }
  const prepare = () => gateway.post('/api/v1/routes/{routeId}/prepare-execution', { params })
  // If the answer is lost, the gateway gives it again for this key.
  const prepared = await prepare().catch((error: unknown) => {
    if (error instanceof GatewayError && error.code === 'UNREACHABLE') return prepare()
    throw error
  })
  await refuseLower(totals, prepared, acceptRateChange)
  const transaction = await gateway.runRoute(prepared, reporting(report))
  return { transaction, totals: prepared.totals, tokenInfo: prepared.tokenInfo }
}

async function refuseLower(
  planned: Totals,
  { totals: prepared }: PreparedRoute,
  accept: ExecuteOptions['acceptRateChange'],
): Promise<void> {
  const isLower = BigInt(prepared.totalAdvance) < BigInt(planned.totalAdvance)
  if (!isLower || !accept || (await accept({ planned, prepared }))) return
  throw new GatewayError({
    code: 'USER_REJECTED',
    message: 'The rate has changed, and the change was declined.',
  })
}
