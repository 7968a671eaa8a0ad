/** The values of both APIs: REST and GraphQL have the same types. */
import type { Address, Hash } from 'viem'

export type { Address, Hash }

/** An integer of any size as a decimal string. */
export type Integer = `${bigint}`

/** An amount in base units of its token. `parseAmount` and `formatAmount` convert it from and to units of the token. */
export type Amount = Integer

/** A time, ISO 8601 in UTC. */
export type DateTime = string

/** Scalar map for gql.tada: `initGraphQLTada<{ introspection: introspection; scalars: Scalars }>()`. */
export type Scalars = {
  Address: Address
  Hash: Hash
  Amount: Amount
  AmountSum: Integer
  SignedAmount: Integer
  DateTime: DateTime
  SafeInt: number
}

/** The scalars for GraphQL Code Generator: `config: { scalars: codegenScalars, strictScalars: true }`. */
export const codegenScalars = {
  Address: 'claim-financing-client#Address',
  Hash: 'claim-financing-client#Hash',
  Amount: 'claim-financing-client#Amount',
  AmountSum: 'claim-financing-client#Integer',
  SignedAmount: 'claim-financing-client#Integer',
  DateTime: 'claim-financing-client#DateTime',
  SafeInt: 'number',
} as const satisfies Record<keyof Scalars, string>
