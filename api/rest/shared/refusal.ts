/** A failed condition in an answer. */
import { z } from '@hono/zod-openapi'
import { CLAIM_TYPE_MAX } from '../../domain/limits.ts'
import type { Refusal } from '../../domain/reasons.ts'

/** The longest is the list of all claim types. */
const LONGEST = Array.from({ length: CLAIM_TYPE_MAX + 1 }, (_, type) => type).join(', ')
const side = z.string().max(LONGEST.length)

/** The two sides of it, where it has any. */
export const sides = {
  have: side
    .optional()
    .openapi({ description: 'Actual value; for claim types, those that the vault finances.' }),
  need: side.optional().openapi({ description: 'Required value.' }),
}

export function presentRefusal<Reason extends string>({ reason, have, need }: Refusal<Reason>) {
  return {
    reason,
    ...(have !== undefined && { have: String(have) }),
    ...(need !== undefined && { need: String(need) }),
  }
}
