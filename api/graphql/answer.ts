/** Answers that Postgres writes: an operation as one statement, without resolvers. */
import type { ExecutionArgs, ExecutionResult } from 'graphql'
import { CodedError } from '../errors.ts'
import { isUnfit } from '../projection/json.ts'
import type { Cost } from './bounds.ts'
import { type Asked, compile } from './compile/compile.ts'
import { type GraphqlContext, startOperation } from './context.ts'
import { runBounded, runOnOneSnapshot, toExtension, tryMeasure } from './run.ts'
import { toTextResult } from './text-result.ts'

/** Measures a query and answers it within its bounds: in one statement where it has one, else by its resolvers. */
export async function answerQuery(args: ExecutionArgs, context: GraphqlContext): Promise<ExecutionResult> {
  const cost = tryMeasure(args)
  if ('errors' in cost) return cost
  return (await answerInOneStatement(args, context, cost)) ?? runOnOneSnapshot(args, context.operation, cost)
}

type Answering = Pick<GraphqlContext, 'readStatement' | 'labels'>

/**
 * The text of an answer without errors, and its extensions; undefined where resolvers must answer the operation.
 *
 * @throws as `readStatement`
 */
export async function readAnswer(
  asked: Asked,
  { readStatement, labels }: Answering,
  cost: Cost,
): Promise<{ text: string; extensions: Record<string, unknown> } | undefined> {
  const reading = compile(asked, labels)
  const readout = reading && (await readStatement(reading).catch(unlessUnfit))
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
  cost: Cost,
): Promise<ExecutionResult | undefined> {
  try {
    const answer = await readAnswer(args, context, cost)
    return answer && toTextResult(answer.text, answer.extensions)
  } catch (error) {
    const operation = startOperation(() => Promise.reject(error))
    const failing = { ...args, contextValue: { ...context, operation } }
    if (error instanceof CodedError) return runOnOneSnapshot(failing, operation, cost)
    // A statement that failed has no data for any field. Its block is unknown.
    return { ...(await runBounded(failing)), extensions: { cost } }
  }
}
