import { z } from '@hono/zod-openapi'
import { CLAIM_TYPE_MAX } from '../../domain/limits.ts'
import { DIMENSIONS_MAX } from '../../graphql/schema/shared/aggregate.ts'
import { type ExportedList, exportedLists, type Parameter } from '../../graphql/serve/define-exports.ts'
import { AMOUNT_FORMS } from '../../graphql/serve/export-units.ts'
import { readNames } from '../../graphql/serve/read-export.ts'
import { asOfParameters, asOfProblems } from '../shared/as-of.ts'
import { defineRoute } from '../shared/define-route.ts'
import { problems, readProblems } from '../shared/problems.ts'
import { EXPORT_FORMATS, type ExportFormat } from './formats.ts'

/** Maximum number of characters of one parameter, which is that of a request line. */
const PARAMETER_LENGTH_MAX = 16_384

const text = z
  .string({ error: 'must be given once' })
  .max(PARAMETER_LENGTH_MAX, `must have at most ${PARAMETER_LENGTH_MAX} characters`)
const texts = z.union([text, z.array(text)])
/** Dimensions, by which a list groups, are its only arguments that take several names. */
const dimensions = texts.refine(
  (given) => readNames(given).length <= DIMENSIONS_MAX,
  `must name at most ${DIMENSIONS_MAX}`,
)

const amountsInput = z
  .enum(AMOUNT_FORMS)
  .optional()
  .openapi({
    type: 'string',
    enum: [...AMOUNT_FORMS],
    default: 'base',
    description:
      '`units` adds a column after each amount, with `_units` at the end of its name: the amount in whole units of the token, or of the share, as an exact decimal number. The columns `token_symbol` and `token_decimals` precede the first amount. A file without amounts stays as it is.',
  })

type ValueSchema = { type: 'integer' | 'boolean'; minimum?: number; maximum?: number }

const jsonSchemas: Readonly<Record<string, ValueSchema | undefined>> = {
  // A claim type is the only number among the arguments of lists.
  Int: { type: 'integer', minimum: 0, maximum: CLAIM_TYPE_MAX },
  Boolean: { type: 'boolean' },
}

/** A route for each list of GraphQL and each format. A new list gets its routes without further code. */
export const exportRoutes = exportedLists().flatMap((list) =>
  EXPORT_FORMATS.map((format) => ({ list, format, route: routeOf(list, format) })),
)

function routeOf({ name, description, parameters, columns, hasPast }: ExportedList, format: ExportFormat) {
  return defineRoute(
    { access: 'public', limit: 'default', minBlock: 'projection' },
    {
      method: 'get',
      path: `/exports/${name}.${format.extension}`,
      tags: ['Exports'],
      operationId: operationIdOf(name, format),
      summary: `Export \`${name}\` as ${format.name}`,
      description,
      request: {
        query: z.strictObject({
          ...Object.fromEntries(parameters.map((parameter) => [parameter.name, inputOf(parameter)])),
          columns: columnsInput(columns.map((column) => column.name)),
          amounts: amountsInput,
          ...(hasPast ? asOfParameters : {}),
        }),
      },
      responses: {
        200: {
          description: `${format.description}\n\n${format.columnTable(columns)}`,
          content: { [format.mediaType.split(';')[0] ?? '']: { schema: format.schema } },
          headers: {
            'Content-Disposition': { $ref: '#/components/headers/Content-Disposition' },
            'X-Finalized-Through': { $ref: '#/components/headers/X-Finalized-Through' },
          },
        },
        ...problems(
          ...readProblems,
          ...(hasPast ? asOfProblems : []),
          ...(name.endsWith('Aggregates') ? (['AGGREGATE_TOO_WIDE'] as const) : []),
          'RATE_LIMITED',
          'TOO_MANY_EXPORTS',
          'EXPORTS_BUSY',
        ),
      },
    },
  )
}

/** Operations of the first format had their ids before there were others. */
function operationIdOf(name: string, { name: format }: ExportFormat): string {
  const own = `export${name.charAt(0).toUpperCase()}${name.slice(1)}`
  return format === 'CSV' ? own : `${own}As${format}`
}

/** The schema only requires text; GraphQL parses the value. */
function inputOf({ description, typeName, names, defaultValue, isRequired, isList }: Parameter) {
  const input = names && isList ? dimensions : text
  const known = names
    ? isList
      ? listOf(names, DIMENSIONS_MAX)
      : oneOf(names, defaultValue)
    : jsonSchemas[typeName]
  return (isRequired ? input : input.optional()).openapi({
    ...(known ?? {
      type: 'string' as const,
      contentMediaType: 'application/json',
      maxLength: PARAMETER_LENGTH_MAX,
    }),
    description: known ? description : `${description} The value is the \`${typeName}\` of GraphQL, as JSON.`,
  })
}

function columnsInput(names: readonly string[]) {
  return (
    texts
      .transform(readNames)
      // The message of an invalid entry lists all names, so the number of entries is bounded before they are checked.
      .refine((given) => given.length <= names.length, {
        error: `must name ${names.length} columns at most`,
        abort: true,
      })
      .pipe(z.array(z.enum(names)).min(1))
      .refine((given) => new Set(given).size === given.length, 'must name each column once')
      .optional()
      .openapi({ ...listOf(names, names.length), description: 'Columns in this order. Default: all.' })
  )
}

function oneOf(names: readonly string[], defaultValue?: string) {
  return {
    type: 'string' as const,
    enum: [...names],
    ...(defaultValue !== undefined && { default: defaultValue }),
  }
}

/** Names separated by commas, or in several parameters of one name each. */
function listOf(names: readonly string[], maxItems: number) {
  return {
    type: 'array' as const,
    items: oneOf(names),
    maxItems,
    param: { style: 'form' as const, explode: false },
  }
}
