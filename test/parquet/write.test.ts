/** Parquet files, read by DuckDB. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ParquetColumn, toDecimal } from '../../parquet/columns.ts'
import { PART_BYTES, type ParquetRow, ROW_GROUP_ROWS, writeParquet } from '../../parquet/write.ts'
import { openParquetReader, type ParquetReader } from '../support/parquet.ts'

let parquet: ParquetReader
beforeAll(async () => {
  parquet = await openParquetReader()
})
afterAll(() => parquet.stop())

async function* inPages(rows: readonly ParquetRow[], size = 200) {
  for (let start = 0; start < rows.length; start += size) yield rows.slice(start, start + size)
}

async function partsOf(
  columns: readonly ParquetColumn[],
  rows: readonly ParquetRow[],
): Promise<Uint8Array[]> {
  const parts: Uint8Array[] = []
  for await (const part of writeParquet(columns, inPages(rows))) parts.push(part)
  return parts
}

const bytesOf = (parts: readonly Uint8Array[]) =>
  new Blob(parts.map((part) => new Uint8Array(part))).arrayBuffer()

async function save(columns: readonly ParquetColumn[], rows: readonly ParquetRow[]): Promise<string> {
  return parquet.save(await bytesOf(await partsOf(columns, rows)))
}

const HUGE = 10n ** 38n

describe('a Parquet file', () => {
  it('has every value of every type, and null for none', async () => {
    const columns: ParquetColumn[] = [
      { name: 'text', type: 'VARCHAR' },
      { name: 'flag', type: 'BOOLEAN' },
      { name: 'int', type: 'INTEGER' },
      { name: 'long', type: 'BIGINT' },
      { name: 'double', type: 'DOUBLE' },
      { name: 'time', type: 'TIMESTAMP' },
      { name: 'number', type: 'DECIMAL(38,0)' },
      { name: 'list', type: 'INTEGER[]' },
      { name: 'texts', type: 'VARCHAR[]' },
    ]
    const lastSecond = Date.UTC(9999, 11, 31, 23, 59, 59)
    const path = await save(columns, [
      ['', true, -(2 ** 31), -(2n ** 63n), -0.1, 0n, 1n - HUGE, [], []],
      [
        '=1+1\u0000"\u202e\ud83d\ude00,\r\n',
        false,
        2 ** 31 - 1,
        2n ** 63n - 1n,
        1e300,
        BigInt(lastSecond),
        HUGE - 1n,
        [0, 255],
        ['a', '', String(HUGE)],
      ],
      columns.map(() => null),
      ['0', true, 0, 0n, 0, -1000n, -1n, [7], ['7']],
    ])
    expect((await parquet.rowsOf(path)).rows).toEqual([
      [
        '',
        'true',
        '-2147483648',
        '-9223372036854775808',
        '-0.1',
        '1970-01-01T00:00:00Z',
        `-${'9'.repeat(38)}`,
        '[]',
        '[]',
      ],
      [
        '=1+1\u0000"\u202e\ud83d\ude00,\r\n',
        'false',
        '2147483647',
        '9223372036854775807',
        '1e+300',
        '9999-12-31T23:59:59Z',
        '9'.repeat(38),
        '[0,255]',
        `["a","","${HUGE}"]`,
      ],
      columns.map(() => null),
      ['0', 'true', '0', '0', '0', '1969-12-31T23:59:59Z', '-1', '[7]', '["7"]'],
    ])
    const bounds = `select min(number)::varchar as low, max(number)::varchar as high, min(text) as first from read_parquet('${path}')`
    expect(await parquet.query(bounds)).toEqual([
      { low: `-${'9'.repeat(38)}`, high: '9'.repeat(38), first: '' },
    ])
  })

  it('has no number for an amount of more than 38 digits', () => {
    const amounts = [HUGE - 1n, HUGE, 1n - HUGE, -HUGE, 2n ** 256n - 1n]
    expect(amounts.map((amount) => toDecimal(String(amount)))).toEqual([
      HUGE - 1n,
      null,
      1n - HUGE,
      null,
      null,
    ])
  })

  it('refuses a value that its type does not hold', async () => {
    for (const [type, value] of [
      ['BIGINT', 2n ** 63n],
      ['INTEGER', 2 ** 31],
      ['BOOLEAN', 'true'],
      ['DOUBLE', '1'],
    ] as const) {
      await expect(partsOf([{ name: 'column', type }], [[value]])).rejects.toThrow(/parquet/)
    }
  })

  it('of several row groups has all rows in their order, in parts of a bounded size', async () => {
    const columns: ParquetColumn[] = [
      { name: 'index', type: 'INTEGER' },
      { name: 'text', type: 'VARCHAR' },
    ]
    const textOf = (i: number) => `${(i * 2654435761) % 4294967296}-${i}`.repeat(3)
    const rows = Array.from({ length: 2 * ROW_GROUP_ROWS + 1000 }, (_, i) => [i, i % 3 ? textOf(i) : null])
    const parts = await partsOf(columns, rows)
    expect(Math.max(...parts.map(({ length }) => length))).toBe(PART_BYTES)
    const path = parquet.save(await bytesOf(parts))
    expect((await parquet.rowsOf(path)).rows).toEqual(rows.map(([i, text]) => [String(i), text]))
    const groups = await parquet.query(
      `select distinct row_group_id, row_group_num_rows::integer as n from parquet_metadata('${path}') order by 1`,
    )
    expect(groups.map(({ n }) => n)).toEqual([ROW_GROUP_ROWS, ROW_GROUP_ROWS, 1000])
    const whole = `select num_rows::integer as n, num_row_groups::integer as groups from parquet_file_metadata('${path}')`
    expect(await parquet.query(whole)).toEqual([{ n: rows.length, groups: 3 }])
    const sizes = `select distinct row_group_id, row_group_bytes::integer as all,
        row_group_compressed_bytes::integer as compressed,
        (sum(total_uncompressed_size) over (partition by row_group_id))::integer as columns,
        (sum(total_compressed_size) over (partition by row_group_id))::integer as compressed_columns
      from parquet_metadata('${path}') order by 1`
    for (const { all, columns: ofColumns, compressed, compressed_columns } of await parquet.query(sizes)) {
      expect([all, compressed]).toEqual([ofColumns, compressed_columns])
      expect(Number(all)).toBeGreaterThan(0)
    }
    // Bounds of a text that is longer than they are.
    const found = await parquet.query(`select index from read_parquet('${path}') where text = $text`, {
      text: textOf(10_100),
    })
    expect(found).toEqual([{ index: 10_100 }])
  })

  it('without rows has its columns', async () => {
    const columns: ParquetColumn[] = [
      { name: 'list', type: 'INTEGER[]' },
      { name: 'number', type: 'DECIMAL(38,0)' },
    ]
    expect(await parquet.rowsOf(await save(columns, []))).toEqual({ columns, rows: [] })
  })

  it('without its end is refused', async () => {
    const parts = await partsOf([{ name: 'text', type: 'VARCHAR' }], [['a'], ['b']])
    const bytes = await bytesOf(parts)
    for (const length of [4, bytes.byteLength >> 1, bytes.byteLength - 1]) {
      const path = parquet.save(bytes.slice(0, length))
      await expect(parquet.query(`select * from read_parquet('${path}')`)).rejects.toThrow()
    }
  })

  it('is read no further than its parts are taken, and ends the reading of its rows with itself', async () => {
    let pages = 0
    let isClosed = false
    async function* counted() {
      try {
        for (;;) {
          pages += 1
          yield Array.from({ length: 200 }, (_, i) => [`${pages}-${i}-${'x'.repeat(100)}`])
        }
      } finally {
        isClosed = true
      }
    }
    const parts = writeParquet([{ name: 'text', type: 'VARCHAR' }], counted())
    await parts.next()
    expect(pages).toBe(1)
    await parts.next()
    expect(pages).toBe(ROW_GROUP_ROWS / 200)
    await parts.return()
    expect([pages, isClosed]).toEqual([ROW_GROUP_ROWS / 200, true])
  })
})
