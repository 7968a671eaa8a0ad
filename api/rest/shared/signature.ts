import { z } from '@hono/zod-openapi'
import type { Hex } from 'viem'
import { SIGNATURE_LENGTH_MAX } from '../../auth/sign-in-limits.ts'

const HEX = /^0x(?:[0-9a-fA-F]{2})+$/

/** A signature of a key, or any bytes that a contract wallet accepts. */
export const signatureInput = z
  .string()
  .max(SIGNATURE_LENGTH_MAX, `must have ${SIGNATURE_LENGTH_MAX} characters at most`)
  .regex(HEX, 'must be hex: 0x and an even number of hex digits')
  .transform((text): Hex => `0x${text.slice(2)}`)
  .openapi({ type: 'string', pattern: HEX.source, maxLength: SIGNATURE_LENGTH_MAX })
