/** Input values, checked against their types without the cost of GraphQL's own reports, each of which prints the whole value. */
import {
  coerceInputValue,
  type GraphQLInputType,
  type GraphQLSchema,
  isInputType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
  valueFromAST,
} from 'graphql'
import { validationFailed } from '../errors.ts'

/**
 * @param path of the value, for the error
 * @returns the value of the type
 * @throws CodedError `VALIDATION_FAILED` at the first fault
 */
export function coerceInput(value: unknown, type: GraphQLInputType, path: string): unknown {
  return coerceInputValue(value, type, (at, _, error) => {
    throw validationFailed([{ path: [path, ...at].join('.'), message: error.message }])
  })
}

/**
 * The variables of an operation as values of their types, with defaults.
 *
 * @throws CodedError `VALIDATION_FAILED` at the first fault
 */
export function coerceVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const coerced = variableDefinitions.flatMap(({ variable, type: typeNode, defaultValue }) => {
    const name = variable.name.value
    const type = typeFromAST(schema, typeNode)
    if (!isInputType(type)) return []
    if (Object.hasOwn(variables, name)) return [[name, coerceInput(variables[name], type, name)]]
    if (defaultValue) return [[name, valueFromAST(defaultValue, type)]]
    return isNonNullType(type) ? [[name, coerceInput(undefined, type, name)]] : []
  })
  return Object.fromEntries(coerced)
}
