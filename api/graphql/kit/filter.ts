/**
 * Filters as users of Ponder and The Graph write them: `faceValue_gte`, `state_in`, `AND`, `OR`. One table per noun
 * lists the fields; the input type and its meaning are both derived from it.
 */
import { validationFailed } from '../../errors.ts'
import type { Comparison, Filter, FilterValue, Membership } from '../../projection/sql/filter.ts'
import type { ColumnKind, Source, Table } from '../../projection/sql/source.ts'
import { builder } from './builder.ts'
import type { ScalarShapes } from './scalars.ts'

/** `ofTime` replaces `words` for times. */
type Suffix = { suffix: string; is: Comparison | Membership; words: string; ofTime?: string }

const equality: readonly Suffix[] = [
  { suffix: '', is: 'eq', words: ' is this value' },
  { suffix: '_not', is: 'not', words: ' is not this value' },
]
const membership: readonly Suffix[] = [
  { suffix: '_in', is: 'in', words: ' is one of these values' },
  { suffix: '_not_in', is: 'notIn', words: ' is none of these values' },
]
const ordering: readonly Suffix[] = [
  { suffix: '_gt', is: 'gt', words: ' is greater than this value', ofTime: ' is after this value' },
  { suffix: '_gte', is: 'gte', words: ' is at least this value', ofTime: ' is this value or later' },
  { suffix: '_lt', is: 'lt', words: ' is less than this value', ofTime: ' is before this value' },
  { suffix: '_lte', is: 'lte', words: ' is at most this value', ofTime: ' is this value or earlier' },
]

/** The cost of a filter, for its description. */
const SCANS =
  'The estimate of the database for a filter counts as cost: a condition by _not, by _not_in or on a field that is not indexed is cheap beside one that few rows meet.'

/** The words of a flag state the condition themselves: "Whether the vault is active". */
const flags: readonly Suffix[] = [
  { suffix: '', is: 'eq', words: '' },
  { suffix: '_not', is: 'not', words: ', negated' },
]

/** Comparisons of a field: a `flag` is true or false, a `key` equal or in a list, a `number` also greater or less. */
const suffixes = {
  flag: flags,
  key: [...equality, ...membership],
  number: [...equality, ...membership, ...ordering],
} as const

type FieldType = keyof ScalarShapes | 'Int' | 'Float' | 'Boolean' | ReturnType<typeof builder.enumType>

export type FilterField<Column extends string> = {
  column: Column
  type: FieldType
  compare: keyof typeof suffixes
  /** The field in words, as in "whose … is this". */
  words: string
  /** Decimals of a number of which the column counts the last place. Default: 0. */
  decimals?: number
}

/** A Boolean that is a condition of several columns. */
export type DerivedField<Column extends string> = {
  /** The conditions that all hold where it is true, or where it is false. */
  conditions: (value: boolean) => readonly Filter<Column>[]
  description: string
}

export type FilterInput = { readonly [field: string]: unknown }

/**
 * Conditions of one filter. `AND`, `OR` and each member of them count too, empty ones included, because each becomes
 * SQL. The planner's time grows faster than their number.
 */
const CONDITIONS_MAX = 100
/** Levels of `AND` and `OR`, the filter itself included. */
const DEPTH_MAX = 5
/** Values in one list of a filter. All its values are counted by the cost of the page. */
const VALUES_MAX = 200

/** The conditions that a filter may still have, shared by all branches. */
type Budget = { conditions: number }

/** The table that is filtered. */
export type Filtered<Column extends string> = Pick<Source<Table>, 'table' | 'isSmall'> & {
  readonly columns: { readonly [C in Column]?: ColumnKind }
  readonly unindexed?: readonly string[]
}

/** A noun's filter: its input type, and the conditions that a value of it means. */
export type DefinedFilter<Column extends string> = ReturnType<typeof defineFilter<Column>>

