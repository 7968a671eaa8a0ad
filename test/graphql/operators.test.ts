/**
 * Every operator of every filter field of every list, against the same comparison of the raw rows in TypeScript. Values
 * are the smallest, a middle and the largest of the column, and one that is larger. A new list, field or operator is
 * tested by itself.
 */
import { type GraphQLInputField, getNamedType, isEnumType, isInputObjectType } from 'graphql'
import { afterAll, describe, expect, it } from 'vitest'
import { sharedWorld } from '../support/world.ts'
import type { Raw } from './aggregate-oracle.ts'
import { iso } from './calendar.ts'
import { createClient } from './client.ts'
import { asked, connectionsOf, objectType } from './walk.ts'

const { ask, pool, stop } = createClient(sharedWorld().databaseUrl)
afterAll(stop)

const PAGE = 200
/** Lists of one operation: no index serves most operators. */
const LISTS_MAX = 3

type Value = bigint | string | boolean
/**
 * The table of a list, its rows where it has not all of them, and the columns that have another name than the field.
 */
type Origin = {
  table: string
  where?: string
  columns?: Readonly<Record<string, string>>
  /** Values of a row that are no column of it. */
  derived?: (row: Raw, now: bigint, activeIssuers: ReadonlySet<unknown>) => Raw
}

/** As the contract judges a claim, at the time of the block. */
function judgeClaim(row: Raw, now: bigint, activeIssuers: ReadonlySet<unknown>): Raw {
  const matured = BigInt(row.due_at ?? 0) <= now
  const issuerActive = activeIssuers.has(row.issuer)
  const isOpen = row.state === 'ELIGIBLE' || row.state === 'PARTIALLY_FUNDED'
  const hasRoom =
    Number(row.slice_count) < 8 && BigInt(row.financed_face_value ?? 0) < BigInt(row.face_value ?? 0)
  const financeable = isOpen && hasRoom && issuerActive && !matured
  return { ...row, matured, issuer_active: issuerActive, financeable }
}

const ORIGINS: Readonly<Record<string, Origin>> = {
  activity: { table: 'activity' },
  allocations: { table: 'allocation', columns: { dueDate: 'due_at' } },
  capitalChanges: { table: 'capital_change' },
  positionChanges: { table: 'position_change' },
  claims: { table: 'claim', columns: { claimId: 'id', dueDate: 'due_at' }, derived: judgeClaim },
  executionLegs: { table: 'execution_leg', columns: { executedAt: 'at' } },
  executions: {
    table: 'execution',
    columns: { executionId: 'id', executedAt: 'at', blockNumber: 'block', transactionHash: 'tx' },
  },
  issuerDays: { table: 'issuer_day' },
  issuers: { table: 'issuer' },
  paymentRecords: { table: 'payment_record', columns: { averageDaysLate: 'average_delay' } },
  settlements: { table: 'settlement', columns: { settledAt: 'at' } },
  tokenDays: { table: 'token_day' },
  tokens: { table: 'token' },
  vaultDays: { table: 'vault_day' },
  vaultPositions: { table: 'vault_position', where: 'shares > 0' },
  vaults: { table: 'vault', columns: { fundableLiquidity: 'idle_assets' } },
  vaultTerms: { table: 'vault_terms', where: 'claim_type = 1' },
}

const lists = connectionsOf(objectType('Query'))
  .filter(({ name, args }) => !name.endsWith('Aggregates') && args.some((arg) => arg.name === 'filter'))
  .map((list) => ({ list, fields: filterFields(list) }))

/** A comparison that does not hold for null, as in SQL. */
const holds: Readonly<Record<string, (value: Value, given: Value) => boolean>> = {
  '': (value, given) => value === given,
  not: (value, given) => value !== given,
  gt: (value, given) => value > given,
  gte: (value, given) => value >= given,
  lt: (value, given) => value < given,
  lte: (value, given) => value <= given,
}

function filterFields({ args }: ReturnType<typeof connectionsOf>[number]) {
  const type = args.find(({ name }) => name === 'filter')?.type
  const input = type && getNamedType(type)
  if (!isInputObjectType(input)) throw new Error('the list has no filter')
  return Object.values(input.getFields()).filter(({ name }) => name !== 'AND' && name !== 'OR')
}

