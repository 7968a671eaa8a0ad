import { z } from '@hono/zod-openapi'
import type { Hex } from 'viem'

const HEX_32_BYTES = /^0x[0-9a-fA-F]{64}$/
const LENGTH = '0x'.length + 64

/** A claimId, executionId or routeId as a caller sends it, in any case; converted to lowercase. */
export const hashInput = z
  .string()
  .regex(HEX_32_BYTES, 'must be 32 bytes in hex: 0x and 64 hex digits')
  .transform((text): Hex => `0x${text.slice(2).toLowerCase()}`)
  .openapi({ type: 'string', pattern: HEX_32_BYTES.source, maxLength: LENGTH })

/** 32 bytes as the gateway writes them: an id, a transaction hash or a document hash. */
export const hash = z
  .custom<Hex>((value) => typeof value === 'string' && /^0x[0-9a-f]{64}$/.test(value))
  .openapi('Hash', {
    type: 'string',
    pattern: '^0x[0-9a-f]{64}$',
    maxLength: LENGTH,
    description: '32 bytes in lowercase hex.',
    example: `0x${'ab'.repeat(32)}`,
  })
