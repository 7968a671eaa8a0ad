/** Every list of GraphQL as Parquet, read by DuckDB: the rows and values of the CSV file, with types. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectionsOf, objectType } from '../graphql/walk.ts'
import { openParquetReader, type ParquetReader } from '../support/parquet.ts'
import { readCsv } from './csv.ts'
import { queryOf, questions } from './export-questions.ts'
import { type ReadGateway, startReadGateway } from './gateway.ts'

let gateway: ReadGateway
let parquet: ParquetReader
beforeAll(async () => {
  gateway = await startReadGateway()
  parquet = await openParquetReader()
})
afterAll(async () => {
  parquet.stop()
  await gateway.stop()
})

async function download(name: string, question: Record<string, unknown> = {}) {
  const response = await gateway.get(`/exports/${name}.parquet?${queryOf(question)}`)
  const body = await response.arrayBuffer()
  expect(response.status, new TextDecoder().decode(body).slice(0, 1000)).toBe(200)
  const path = parquet.save(body)
  return { response, path, ...(await parquet.rowsOf(path)) }
}

async function downloadCsv(name: string, question: Record<string, unknown> = {}) {
  const text = await (await gateway.get(`/exports/${name}.csv?${queryOf(question)}`)).text()
  const [header = [], ...rows] = readCsv(text)
  return { header, rows }
}

const lists = connectionsOf(objectType('Query')).map(({ name }) => name)
const DIGITS_MAX = 38
const digitsOf = (amount: string) => amount.replace('-', '').length

describe('an export as Parquet', () => {
  it.each(lists)('of %s has the rows, columns and values of the CSV file', async (name) => {
    for (const question of name === 'vaultTerms' ? [questions[name]] : [{}, questions[name]]) {
      for (const amounts of ['base', 'units']) {
        const file = await download(name, { ...question, amounts })
        const csv = await downloadCsv(name, { ...question, amounts })
        const isNumber = file.columns.map(({ type }) => type === 'DECIMAL(38,0)')
        const own = <T>(cells: readonly T[]) => cells.filter((_, i) => !isNumber[i])
        expect(own(file.columns).map((column) => column.name)).toEqual(csv.header)
        // CSV has no nulls, and an apostrophe before a text that a spreadsheet would run.
        expect(file.rows.map((row) => own(row).map((cell) => cell ?? ''))).toEqual(
          csv.rows.map((row) => row.map((cell) => cell.replace(/^'(?=\s*[=+\-@])/, ''))),
        )
        for (const [index, { name: column }] of file.columns.entries()) {
          if (!isNumber[index]) continue
          expect(column).toBe(`${file.columns[index - 1]?.name}_decimal`)
          for (const row of file.rows) {
            const amount = row[index - 1] ?? null
            expect(row[index]).toBe(amount === null || digitsOf(amount) > DIGITS_MAX ? null : amount)
          }
        }
      }
    }
  })

  it.each(lists)('of %s has the exact sum of each amount', async (name) => {
    const { path, columns } = await download(name, questions[name])
    const { header, rows } = await downloadCsv(name, questions[name])
    const numbers = columns.filter(({ type }) => type === 'DECIMAL(38,0)').map((column) => column.name)
    const sums = numbers.map((column, i) => `sum("${column}")::varchar as s${i}`)
    const [found = {}] =
      numbers.length > 0 ? await parquet.query(`select ${sums} from read_parquet('${path}')`) : []
    const expected = numbers.map((column) => {
      const cell = header.indexOf(column.replace(/_decimal$/, ''))
      const given = rows
        .map((row) => row[cell] ?? '')
        .filter((text) => text !== '' && digitsOf(text) <= DIGITS_MAX)
      return given.length === 0 ? null : String(given.reduce((sum, text) => sum + BigInt(text), 0n))
    })
    expect(numbers.map((_, i) => found[`s${i}`])).toEqual(expected)
  })

  it('has types: numbers of amounts, times, integers, booleans, lists of integers', async () => {
    const typesOf = async (name: string, question = {}) => {
      const { columns } = await download(name, question)
      return Object.fromEntries(columns.map((column) => [column.name, column.type]))
    }
    expect(await typesOf('claims')).toMatchObject({
      claimId: 'VARCHAR',
      state: 'VARCHAR',
      faceValue: 'VARCHAR',
      faceValue_decimal: 'DECIMAL(38,0)',
      dueDate: 'TIMESTAMP WITH TIME ZONE',
      claimType: 'INTEGER',
      registeredBlock: 'BIGINT',
      matured: 'BOOLEAN',
    })
    expect(await typesOf('vaults')).toMatchObject({
      mandate_supportedTypesBitmap: 'VARCHAR',
      mandate_supportedTypes: 'INTEGER[]',
    })
    expect(await typesOf('vaults')).not.toHaveProperty('mandate_supportedTypesBitmap_decimal')
    expect(await typesOf('paymentRecords')).toMatchObject({ averageDaysLate: 'DOUBLE' })
  })

  it('has its block and a file name in its headers, and is not cached', async () => {
    const { response } = await download('vaults')
    const block = (await gateway.get('/vaults')).headers.get('X-Finalized-Through')
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/vnd.apache.parquet',
      'content-disposition': `attachment; filename="vaults-${block}.parquet"`,
      'x-finalized-through': block,
      'cache-control': 'no-store',
    })
    const head = await gateway.app.request('/api/v1/exports/vaults.parquet', { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
  })

  it('has columns even where there are no rows, and only those that are asked for', async () => {
    const { columns, rows } = await download('claims', {
      filter: { state_in: [] },
      columns: ['state', 'faceValue'],
    })
    expect([columns.map(({ name }) => name), rows]).toEqual([['state', 'faceValue', 'faceValue_decimal'], []])
  })

  it('can be filtered by its texts, which have their bounds in the file', async () => {
    const { path, rows } = await download('claims')
    for (const [id] of rows) {
      const found = await parquet.query(`select 1 from read_parquet('${path}') where claimId = '${id}'`)
      expect(found.length).toBe(1)
    }
  })

  it('is that of a block of the past on request', async () => {
    const last = Number((await download('claims')).response.headers.get('X-Finalized-Through'))
    const block = Math.floor(last / 2)
    const past = await download('claims', { asOfBlock: block, columns: ['claimId', 'state'] })
    expect(past.response.headers.get('content-disposition')).toContain(`claims-${block}.parquet`)
    expect(past.rows).toEqual(
      (await downloadCsv('claims', { asOfBlock: block, columns: ['claimId', 'state'] })).rows,
    )
  })

  it.each([
    ['claims', 'filter=1', 400, 'VALIDATION_FAILED'],
    ['claims', 'columns=faceValue_decimal', 400, 'VALIDATION_FAILED'],
    ['vaultTerms', '', 400, 'VALIDATION_FAILED'],
    ['claims', `asOfBlock=999999999999999`, 409, 'AS_OF_NOT_FINAL'],
    ['nothing', '', 404, 'NOT_FOUND'],
  ])('of %s?%s is a %i with %s', async (name, query, status, code) => {
    const response = await gateway.get(`/exports/${name}.parquet?${query}`)
    expect([response.status, await response.json()]).toMatchObject([status, { code }])
  })
})
