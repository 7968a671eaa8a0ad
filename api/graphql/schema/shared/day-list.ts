import { defineFilter, type Filtered, type FilterField } from '../../kit/filter.ts'
import { byAmount, defineListArguments } from '../../kit/lists.ts'

/** Rows of one day each. */
type DaySource = Filtered<'token' | 'day' | 'faceFinanced'> & {
  readonly orders: { readonly [order in 'day' | 'faceFinanced']: readonly string[] }
}

/** Defines the arguments of a list of days. `owner`: filter fields beside token, day and face. */
export function defineDayListArguments<S extends DaySource>(
  source: S,
  name: string,
  owner: { readonly [field: string]: FilterField<keyof S['columns'] & string> } = {},
) {
  const filter = defineFilter<keyof S['columns'] & string>(source, `${name}Filter`, 'days', {
    ...owner,
    token: { column: 'token', type: 'Address', compare: 'key', words: 'The token' },
    day: { column: 'day', type: 'DateTime', compare: 'number', words: 'The start of the UTC day' },
    faceFinanced: { column: 'faceFinanced', type: 'Amount', compare: 'number', words: 'The face financed' },
  })
  return defineListArguments(source, name, {
    noun: 'days',
    filter,
    orders: {
      day: { by: 'day', words: 'Day.' },
      faceFinanced: byAmount('faceFinanced', 'Face financed'),
    },
    defaults: { orderBy: 'day', direction: 'asc' },
  })
}
