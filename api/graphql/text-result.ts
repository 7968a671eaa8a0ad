/** Results that are text already. */
import type { ExecutionResult } from 'graphql'

/** Yoga writes what `stringify` returns. */
export type TextResult = ExecutionResult & { stringify: () => string }

/** The status of the answer depends on whether it has data, so it has. */
export function toTextResult(text: string, extensions?: ExecutionResult['extensions']): TextResult {
  return { data: {}, ...(extensions && { extensions }), stringify: () => text }
}

export function textOf(result: ExecutionResult): string {
  return isTextResult(result) ? result.stringify() : JSON.stringify(result)
}

function isTextResult(result: ExecutionResult): result is TextResult {
  return 'stringify' in result && typeof result.stringify === 'function'
}
