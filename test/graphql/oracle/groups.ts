/** Groups of rows, added up from the rows themselves. */
import { smaller } from '../../../api/domain/bigint.ts'
import { LAST_ISO_SECOND } from '../../../api/domain/time.ts'
import { startOf } from '../calendar.ts'
import { isMatch } from './filter.ts'
import { type Args, pageOf } from './pages.ts'
import { columnOf, compare, integer, type Row, rowsOf, type World } from './rows.ts'

/** A grouping by periods: the column of its time by the start of its name. */
const times: { readonly [prefix: string]: string | undefined } = {
  due: 'dueAt',
  executed: 'at',
  funded: 'fundedAt',
  registered: 'registeredAt',
  settled: 'at',
}
const periods = { Day: 'day', Week: 'week', Month: 'month' } as const

export function groupsOf(world: World, type: string, args: Args) {
  const { filter, groupBy, orderBy, orderDirection } = args
  const names = [...new Set(['token', ...(Array.isArray(groupBy) ? groupBy : [])])]
  const all = rowsOf(world, type)
  const rows = all.filter((row) => isMatch(world, row, filter))
  const groups = Map.groupBy(rows, (row) => names.map((name) => String(groupValue(row, name))).join())
  const [example = {}] = all
  const order = columnOf(example, String(orderBy))
  return pageOf(
    [...groups.values()].map((own) => toGroup(own, names)),
    {
      name: [order, ...names].join(' '),
      columns: order === 'key' ? names : [order, ...names],
      isAscending: orderDirection === 'asc',
    },
    args,
  )
}

function groupValue(row: Row, name: string): Row[string] {
  const [, prefix = '', period] = /^(.+)(Day|Week|Month)$/.exec(name) ?? []
  if (period !== 'Day' && period !== 'Week' && period !== 'Month') return row[name] ?? null
  const at = integer(row, times[prefix] ?? '')
  return startOf(periods[period], smaller(at, LAST_ISO_SECOND))
}

/** Values that all rows share, and the sums of their columns of amounts under the names of the columns. */
function toGroup(rows: readonly Row[], names: readonly string[]): Row {
  const [first = {}] = rows
  const amounts = Object.keys(first).filter((column) => typeof first[column] === 'bigint')
  const measures = amounts.flatMap((column): [string, bigint][] => {
    const values = rows.map((row) => row[column] ?? null).filter((value) => typeof value === 'bigint')
    const sorted = values.sort(compare)
    return [
      [column, values.reduce((total, value) => total + value, 0n)],
      [minOf(column), sorted.at(0) ?? 0n],
      [maxOf(column), sorted.at(-1) ?? 0n],
    ]
  })
  const key = names.map((name): [string, Row[string]] => [name, groupValue(first, name)])
  return { ...Object.fromEntries(measures), ...Object.fromEntries(key), count: BigInt(rows.length) }
}

const minOf = (column: string) => `${column} min`
const maxOf = (column: string) => `${column} max`

/** The statistics of one amount of a group. */
export function measuresOf(group: Row, field: string) {
  const column = columnOf(group, field)
  const sum = integer(group, column)
  return {
    sum,
    average: sum / integer(group, 'count'),
    min: integer(group, minOf(column)),
    max: integer(group, maxOf(column)),
  }
}
