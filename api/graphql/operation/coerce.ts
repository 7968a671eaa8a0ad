/**
 * Input values, checked against their types without the cost of GraphQL's own reports, each of which prints the whole
 * value.
 */
import {
  type ConstValueNode,
  coerceInputValue,
  type GraphQLInputType,
  type GraphQLSchema,
  isInputType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
  valueFromAST,
} from 'graphql'
import { validationFailed } from '../../errors.ts'

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
 * Returns the variables of an operation as values of their types, with defaults.
 *
 * @throws CodedError `VALIDATION_FAILED` at the first fault
 */
export function coerceVariables(
  declared: readonly DeclaredVariable[],
  variables: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const coerced: Record<string, unknown> = Object.create(null)
  for (const { name, type, defaultValue } of declared) {
    if (Object.hasOwn(variables, name)) coerced[name] = coerceInput(variables[name], type, name)
    else if (defaultValue) coerced[name] = valueFromAST(defaultValue, type)
    else if (isNonNullType(type)) coerced[name] = coerceInput(undefined, type, name)
  }
  return coerced
}

export type DeclaredVariable = {
  readonly name: string
  readonly type: GraphQLInputType
  readonly defaultValue: ConstValueNode | undefined
}

const declaredVariables = new WeakMap<OperationDefinitionNode, readonly DeclaredVariable[]>()

/**
 * Returns the variables that an operation declares. They are found once: the documents of many requests are the same.
 */
export function variablesOf(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
): readonly DeclaredVariable[] {
  const known = declaredVariables.get(operation)
  if (known) return known
  const declared = (operation.variableDefinitions ?? []).flatMap(({ variable, type: node, defaultValue }) => {
    const type = typeFromAST(schema, node)
    return isInputType(type) ? [{ name: variable.name.value, type, defaultValue }] : []
  })
  declaredVariables.set(operation, declared)
  return declared
}
