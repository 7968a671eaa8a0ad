import type { TypedDataFields } from './signable.ts'

/** Writes a struct as EIP-712 writes its type (`encodeType`): its own fields first, then the structs in it by name. */
export function encodeType(types: Readonly<Record<string, TypedDataFields>>, primaryType: string): string {
  const nested = Object.keys(types).filter((name) => name !== primaryType)
  return [primaryType, ...nested.sort()].map((name) => struct(name, types[name] ?? [])).join('')
}

function struct(name: string, fields: TypedDataFields): string {
  return `${name}(${fields.map((field) => `${field.type} ${field.name}`).join(',')})`
}
