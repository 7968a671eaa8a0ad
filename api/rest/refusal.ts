/** A failed condition in an answer. */
import { z } from '@hono/zod-openapi'
import type { Refusal } from '../domain/reasons.ts'

/** The two sides of it, where it has any. */
export const sides = {
  have: z
    .string()
    .optional()
    .openapi({ description: 'Actual value; for claim types, those that the vault finances.' }),
  need: z.string().optional().openapi({ description: 'Required value.' }),
}

export function presentRefusal<Reason extends string>({ reason, have, need }: Refusal<Reason>) {
  return {
    reason,
    ...(have !== undefined && { have: String(have) }),
    ...(need !== undefined && { need: String(need) }),
  }
}
