/** Typed data as `eth_signTypedData_v4` takes it. */
import type { Address, TypedDataDomain } from 'viem'
import { lowercaseAddress } from '../domain/address.ts'

/** A struct's fields in their order. */
export type TypedDataFields = readonly { readonly name: string; readonly type: string }[]

type TypedData = {
  domain: TypedDataDomain
  types: Readonly<Record<string, TypedDataFields>>
  primaryType: string
  message: Readonly<Record<string, unknown>>
}

/** JSON as a wallet reads it: `chainId` a number, every other integer a decimal string, every address lowercase. */
export type SignableTypedData = {
  domain: { name: string; version: string; chainId: number; verifyingContract: Address }
  types: Record<string, { name: string; type: string }[]>
  primaryType: string
  message: Record<string, unknown>
}

const DOMAIN_FIELDS = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
]

/** Raw wallets want `EIP712Domain` among the types; ethers wants it taken out again. */
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
