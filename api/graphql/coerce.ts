/** Input values, checked against their types without the cost of GraphQL's own reports, each of which prints the whole value. */
import {
  coerceInputValue,
  type GraphQLInputType,
  type GraphQLSchema,
  isInputType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
} from 'graphql'
import { validationFailed } from '../errors.ts'

/**
 * @param path of the value, for the error
 * @throws CodedError `VALIDATION_FAILED` at the first fault
 */
export function requireInput(value: unknown, type: GraphQLInputType, path: string): void {
  coerceInputValue(value, type, (at, _, error) => {
    throw validationFailed([{ path: [path, ...at].join('.'), message: error.message }])
  })
}

/**
 * The variables of an operation, checked before GraphQL coerces them.
 *
 * @throws CodedError `VALIDATION_FAILED` at the first fault
 */
export function requireVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): void {
  for (const { variable, type: typeNode, defaultValue } of variableDefinitions) {
    const name = variable.name.value
    const type = typeFromAST(schema, typeNode)
    const isGiven = Object.hasOwn(variables, name)
    if (!isInputType(type) || (!isGiven && (defaultValue || !isNonNullType(type)))) continue
    requireInput(isGiven ? variables[name] : undefined, type, name)
  }
}
