import { z } from '@hono/zod-openapi'
import { type Address, isAddress } from 'viem'

const HEX_20_BYTES = /^0x[0-9a-fA-F]{40}$/
const LENGTH = '0x'.length + 40

/** Returns the address in lowercase, as it is stored and written everywhere. */
export function lowercaseAddress(address: Address): Address {
  return `0x${address.slice(2).toLowerCase()}`
}

/** An address in one case has no checksum (EIP-55) that could be wrong. */
function isSingleCase(address: string): boolean {
  const digits = address.slice(2)
  return digits === digits.toLowerCase() || digits === digits.toUpperCase()
}

/**
 * An address as a caller sends it, converted to lowercase. Any case is accepted; mixed case must have a valid EIP-55
 * checksum.
 */
export const addressInput = z
  .string()
  .transform((text, context): Address => {
    if (!HEX_20_BYTES.test(text)) {
      context.addIssue({ code: 'custom', message: 'must be an address: 0x and 40 hex digits' })
      return z.NEVER
    }
    if (!isSingleCase(text) && !isAddress(text, { strict: true })) {
      context.addIssue({
        code: 'custom',
        message: 'has a wrong checksum (EIP-55): a digit is mistyped, or write it in lowercase',
      })
      return z.NEVER
    }
    return `0x${text.slice(2).toLowerCase()}`
  })
  .openapi({ type: 'string', pattern: HEX_20_BYTES.source, maxLength: LENGTH })

/** An address as the gateway writes it. */
export const address = z
  .custom<Address>((value) => typeof value === 'string' && /^0x[0-9a-f]{40}$/.test(value))
  .openapi('Address', {
    type: 'string',
    pattern: '^0x[0-9a-f]{40}$',
    maxLength: LENGTH,
    description: 'An address in lowercase.',
    example: '0x5fbdb2315678afecb367f032d93f642f64180aa3',
  })
