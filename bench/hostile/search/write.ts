/** The text of an operation. */
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isInputObjectType,
} from 'graphql'
import { literal } from '../../../test/fuzz/graphql-input.ts'
import type { Args } from './arguments.ts'
import { fieldsOf, type Selected } from './operation.ts'

export type Written = { query: string; variables: Args }
/** `declared`: the variables, as the document declares them. */
type Writing = { schema: GraphQLSchema; declared: string[]; variables: Args }

export function writeOperation(schema: GraphQLSchema, operation: Selected): Written {
  const writing: Writing = { schema, declared: [], variables: {} }
  const fields = writeFields(writing, operation)
  const { declared, variables } = writing
  const head = declared.length > 0 ? `query (${declared.join(', ')}) ` : ''
  return { query: `${head}{ ${fields} }`, variables }
}

/** A field that is selected again gets an alias, unless it is a scalar. */
function writeFields(writing: Writing, { type = '', fields }: Selected): string {
  const known = new Map(fieldsOf(writing.schema, type).map((field) => [field.name, field]))
  const names = new Set<string>()
  const texts = fields.flatMap((own, i) => {
    const field = known.get(own.name)
    const isRepeated = names.has(own.name)
    if (!field || (isRepeated && own.type === undefined)) return []
    names.add(own.name)
    return [`${isRepeated ? `a${i}: ` : ''}${writeField(writing, field, own)}`]
  })
  return texts.join(' ')
}

function writeField(writing: Writing, field: GraphQLField<unknown, unknown>, own: Selected): string {
  const given = field.args.flatMap((arg) => writeArgument(writing, arg, own.args[arg.name]))
  const start = given.length > 0 ? `${field.name}(${given.join(', ')})` : field.name
  if (own.type === undefined) return start
  const selection = `{ ${writeFields(writing, own) || '__typename'} }`
  return isAbstractType(getNamedType(field.type))
    ? `${start} { ... on ${own.type} ${selection} }`
    : `${start} ${selection}`
}

/** Objects and lists become variables, because a document has less room for them. */
function writeArgument(writing: Writing, { name, type }: GraphQLArgument, value: unknown): string[] {
  if (value === undefined) return []
  if (!Array.isArray(value) && !isInputObjectType(getNamedType(type)))
    return [`${name}: ${literal(value, type)}`]
  const variable = `v${writing.declared.length}`
  writing.declared.push(`$${variable}: ${type}`)
  writing.variables[variable] = value
  return [`${name}: $${variable}`]
}
