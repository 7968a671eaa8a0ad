/** Logs of a range of blocks: no header proves that they are complete, so two nodes must return the same. */
import { z } from 'zod'
import { Refusal } from '../../nodes/refusal.ts'
import { logShape, textOfLogs } from './log.ts'

const logsShape = z.array(logShape)

/**
 * The answer that at least two nodes returned, or the only answer.
 * @param answers at least one
 * @throws Refusal when no two of several answers are the same
 */
export function agreedLogs(answers: readonly unknown[]): unknown {
  if (answers.length === 1) return answers[0]
  const texts = answers.map(textOf)
  const agreed = texts.findIndex((text, i) => texts.indexOf(text) !== i)
  if (agreed >= 0) return answers[agreed]
  const counts = answers.map((answer) => (Array.isArray(answer) ? answer.length : 0)).join(', ')
  throw new Refusal(`nodes give different logs of one range of blocks (${counts} of them)`)
}

function textOf(answer: unknown): string {
  const logs = logsShape.safeParse(answer)
  if (!logs.success) throw new Refusal('a node gives logs that are not well-formed')
  return textOfLogs(logs.data)
}
