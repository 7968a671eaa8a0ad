import type { Address, Hex } from 'viem'
import { CodedError, type ErrorCode } from '../errors.ts'

/** The subject of the condition, the actual and the required value. */
type Sides = {
  claimId?: Hex
  vault?: Address
  reason?: string
  have?: bigint | number | string | undefined
  need?: bigint | number | string | undefined
}

/** Makes an error about a condition of the chain. Its facts are text, like all amounts in JSON. */
export function conditionFailed(code: ErrorCode, detail: string, sides: Sides = {}): CodedError {
  const known = Object.entries(sides).filter(([, value]) => value !== undefined)
  return new CodedError(code, detail, {
    facts: Object.fromEntries(known.map(([name, value]) => [name, String(value)])),
  })
}
