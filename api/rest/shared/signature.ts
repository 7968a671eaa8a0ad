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

const KEY_SIGNATURE = /^0x[0-9a-fA-F]{130}$/

/** A signature of a key: r, s and v. */
export const keySignatureInput = z
  .string()
  .regex(KEY_SIGNATURE, 'must be hex of 65 bytes: 0x and 130 hex digits')
  .transform((text): Hex => `0x${text.slice(2)}`)
  .openapi({ type: 'string', pattern: KEY_SIGNATURE.source, maxLength: '0x'.length + 130 })
