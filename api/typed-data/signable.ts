/** Typed data as `eth_signTypedData_v4` takes it. */
import { z } from '@hono/zod-openapi'
import type { TypedDataDomain } from 'viem'
import { address, lowercaseAddress } from '../domain/address.ts'
import { chainIdNumber } from '../domain/integer.ts'

/** A struct's fields in their order. */
export type TypedDataFields = readonly { readonly name: string; readonly type: string }[]

type TypedData = {
  domain: TypedDataDomain
  types: Readonly<Record<string, TypedDataFields>>
  primaryType: string
  message: Readonly<Record<string, unknown>>
}

/** The largest struct is a claim attestation. */
const FIELDS = 8
const word = z.string().max(64)

/** Whether a text can be name or version of a domain. */
export function isDomainText(text: string): boolean {
  return text !== '' && word.safeParse(text).success
}

/** JSON as a wallet reads it: `chainId` a number, every other integer a decimal string, every address lowercase. */
export const signableTypedData = z.object({
  domain: z.object({ name: word, version: word, chainId: chainIdNumber, verifyingContract: address }),
  types: z.record(z.string(), z.array(z.object({ name: word, type: word })).max(FIELDS)),
  primaryType: word,
  message: z.record(z.string(), z.unknown()),
})

export type SignableTypedData = z.output<typeof signableTypedData>

const DOMAIN_FIELDS = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
]

/** `eth_signTypedData_v4` requires `EIP712Domain` among the types; ethers requires types without it. */
export function toSignable({ domain, types, primaryType, message }: TypedData): SignableTypedData {
  const { name, version, chainId, verifyingContract } = domain
  if (!name || !version || !verifyingContract) throw new Error('a domain names contract, version and address')
  const copied = Object.entries(types).map(([type, fields]) => [type, fields.map((field) => ({ ...field }))])
  return {
    domain: {
      name,
      version,
      chainId: Number(chainId),
      verifyingContract: lowercaseAddress(verifyingContract),
    },
    types: { EIP712Domain: DOMAIN_FIELDS, ...Object.fromEntries(copied) },
    primaryType,
    message: Object.fromEntries(Object.entries(message).map(([field, value]) => [field, toJson(value)])),
  }
}

function toJson(value: unknown): unknown {
  if (typeof value === 'bigint' || typeof value === 'number') return value.toString()
  if (typeof value === 'string') return /^0x[0-9a-fA-F]{40}$/.test(value) ? value.toLowerCase() : value
  if (Array.isArray(value)) return value.map(toJson)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, toJson(inner)]))
}
