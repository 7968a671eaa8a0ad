import type { ColumnKind } from '../../projection/source.ts'
import { defineListArguments } from '../define-list-arguments.ts'
import { defineFilter, type FilterField } from '../filter.ts'
import { byAmount } from '../orders.ts'

/** Rows of one day each. */
type DaySource = {
  readonly columns: { readonly [column in 'token' | 'day' | 'faceFinanced']: ColumnKind }
  readonly orders: { readonly [order in 'day' | 'faceFinanced']: readonly string[] }
}

/** The arguments of a list of days. `owner`: filter fields beside token, day and face. */
export function defineDayListArguments<S extends DaySource>(
  name: string,
  owner: { readonly [field: string]: FilterField<keyof S['columns'] & string> } = {},
) {
  const filter = defineFilter<keyof S['columns'] & string>(`${name}Filter`, 'days', {
    ...owner,
    token: { column: 'token', type: 'Address', compare: 'key', words: 'The token' },
    day: { column: 'day', type: 'DateTime', compare: 'number', words: 'The midnight of the day' },
    faceFinanced: { column: 'faceFinanced', type: 'Amount', compare: 'number', words: 'The face financed' },
  })
  return defineListArguments<S>(name, {
    noun: 'days',
    filter,
    orders: {
      day: { by: 'day', words: 'Day.' },
      faceFinanced: byAmount('faceFinanced', 'Face financed'),
    },
    defaults: { orderBy: 'day', direction: 'asc' },
  })
}
