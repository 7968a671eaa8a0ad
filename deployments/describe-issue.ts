import type { z } from 'zod'

/** Describes a fault of a file on one line: its place and the reason. */
export function describeIssue(issue: z.core.$ZodIssue): string {
  const reason = issue.code === 'invalid_key' ? issue.issues[0]?.message : issue.message
  return [issue.path.join('.'), reason].filter(Boolean).join(' ')
}
