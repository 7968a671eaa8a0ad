/** A failed condition on the wire. */
import { z } from '@hono/zod-openapi'
import type { Refusal } from '../domain/reasons.ts'

/** The two sides of it, where it has any. */
export const sides = {
  have: z
    .string()
    .optional()
    .openapi({ description: 'What is there; of claim types, those that the vault takes.' }),
  need: z.string().optional().openapi({ description: 'What it would take.' }),
}

export function presentRefusal<Reason extends string>({ reason, have, need }: Refusal<Reason>) {
  return {
    reason,
    ...(have !== undefined && { have: String(have) }),
    ...(need !== undefined && { need: String(need) }),
  }
}
