/** Changes of intents and executions by the gateways, from the database itself. */
import type { DurablePostgres } from '../../support/durable-postgres.ts'
import type { PreparedRecord } from './mixed-load.ts'

/** A step of an intent that leads back: to PENDING, out of FAILED, or from its answer. */
const LEADS_BACK = `
  (new.status = 'PENDING' and old.status <> 'PENDING')
  or (old.status = 'FAILED' and new.status <> 'FAILED')
  or (old.is_answered and (not new.is_answered or new.status <> 'CONSUMED'))`

/** Records each step of an intent that leads back. The gateway's schema must exist. */
export async function watchIntents({ run }: DurablePostgres): Promise<void> {
  await run('create schema witness')
  await run('create table witness.step (intent_id uuid, before text, after text)')
  await run(`create function witness.record() returns trigger language plpgsql security definer as $$ begin
    insert into witness.step values (old.intent_id, old.status, new.status); return null; end $$`)
  await run(`create trigger witness after update on gateway.route_intent for each row
    when (${LEADS_BACK}) execute function witness.record()`)
}

export const stepsBack = async ({ run }: DurablePostgres): Promise<number> => {
  const [row] = await run('select count(*)::int as steps from witness.step')
  return Number(row?.steps)
}

/** Answered preparations that the database does not hold as the one execution of their route. */
export async function lostRoutes(
  { run }: DurablePostgres,
  prepared: readonly PreparedRecord[],
): Promise<string[]> {
  const rows = await run('select route_id, execution_id from gateway.prepared_execution')
  const executions = new Map<string, string[]>()
  for (const { route_id, execution_id } of rows) {
    const route = String(route_id)
    executions.set(route, [...(executions.get(route) ?? []), String(execution_id)])
  }
  const isKept = ({ routeId, executionId }: PreparedRecord) =>
    `${executions.get(routeId)}` === `${[executionId]}`
  return prepared.filter((record) => !isKept(record)).map(({ routeId }) => routeId)
}
