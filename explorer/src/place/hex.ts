import type { Address, Hash } from 'claim-financing-client'

export function isAddress(text: string | null | undefined): text is Address {
  return /^0x[0-9a-fA-F]{40}$/.test(text ?? '')
}

export function isHash(text: string | null | undefined): text is Hash {
  return /^0x[0-9a-fA-F]{64}$/.test(text ?? '')
}