/** Defines the input type of a noun's filter, and the conditions that a value of it means. */
export function defineFilter<Column extends string>(
  { table, isSmall, unindexed = [] }: Filtered<Column>,
  name: string,
  noun: string,
  fields: { readonly [field: string]: FilterField<Column> },
  derived: { readonly [field: string]: DerivedField<Column> } = {},
) {
  const conditions = Object.entries(fields).flatMap(([field, spec]) =>
    suffixes[spec.compare].map(({ suffix, is, words, ofTime = words }) => ({
      name: field + suffix,
      spec,
      is,
      words: spec.words + (spec.type === 'DateTime' ? ofTime : words),
    })),
  )
  const note = ({ column }: FilterField<Column>) => (unindexed.includes(column) ? ' Not indexed.' : '')
  const ref = builder.inputRef<FilterInput>(name)
  ref.implement({
    // For the test that each column has an index, or is declared to have none.
    extensions: { table, columns: Object.values(fields).map(({ column }) => column) },
    description: [
      `Conditions on the ${noun}. All conditions must hold; a condition that is null is ignored.`,
      ...(isSmall ? [] : [SCANS]),
      `At most ${CONDITIONS_MAX} conditions in ${DEPTH_MAX} levels, where AND, OR and each of their members count as one.`,
    ].join(' '),
    fields: (t) => ({
      ...Object.fromEntries(
        conditions.map(({ name, spec, is, words }) => [
          name,
          is === 'in' || is === 'notIn'
            ? t.field({
                type: [spec.type],
                description: `${words} (at most ${VALUES_MAX}).${note(spec)}`,
              })
            : t.field({ type: spec.type, description: `${words}.${note(spec)}` }),
        ]),
      ),
      ...Object.fromEntries(
        Object.entries(derived).map(([field, { description }]) => [field, t.boolean({ description })]),
      ),
      AND: t.field({ type: [ref], description: 'All of these conditions hold.' }),
      OR: t.field({
        type: [ref],
        description: 'At least one of these conditions holds. An empty list matches no row.',
      }),
    }),
  })
  const byName = new Map(conditions.map((condition) => [condition.name, condition]))

  const read = (input: FilterInput, budget: Budget, depth: number): Filter<Column> => {
    if (depth > DEPTH_MAX) throw tooMuch(`nests AND and OR too deep; the maximum is ${DEPTH_MAX} levels`)
    const and = Object.entries(input).flatMap(([field, value]): Filter<Column>[] => {
      if (value === null || value === undefined) return []
      spendConditions(budget, 1)
      if (field === 'AND' || field === 'OR') {
        const members = inputs(value)
        spendConditions(budget, members.length)
        const parts = members.map((member) => read(member, budget, depth + 1))
        return [field === 'AND' ? { and: parts } : { or: parts }]
      }
      const own = derived[field]?.conditions(value === true)
      if (own) {
        spendConditions(budget, own.length)
        return [...own]
      }
      const condition = byName.get(field)
      return condition ? [toCondition(field, condition.spec, condition.is, value)] : []
    })
    return { and }
  }
  return {
    ref,
    /** @throws CodedError `VALIDATION_FAILED` for a filter beyond the bounds */
    toFilter: (input: FilterInput | null | undefined): Filter<Column> | undefined =>
      input ? read(input, { conditions: CONDITIONS_MAX }, 1) : undefined,
  }
}

function toCondition<Column extends string>(
  field: string,
  { column, decimals = 0 }: FilterField<Column>,
  is: Comparison | Membership,
  value: unknown,
): Filter<Column> {
  const inColumn = (one: unknown) => shifted(single(one), decimals)
  if (is !== 'in' && is !== 'notIn') return { column, is, value: inColumn(value) }
  const values = Array.isArray(value) ? value : [value]
  if (values.length > VALUES_MAX) {
    const message = `has ${values.length} values; the maximum is ${VALUES_MAX}`
    throw validationFailed([{ path: `filter.${field}`, message }])
  }
  return { column, is, values: values.map(inColumn) }
}

/** Moves the decimal point of a number in its decimal digits: a product could have a rounding error. */
function shifted(value: FilterValue, decimals: number): FilterValue {
  if (decimals === 0) return value
  const [digits, exponent = '0'] = String(value).split('e')
  return Number(`${digits}e${Number(exponent) + decimals}`)
}

function spendConditions(budget: Budget, count: number): void {
  budget.conditions -= count
  if (budget.conditions >= 0) return
  throw tooMuch(
    `has too many conditions; the maximum is ${CONDITIONS_MAX}, and AND, OR and each of their members count as one. Use _in for several values of one field`,
  )
}

/** Narrows a value that GraphQL has coerced. */
function single(value: unknown): FilterValue {
  switch (typeof value) {
    case 'bigint':
    case 'number':
    case 'string':
    case 'boolean':
      return value
    default:
      throw new Error(`Not a value of a filter: ${typeof value}`)
  }
}

function inputs(value: unknown): readonly FilterInput[] {
  return Array.isArray(value) ? value.filter((part) => typeof part === 'object' && part !== null) : []
}

function tooMuch(message: string) {
  return validationFailed([{ path: 'filter', message }])
}
