/** Hexadecimal values of JSON-RPC, converted to lowercase. */
import { z } from 'zod'

/** Bytes: two digits each. */
export const bytes = z
  .string()
  .toLowerCase()
  .pipe(z.templateLiteral(['0x', z.string().regex(/^(?:[0-9a-f]{2})*$/)]))

/** An integer. */
export const quantity = z
  .string()
  .toLowerCase()
  .pipe(z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]+$/)]))
