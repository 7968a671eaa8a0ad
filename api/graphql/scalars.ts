/** Scalars: the wire rules of REST, to the letter, as GraphQL types. */
import { GraphQLError } from 'graphql'
import type { Address, Hex } from 'viem'
import { z } from 'zod'
import { addressInput } from '../domain/address.ts'
import { hashInput } from '../domain/hash.ts'
import { safeNumber } from '../domain/integer.ts'
import { type BaseUnits, formatMoney, moneyInput } from '../domain/money.ts'
import { formatTime, timeInput, type UnixSeconds } from '../domain/time.ts'

/** Input and output shapes, for the schema builder. */
export type ScalarShapes = {
  Address: { Input: Address; Output: Address }
  Hash: { Input: Hex; Output: Hex }
  Amount: { Input: BaseUnits; Output: BaseUnits }
  AmountSum: { Input: BaseUnits; Output: BaseUnits }
  DateTime: { Input: UnixSeconds; Output: UnixSeconds }
  SafeInt: { Input: bigint; Output: bigint }
}

const safeIntInput = z
  .int({ error: 'must be a whole number' })
  .nonnegative('must not be negative')
  .transform((value) => BigInt(value))

export const scalars = {
  Address: {
    description:
      'An address: 0x and 40 hex digits. Any case is read, a mixed-case one must carry its EIP-55 checksum; lowercase is written.',
    parseValue: reader('Address', addressInput),
    serialize: (value: Address) => value,
  },
  Hash: {
    description:
      '32 bytes: 0x and 64 hex digits. Any case is read, lowercase is written. Claim and execution ids, transaction and document hashes.',
    parseValue: reader('Hash', hashInput),
    serialize: (value: Hex) => value,
  },
  Amount: {
    description:
      'An amount in base units, as a decimal string without sign, fraction, exponent or leading zero, at most 2^256-1. Never a JSON number.',
    parseValue: reader('Amount', moneyInput),
    serialize: (value: BaseUnits) => formatMoney(value),
  },
  AmountSum: {
    description:
      'An exact sum of amounts of one token in base units, as a decimal string. It may be larger than any one amount can be.',
    parseValue: reader('AmountSum', moneyInput),
    serialize: (value: BaseUnits) => formatMoney(value),
  },
  DateTime: {
    description:
      'A time of the chain in ISO 8601: whole seconds, so a fraction is accepted only where it is zero. Any zone is read, UTC is written.',
    parseValue: reader('DateTime', timeInput),
    serialize: (value: UnixSeconds) => formatTime(value),
  },
  SafeInt: {
    description:
      'A whole number beyond the 32 bits of Int, exact up to 2^53-1; anything larger is written as that bound.',
    parseValue: reader('SafeInt', safeIntInput),
    serialize: (value: bigint) => safeNumber(value),
  },
} as const

function reader<T>(name: string, schema: z.ZodType<T>): (value: unknown) => T {
  return (value) => {
    const parsed = schema.safeParse(value)
    if (parsed.success) return parsed.data
    throw new GraphQLError(`${name} ${parsed.error.issues.map((issue) => issue.message).join('; ')}`)
  }
}
