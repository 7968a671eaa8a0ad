/** Answers that Postgres writes: an operation as one statement, without resolvers. */
import type { ExecutionArgs, ExecutionResult } from 'graphql'
import { CodedError } from '../errors.ts'
import { isUnfit } from '../projection/json.ts'
import { isShort } from './bounds.ts'
import { compile } from './compile/compile.ts'
import { type GraphqlContext, startOperation } from './context.ts'
import { type Bounded, runBounded, runOnOneSnapshot, toExtension, tryMeasure } from './run.ts'
import { toTextResult } from './text-result.ts'

/** Measures a query and answers it within its bounds: in one statement where it has one, else by its resolvers. */
export async function answerQuery(args: ExecutionArgs, context: GraphqlContext): Promise<ExecutionResult> {
  const bounded = tryMeasure(args)
  if ('errors' in bounded) return bounded
  const answer = await answerInOneStatement(args, context, bounded)
  return answer ?? runOnOneSnapshot(args, context.operation, bounded.cost)
}

type Answering = Pick<GraphqlContext, 'readStatement' | 'labels'>

/**
 * The text of an answer without errors, and its extensions; undefined where resolvers must answer the operation.
 *
 * @throws as `readStatement`
 */
export async function readAnswer(
  { shape, cost }: Bounded,
  { readStatement, labels }: Answering,
): Promise<{ text: string; extensions: Record<string, unknown> } | undefined> {
  const reading = shape && compile(shape, labels)
  const readout = reading && (await readStatement(reading, isShort(cost)).catch(unlessUnfit))
  if (!readout) return undefined
  const extensions = { ...toExtension(readout.finalizedThrough), cost }
  return { text: `{"data":${readout.text},"extensions":${JSON.stringify(extensions)}}`, extensions }
}

/** A value that the schema does not allow is an error at its place in the answer, which resolvers know. */
function unlessUnfit(error: unknown): undefined {
  if (!isUnfit(error)) throw error
}

/** The same as a result. What fails is reported as if the resolvers had failed at it. */
export async function answerInOneStatement(
  args: ExecutionArgs,
  context: Answering,
  bounded: Bounded,
): Promise<ExecutionResult | undefined> {
  try {
    const answer = await readAnswer(bounded, context)
    return answer && toTextResult(answer.text, answer.extensions)
  } catch (error) {
    const operation = startOperation(() => Promise.reject(error))
    const failing = { ...args, contextValue: { ...context, operation } }
    if (error instanceof CodedError) return runOnOneSnapshot(failing, operation, bounded.cost)
    // A statement that failed has no data for any field. Its block is unknown.
    return { ...(await runBounded(failing)), extensions: { cost: bounded.cost } }
  }
}
