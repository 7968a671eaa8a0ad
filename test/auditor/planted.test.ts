/**
 * The auditor finds a wrong value in every column of every table, a missing row, and a row without an event. The
 * columns are those of the database: a new column without a proof fails here.
 *
 *     SEED=7 npx vitest run --project own test/auditor/planted.test.ts
 */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auditAll } from '../../auditor/audit-all.ts'
import { entities } from '../../auditor/entities/index.ts'
import { rollups } from '../../auditor/rollups/index.ts'
import { playRandomHistory } from '../indexer/random-world.ts'
import { type AuditedWorld, startAuditedWorld } from './audited.ts'
import {
  anotherKey,
  anotherValue,
  type Column,
  camel,
  fieldsOf,
  inventRow,
  oneRow,
  readColumns,
  snake,
  whilePlanted,
} from './planted.ts'

const SEED = Number(process.env.SEED ?? 20_261_122)

let audited: AuditedWorld
let columns: Column[]
let tables: string[]

beforeAll(async () => {
  audited = await startAuditedWorld((world) => playRandomHistory(world, SEED, 40))
  columns = await readColumns(audited.owner, audited.schema)
  tables = [...new Set(columns.map(({ table }) => table))]
})
afterAll(() => audited?.stop())

const relationOf = (table: string) => `${audited.schema}.${pg.escapeIdentifier(table)}`

/** The differences that the auditor finds while the table is changed. */
async function findWhile(table: string, change: (relation: string) => string) {
  const relation = relationOf(table)
  return whilePlanted(audited.owner, relation, change(relation), async () => {
    const { differences } = await auditAll(audited.auditor)
    return differences
  })
}

const KEYS: ReadonlyMap<string, readonly string[]> = new Map([
  ...entities.map(({ name, keyColumns }) => [name, keyColumns] as const),
  ...rollups.map(({ name, key }) => [name, key] as const),
])
/** Wallets have no table: the auditor compares a count of their executions. */
const NAMES = [...KEYS.keys()].filter((name) => name !== 'wallet')
/** No event and no list names their rows: a count of their vault shows that one is missing. */
const COUNTED: ReadonlyMap<string, { entity: string; field: string }> = new Map(
  ['vaultTerms', 'pendingTerms'].map((name) => [name, { entity: 'vault', field: `count(${name})` }]),
)
const keyOf = (name: string) => (KEYS.get(name) ?? []).map(snake)

describe(`over a random history (seed ${SEED})`, () => {
  it('audits the tables that the database has, and no others', () => {
    expect(tables.map(camel)).toEqual(NAMES.toSorted())
  })

  it('finds no difference without a planted fault', async () => {
    expect((await auditAll(audited.auditor)).differences).toEqual([])
  })

  for (const name of NAMES) {
    const table = snake(name)
    const rowOf = (relation: string) => (table === 'router' ? 'true' : oneRow(relation, table))
    const own = () => columns.filter((column) => column.table === table)

    const isKey = ({ column }: Column) => keyOf(name).includes(column)
    /** The fields of the table that differ while one row has another value in each of these columns. */
    const fieldsWhileWrong = async (wrong: readonly Column[]) =>
      fieldsOf(
        await findWhile(table, (relation) => {
          const values = wrong.map((column) => {
            const value = isKey(column) ? anotherKey(column) : anotherValue(column)
            return `${pg.escapeIdentifier(column.column)} = ${value}`
          })
          return `update ${relation} set ${values} where ${rowOf(relation)}`
        }),
        table,
      )

    it(`finds a wrong value in each column of ${table}`, async () => {
      expect(own().length).toBeGreaterThan(2)
      const [keys, values] = [own().filter(isKey), own().filter((column) => !isKey(column))]
      // A row with a wrong key is another row, which no event implies.
      for (const key of keys) expect(await fieldsWhileWrong([key]), key.column).not.toEqual([])
      const together = values.length === 0 ? [] : await fieldsWhileWrong(values)
      for (const value of values) {
        const field = camel(value.column)
        // One wrong value may hide another: each that was not found beside the others is wrong alone.
        const found = together.includes(field) ? together : await fieldsWhileWrong([value])
        expect(found, value.column).toContain(field)
      }
    })

    it(`finds a row of ${table} that is missing`, async () => {
      const found = await findWhile(table, (relation) => `delete from ${relation} where ${rowOf(relation)}`)
      const missing = { entity: name, field: 'row', ...COUNTED.get(name), kind: 'MISSING_LOGS' }
      expect(found).toContainEqual(expect.objectContaining(missing))
    })

    it(`finds a row of ${table} without an event`, async () => {
      const keyColumn = keyOf(name).at(-1) ?? ''
      const found = await findWhile(table, (relation) =>
        inventRow(relation, own(), keyColumn, rowOf(relation)),
      )
      expect(fieldsOf(found, table).length).toBeGreaterThan(0)
    })
  }
})
