/** Scalars: the formats of REST as GraphQL types. */
import { GraphQLError, type ValueNode, valueFromASTUntyped } from 'graphql'
import type { Address, Hex } from 'viem'
import { z } from 'zod'
import { addressInput } from '../../domain/address.ts'
import { hashInput } from '../../domain/hash.ts'
import { safeNumber } from '../../domain/integer.ts'
import { type BaseUnits, formatMoney, moneyInput, signedMoneyInput } from '../../domain/money.ts'
import { formatTime, timeInput, type UnixSeconds } from '../../domain/time.ts'

/** Input and output shapes, for the schema builder. */
export type ScalarShapes = {
  Address: { Input: Address; Output: Address }
  Hash: { Input: Hex; Output: Hex }
  Amount: { Input: BaseUnits; Output: BaseUnits }
  AmountSum: { Input: BaseUnits; Output: BaseUnits }
  SignedAmount: { Input: bigint; Output: bigint }
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
      'An address: 0x and 40 hex digits. Input: any case; mixed case must have a valid EIP-55 checksum. Output: lowercase.',
    ...reader('Address', addressInput),
    serialize: (value: Address) => value,
  },
  Hash: {
    description:
      '32 bytes: 0x and 64 hex digits. Input: any case. Output: lowercase. Claim and execution ids, transaction and document hashes.',
    ...reader('Hash', hashInput),
    serialize: (value: Hex) => value,
  },
  Amount: {
    description:
      'An amount in base units, as a decimal string without sign, fraction, exponent or leading zero, at most 2^256-1. Never a JSON number.',
    ...reader('Amount', moneyInput),
    serialize: (value: BaseUnits) => formatMoney(value),
  },
  AmountSum: {
    description:
      'An exact sum of amounts of one token in base units, as a decimal string. It may exceed the maximum of `Amount`.',
    ...reader('AmountSum', moneyInput),
    serialize: (value: BaseUnits) => formatMoney(value),
  },
  SignedAmount: {
    description:
      'An exact difference of amounts of one token in base units, as a decimal string; a negative one begins with `-`.',
    ...reader('SignedAmount', signedMoneyInput),
    serialize: String,
  },
  DateTime: {
    description:
      'A time in ISO 8601, in whole seconds; a fraction must be zero. Input: any time zone. Output: UTC.',
    ...reader('DateTime', timeInput),
    serialize: (value: UnixSeconds) => formatTime(value),
  },
  SafeInt: {
    description:
      'An integer beyond the 32 bits of Int, exact up to 2^53-1. Larger values are returned as 2^53-1.',
    ...reader('SafeInt', safeIntInput),
    serialize: (value: bigint) => safeNumber(value),
  },
} as const

/** @param name of the scalar */
function reader<T>(name: string, schema: z.ZodType<T>) {
  /** @param nodes the literal of the value, which locates an error */
  const read = (value: unknown, nodes: ValueNode | null = null): T => {
    const parsed = schema.safeParse(value)
    if (parsed.success) return parsed.data
    const faults = parsed.error.issues.map(({ message }) => message).join('; ')
    throw new GraphQLError(`${name} ${faults}`, { nodes })
  }
  return {
    parseValue: (value: unknown) => read(value),
    parseLiteral: (node: ValueNode) => read(valueFromASTUntyped(node), node),
  }
}
