/** The rows of an export, read page by page as documents of GraphQL. */
import { type DocumentNode, getNullableType, parse } from 'graphql'
import { z } from 'zod'
import { requireShape } from '../../domain/json-shape.ts'
import { PAGE_LIMIT_MAX, VALUE_LENGTH_MAX } from '../../domain/limits.ts'
import { validationFailed } from '../../errors.ts'
import type { Reader } from '../operation/run.ts'
import { coerceInput } from '../operation/shape.ts'
import { schema } from '../schema.ts'
import { answerRequest, isAnswer } from './answer.ts'
import { AS_OF, type ExportedList, type Parameter, type Path, valueAt } from './define-exports.ts'
import { type Cell, cellsOf } from './export-units.ts'

/** Parameters of an export by name, as text as in a query string; several texts for a parameter that takes a list. */
export type Asked = Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * Reads the values that the texts stand for: names of enum values as they are, everything else as JSON.
 *
 * @throws CodedError `VALIDATION_FAILED` that names the first field at fault, as in `filter.state_in.0`
 */
export function readParameters({ parameters }: ExportedList, asked: Asked): Record<string, unknown> {
  const values = parameters.flatMap((parameter) => {
    const { name, type } = parameter
    const text = asked[name]
    if (text === undefined) return []
    const value = parseText(text, parameter)
    if (value === undefined) throw validationFailed([{ path: name, message: 'must be JSON' }])
    requireShape({ [name]: value }, name, VALUE_LENGTH_MAX)
    coerceInput(value, type, name)
    return [[name, value]]
  })
  return Object.fromEntries(values)
}

/** Reads the names in a list: separated by commas, or in several texts. */
export function readNames(text: string | readonly string[]): string[] {
  return String(text)
    .split(',')
    .filter((name) => name !== '')
}

/** Undefined where the parameter takes JSON and the text is not JSON. */
function parseText(text: string | readonly string[], { names, isList }: Parameter): unknown {
  if (names) return isList ? readNames(text) : text
  try {
    return JSON.parse(String(text))
  } catch {
    return undefined
  }
}

/** The part of an export that depends on its request. */
export type Wanted = {
  readonly cells: readonly Cell[]
  /** As `readParameters` returns them. */
  readonly values: Record<string, unknown>
  /** Number of a block of the past. Default: the last finalized block. */
  readonly block?: bigint | undefined
}

/** A value for each cell. */
export type ExportRow = readonly unknown[]

/**
 * Reads the pages of an export one by one, on demand.
 *
 * @param reader reads all pages from one snapshot
 * @throws CodedError as the list itself would be refused, or fail
 */
export async function* readExport(
  list: ExportedList,
  { cells, values, block }: Wanted,
  reader: Reader,
): AsyncGenerator<ExportRow[], void, undefined> {
  const document = pageQuery(list, cells)
  const asOf = block === undefined ? undefined : { block: Number(block) }
  let after: string | null = null
  do {
    const answer = await answerRequest(
      { schema, document, variableValues: { ...values, asOf, after } },
      reader,
    )
    if (!isAnswer(answer)) throw answer.errors[0]?.originalError
    const data: unknown = JSON.parse(answer.data)
    const { nodes, pageInfo } = page.parse(valueAt(data, [list.name]))
    yield nodes.map((row) => cellsOf(row, cells))
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null
  } while (after !== null)
}

const page = z.object({
  nodes: z.array(z.unknown()),
  pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
})

/** Fields of a row from which a whole page would cost more than an operation may. */
const WIDE = 30

function pageQuery({ name, parameters, hasPast }: ExportedList, cells: readonly Cell[]): DocumentNode {
  const past = hasPast ? [{ name: AS_OF, type: 'AsOf' }] : []
  const all = [...parameters.map((one) => ({ name: one.name, type: variableType(one) })), ...past]
  const variables = all.map((parameter) => `$${parameter.name}: ${parameter.type}`)
  const given = all.map((parameter) => `${parameter.name}: $${parameter.name}`)
  // Cells of several amounts read the decimals of one token.
  const fields = new Set(cells.flatMap(({ paths }) => paths.map(selection)))
  const rows = fields.size > WIDE ? PAGE_LIMIT_MAX / 2 : PAGE_LIMIT_MAX
  return parse(`query (${[...variables, '$after: String'].join(', ')}) {
    ${name}(${[...given, `first: ${rows}`, 'after: $after'].join(', ')}) {
      nodes { ${[...fields].join(' ')} }
      pageInfo { hasNextPage endCursor }
    }
  }`)
}

/** An argument that has a default may be left out, and so may its variable. */
function variableType({ type, isRequired }: Parameter): string {
  return String(isRequired ? type : getNullableType(type))
}

function selection([name = '', ...rest]: Path): string {
  return rest.length > 0 ? `${name} { ${selection(rest)} }` : name
}
