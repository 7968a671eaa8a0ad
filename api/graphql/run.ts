/** Runs one operation within its bounds on its one snapshot. */
import {
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  type GraphQLError,
  getOperationAST,
} from 'graphql'
import { formatTime } from '../domain/time.ts'
import type { FinalizedThrough } from '../projection/snapshot.ts'
import { type Cost, measure, NO_COST } from './bounds.ts'
import type { Operation } from './context.ts'
import { refuse } from './errors.ts'
import { fieldsOf, fragmentsOf } from './selections.ts'
import { type Shape, toShape } from './shape.ts'

type Refused = { errors: GraphQLError[] }

/** An operation within its bounds; without a shape where the document has no such operation. */
export type Bounded = { readonly cost: Cost; readonly shape: Shape | undefined }

/** Cost and shape of the operation, or the errors of one that exceeds a bound. */
export function tryMeasure(args: ExecutionArgs): Bounded | Refused {
  try {
    const shape = toShape(args)
    return { shape, cost: shape ? measure(shape) : NO_COST }
  } catch (error) {
    return { errors: [refuse(error)] }
  }
}

/**
 * Runs the operation on its snapshot and closes it in every case. Without a snapshot there is no data
 * at all: all of an operation is answered at one block.
 */
export async function runOnOneSnapshot(
  args: ExecutionArgs,
  operation: Operation,
  cost: Cost,
): Promise<ExecutionResult> {
  try {
    const result = await runBounded(args)
    const wasRun = result.data !== undefined && readsData(args)
    const through = wasRun ? await operation.finalizedThrough() : undefined
    return { ...result, extensions: { ...result.extensions, ...(through && toExtension(through)), cost } }
  } catch (error) {
    return { errors: [refuse(error)], extensions: { cost } }
  } finally {
    await operation.close()
  }
}

/** Runs the resolvers. The reference implementation keeps fields in the order of the query; Yoga's own writes them as they become ready. */
export async function runBounded(args: ExecutionArgs): Promise<ExecutionResult> {
  return boundErrors(await execute(args))
}

/** Maximum number of errors in an answer: each row of a list can have one. `extensions.errorsOmitted` counts the others. */
const ERRORS_MAX = 50

function boundErrors(result: ExecutionResult): ExecutionResult {
  const { errors = [], extensions } = result
  if (errors.length <= ERRORS_MAX) return result
  const errorsOmitted = errors.length - ERRORS_MAX
  return { ...result, errors: errors.slice(0, ERRORS_MAX), extensions: { ...extensions, errorsOmitted } }
}

/** Whether the operation selects anything but introspection. */
function readsData({ document, operationName }: ExecutionArgs): boolean {
  const operation = getOperationAST(document, operationName)
  const fields = operation ? fieldsOf(operation.selectionSet, fragmentsOf(document)) : []
  return fields.some(({ name }) => !name.value.startsWith('__'))
}

/** In the form of REST. */
export function toExtension({ blockNumber, timestamp }: FinalizedThrough) {
  return { finalizedThrough: { blockNumber: Number(blockNumber), timestamp: formatTime(timestamp) } }
}
