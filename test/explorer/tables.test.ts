/** The tables of the desk: which ones a query names, and what is read from their files. */
import { expect, it } from 'vitest'
import { tablesIn } from '../../explorer/src/desk/names.ts'
import { openParquet, type Texts } from '../../explorer/src/desk/parquet.ts'
import type { ParquetColumn } from '../../parquet/columns.ts'
import { type ParquetRow, ROW_GROUP_ROWS, writeParquet } from '../../parquet/write.ts'

it('a query names the tables whose whole names are in it, in any case, each once', () => {
  expect(tablesIn('SELECT * FROM Claims JOIN "vaultDays" d ON true, claims c')).toEqual([
    'claims',
    'vaultDays',
  ])
  expect(tablesIn('select claimsOf, vault from tokens_of')).toEqual([])
})

async function read(columns: readonly ParquetColumn[], rows: readonly ParquetRow[]) {
  async function* pages() {
    for (let start = 0; start < rows.length; start += ROW_GROUP_ROWS)
      yield rows.slice(start, start + ROW_GROUP_ROWS)
  }
  const parts: Uint8Array<ArrayBuffer>[] = []
  for await (const part of writeParquet(columns, pages())) parts.push(new Uint8Array(part))
  const table = openParquet(await new Blob(parts).arrayBuffer())
  const texts: (readonly Texts[])[] = []
  for await (const part of table.parts()) texts.push(part)
  return { ...table, texts }
}

it('a file has its columns in the types of SQL, and the number of an amount from its text', async () => {
  const time = BigInt(Date.UTC(2026, 0, 2, 3, 4, 5))
  const { columns, length, texts } = await read(
    [
      { name: 'amount', type: 'VARCHAR' },
      { name: 'amount_decimal', type: 'DECIMAL(38,0)' },
      { name: 'flag', type: 'BOOLEAN' },
      { name: 'int', type: 'INTEGER' },
      { name: 'long', type: 'BIGINT' },
      { name: 'double', type: 'DOUBLE' },
      { name: 'time', type: 'TIMESTAMP' },
      { name: 'list', type: 'INTEGER[]' },
    ],
    [
      ['9007199254740993', 9_007_199_254_740_993n, false, 0, 2n ** 63n - 1n, 0.5, time, [1, 2]],
      [null, null, null, null, null, null, null, null],
    ],
  )
  expect(columns.map(({ name, type, from }) => [name, type, from])).toEqual([
    ['amount', 'VARCHAR', 'amount'],
    ['amount_decimal', 'DECIMAL(38,0)', 'amount'],
    ['flag', 'BOOLEAN', 'flag'],
    ['int', 'INTEGER', 'int'],
    ['long', 'BIGINT', 'long'],
    ['double', 'DOUBLE', 'double'],
    ['time', 'TIMESTAMP', 'time'],
    ['list', 'INTEGER[]', 'list'],
  ])
  expect(length).toBe(2)
  expect(texts).toHaveLength(1)
  expect(Object.fromEntries(texts.flat().map(({ name, values }) => [name, values]))).toEqual({
    amount: ['9007199254740993', null],
    flag: ['false', null],
    int: ['0', null],
    long: [`${2n ** 63n - 1n}`, null],
    double: ['0.5', null],
    time: ['2026-01-02 03:04:05.000', null],
    list: ['[1, 2]', null],
  })
})

it('a long file has each row once, in parts', async () => {
  const rows = Array.from({ length: 2 * ROW_GROUP_ROWS + 1 }, (_, row) => [row])
  const { length, texts } = await read([{ name: 'row', type: 'INTEGER' }], rows)
  expect([length, texts.length]).toEqual([rows.length, 3])
  expect(texts.flatMap(([column]) => column?.values ?? [])).toEqual(rows.map(([row]) => `${row}`))
})