describe.each(lists.map(({ list, fields }) => ({ name: list.name, list, fields })))(
  'the filter of $name',
  ({ name, list, fields }) => {
    it('selects by each operator of each field what the raw rows select', async () => {
      const origin = ORIGINS[name]
      if (!origin) throw new Error(`no table for ${name}`)
      const { rows: stored } = await pool.query<Raw>(
        `select * from projection.${origin.table} where ${origin.where ?? 'true'}`,
      )
      const { derived = (row: Raw) => row } = origin
      const [now, issuers] = [await blockTime(), await activeIssuers()]
      const rows = stored.map((row) => derived(row, now, issuers))
      expect(rows.length).toBeGreaterThan(2)
      const cases = fields.flatMap((field) => casesOf(field, rows, origin))
      expect(new Set(cases.map(({ operator }) => operator)).size).toBeGreaterThan(3)
      for (let from = 0; from < cases.length; from += LISTS_MAX) {
        const some = cases.slice(from, from + LISTS_MAX)
        const query = some.map(
          ({ filter }, i) => `a${i}: ${asked(list, { filter, first: String(PAGE) })} { edges { cursor } }`,
        )
        const { data, errors } = await ask(`{ ${query.join(' ')} }`)
        expect(errors, query.join('\n')).toBeUndefined()
        for (const [i, { filter, count }] of some.entries()) {
          expect([filter, data[`a${i}`].edges.length]).toEqual([filter, Math.min(count, PAGE)])
        }
      }
    })
  },
)

async function blockTime(): Promise<bigint> {
  const { data } = await ask('{ _meta { finalizedThrough { timestamp } } }')
  return BigInt(Date.parse(data._meta.finalizedThrough.timestamp) / 1000)
}

async function activeIssuers(): Promise<ReadonlySet<unknown>> {
  const { rows } = await pool.query<Raw>('select address from projection.issuer where active')
  return new Set(rows.map(({ address }) => address))
}

function casesOf(field: GraphQLInputField, rows: readonly Raw[], origin: Origin) {
  const [, base = '', operator = ''] = /^([A-Za-z]+?)(?:_(not_in|in|not|gte?|lte?))?$/.exec(field.name) ?? []
  const column = origin.columns?.[base] ?? base.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  const own = rows.map((row) => asValue(row[column], `${origin.table}.${column}`))
  const values = samplesOf(own.filter((value) => value !== undefined))
  const literal = (value: Value) => literalOf(field, value)
  if (operator === 'in' || operator === 'not_in') {
    return [[...values, ...values], values.slice(0, 1), []].map((given) => ({
      operator,
      filter: `{ ${field.name}: [${given.map(literal).join(', ')}] }`,
      count: own.filter((value) => isMember(value, given) === (operator === 'in')).length,
    }))
  }
  const compare = holds[operator]
  if (!compare) throw new Error(`unknown operator of ${field.name}`)
  return values.map((given) => ({
    operator,
    filter: `{ ${field.name}: ${literal(given)} }`,
    count: own.filter((value) => value !== undefined && compare(value, given)).length,
  }))
}

/** Undefined for null, which is neither among some values nor not among them. It is not among none. */
const isMember = (value: Value | undefined, given: readonly Value[]): boolean | undefined =>
  value === undefined && given.length > 0 ? undefined : value !== undefined && given.includes(value)

/** The smallest, a middle and the largest; of integers also one that is larger, unless it is no value of an amount. */
function samplesOf(own: readonly Value[]): Value[] {
  const sorted = [...new Set(own)].sort((a, b) => (a < b ? -1 : 1))
  const ends = [sorted.at(0), sorted.at(sorted.length >> 1), sorted.at(-1)].filter((end) => end !== undefined)
  const largest = ends.at(-1)
  const isBelowMaximum = typeof largest === 'bigint' && largest < 2n ** 256n - 1n
  return [...new Set([...ends, ...(isBelowMaximum ? [largest + 1n] : [])])]
}

function asValue(cell: Raw[string] | null | undefined, name: string): Value | undefined {
  if (cell === undefined) throw new Error(`no column ${name}`)
  if (cell === null) return undefined
  if (typeof cell === 'number' || typeof cell === 'bigint') return BigInt(cell)
  return typeof cell === 'string' && /^\d+$/.test(cell) ? BigInt(cell) : cell
}

const PLAIN = ['Int', 'SafeInt', 'Boolean']

function literalOf({ type }: GraphQLInputField, value: Value): string {
  const named = getNamedType(type)
  // The column has hundredths.
  if (named.name === 'Float') return String(Number(`${value}e-2`))
  if (named.name === 'DateTime') return JSON.stringify(iso(BigInt(value)))
  return isEnumType(named) || PLAIN.includes(named.name) ? String(value) : JSON.stringify(String(value))
}
