/** Executions: a financing by signed route or by direct call, with its legs. */
import { sql } from 'kysely'
import type { Sql } from '../sql/json.ts'
import type { ShortList } from '../sql/keys.ts'
import { type Row, ref, type Source, view } from '../sql/source.ts'

export type ExecutionRow = Row<'execution'>
export type ExecutionLegRow = Row<'executionLeg'>

export const executions = {
  table: 'execution',
  key: ['id'],
  columns: {
    id: 'hex',
    user: 'hex',
    token: 'hex',
    kind: 'text',
    submitter: 'hex',
    legCount: 'integer',
    totalFace: 'integer',
    totalAdvance: 'integer',
    block: 'integer',
    at: 'integer',
    tx: 'hex',
    ordinal: 'ordinal',
  },
  orders: { at: ['at', 'ordinal'], totalFace: ['totalFace', 'ordinal'] },
  parents: ['user'],
  unindexed: ['submitter', 'token', 'kind', 'legCount', 'totalAdvance', 'block'],
  rollups: [
    {
      table: 'tokenDay',
      columns: { token: 'token' },
      time: 'at',
      count: 'executions',
      amounts: { totalFace: 'faceFinanced', totalAdvance: 'advanced' },
    },
  ],
} as const satisfies Source<'execution'>

export const executionLegs = {
  table: 'executionLeg',
  key: ['executionId', 'legIndex'],
  columns: {
    executionId: 'hex',
    legIndex: 'integer',
    claimId: 'hex',
    vault: 'hex',
    sliceIndex: 'count',
    faceAmount: 'integer',
    advanceAmount: 'integer',
    at: 'integer',
    ordinal: 'ordinal',
  },
  orders: { at: ['at', 'ordinal'], faceAmount: ['faceAmount', 'ordinal'] },
  parents: ['vault'],
  unindexed: ['advanceAmount'],
} as const satisfies Source<'executionLeg'>

/** The legs of an execution in their order: at most `MAX_LEGS`. */
export const legsOfExecution: ShortList<'executionLeg'> = {
  source: executionLegs,
  column: 'executionId',
  orderBy: 'legIndex',
}

/** The legs that financed a claim, by slice: at most `MAX_SLICES_PER_CLAIM`. */
export const legsOfClaim: ShortList<'executionLeg'> = {
  source: executionLegs,
  column: 'claimId',
  orderBy: 'sliceIndex',
}

/** Selects the claim, or the vault, that all legs of an execution share; null where they have several. */
export function sharedByLegs(execution: Sql, column: 'claimId' | 'vault'): Sql {
  const value = ref(column)
  return sql`(select case when min(${value}) = max(${value}) then min(${value}) end from ${view('executionLeg')} where execution_id = ${execution})`
}
