/** Executions that are on their way to the projection: seen in a later block, or prepared and not seen. */
import { sql } from 'kysely'
import type { Hex } from 'viem'
import type { ExecutionStatus } from '../../../domain/execution.ts'
import type { Sql } from '../../../projection/sql/json.ts'
import type { Scope } from '../../../projection/sql/scope.ts'
import { executions } from '../../../projection/tables/execution.ts'
import type { UnprojectedExecution } from '../../../transactions/find-execution.ts'
import { type Elsewhere, reading } from '../../kit/declared-read.ts'
import { computed, rowRead } from '../../kit/reads.ts'

/** The status of all executions of the projection. */
const PROJECTED: ExecutionStatus = 'EXECUTED'

/** Reads the execution whose id is an argument, in any status. */
export const executionAt = reading<{ readonly executionId: Hex }>({
  ...rowRead(executions, 'executionId'),
  elsewhere: async ({ executionId }, { findUnprojected }, through) => {
    const found = await findUnprojected(executionId, through)
    return found && toRows(found)
  },
})

export const statusOfExecution = computed(
  (row) => sql`coalesce(${ownColumn(row, 'status')}, ${sql.lit(PROJECTED)})`,
)
export const preparedAt = computed((row) => ownColumn(row, 'preparedAt'))
export const deadline = computed((row) => ownColumn(row, 'deadline'))

/** A column that only rows from elsewhere have. */
function ownColumn(row: Scope, name: string): Sql {
  return row.elsewhere?.some((one) => name in one) ? row.column(name) : sql.lit(null)
}

function toRows(found: UnprojectedExecution): Elsewhere {
  if (found.status === 'MINED') {
    const { status, execution, legs } = found
    return { execution: [{ ...execution, status }], executionLeg: legs }
  }
  const { status, executionId, routeId, userAddress, preparedAt, deadline } = found
  const kind = routeId === null ? 'DIRECT' : 'ROUTE'
  const times = { preparedAt: toSeconds(preparedAt), deadline: toSeconds(deadline) }
  return { execution: [{ id: executionId, status, kind, user: userAddress, ...times }], executionLeg: [] }
}

function toSeconds(date: Date): bigint {
  return BigInt(Math.floor(date.getTime() / 1000))
}
