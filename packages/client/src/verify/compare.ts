/** Comparison of an answer with the expected one, and the error that names the field at fault. */
import { GatewayError } from '../errors.ts'

/** A condition of a field that has several right values. */
export class Rule {
  readonly matches: (received: unknown) => boolean
  readonly words: string

  /** @param words the right values, as the object of "must be" */
  constructor(words: string, matches: (received: unknown) => boolean) {
    this.words = words
    this.matches = matches
  }
}

export type Expected =
  | string
  | number
  | null
  | Rule
  | readonly Expected[]
  | { readonly [field: string]: Expected }

/** Fields that a wallet signs or sends unchanged: a further member in one would be signed or sent too. */
const EXACT: ReadonlySet<string> = new Set(['transaction', 'rpc', 'typedData', 'submit'])

/**
 * Compares the fields of the expected answer with those of the received one. Other fields are ignored, so that a
 * gateway may add some, except within `EXACT` fields.
 *
 * @throws GatewayError `ANSWER_MISMATCH`, which names the first field that differs
 */
export function compare(received: unknown, expected: Expected, path = '', isExact = false): void {
  if (expected instanceof Rule) {
    if (!expected.matches(received)) throw mismatch(path, received, expected.words)
  } else if (isList(expected)) {
    compareLists(received, expected, path, isExact)
  } else if (typeof expected === 'object' && expected !== null) {
    compareObjects(received, expected, path, isExact)
  } else if (!isSame(received, expected)) {
    throw mismatch(path, received, JSON.stringify(expected))
  }
}

function compareLists(
  received: unknown,
  expected: readonly Expected[],
  path: string,
  isExact: boolean,
): void {
  if (!Array.isArray(received) || received.length !== expected.length)
    throw mismatch(path, received, `a list of ${expected.length}`)
  expected.forEach((one, index) => {
    compare(received[index], one, join(path, String(index)), isExact)
  })
}

function compareObjects(
  received: unknown,
  expected: { readonly [field: string]: Expected },
  path: string,
  isExact: boolean,
): void {
  const fields = fieldsOf(received)
  for (const [name, one] of Object.entries(expected))
    compare(fields.get(name), one, join(path, name), isExact || EXACT.has(name))
  const unknown = isExact ? [...fields.keys()].find((name) => !Object.hasOwn(expected, name)) : undefined
  if (unknown !== undefined) throw mismatch(join(path, unknown), fields.get(unknown), 'absent')
}

/** The case of hex digits makes no difference. */
function isSame(received: unknown, expected: string | number | null): boolean {
  const isHex = typeof expected === 'string' && expected.startsWith('0x')
  return isHex ? isSameHex(received, expected) : received === expected
}

export function isSameHex(received: unknown, expected: string): boolean {
  return typeof received === 'string' && received.toLowerCase() === expected.toLowerCase()
}

/** Characters of a received value in the message of an error. */
const SHOWN_MAX = 200

/** @param words the right value, as the object of "must be" */
export function mismatch(field: string, received: unknown, words: string): GatewayError {
  const json = JSON.stringify(received) ?? 'absent'
  const value = json.length > SHOWN_MAX ? `${json.slice(0, SHOWN_MAX)}…` : json
  return new GatewayError({
    code: 'ANSWER_MISMATCH',
    message: `\`${field}\` of the answer of the gateway is ${value}; it must be ${words}. Nothing was signed or sent.`,
    facts: { field, received, expected: words },
  })
}

/** The field of a JSON value; undefined if there is none. @param path names with points between them */
export function at(value: unknown, path: string): unknown {
  return path.split('.').reduce((current, name) => fieldsOf(current).get(name), value)
}

/** The digits of an integer. @throws GatewayError `ANSWER_MISMATCH` for any other value */
export function integerAt(value: unknown, path: string): bigint {
  const found = at(value, path)
  const digits = typeof found === 'number' ? String(found) : found
  if (typeof digits === 'string' && /^\d{1,78}$/.test(digits)) return BigInt(digits)
  throw mismatch(path, found, 'an integer')
}

/** A text. @throws GatewayError `ANSWER_MISMATCH` for any other value */
export function textAt(value: unknown, path: string): string {
  const found = at(value, path)
  if (typeof found === 'string') return found
  throw mismatch(path, found, 'a text')
}

/** Hex digits in lowercase. @throws GatewayError `ANSWER_MISMATCH` for any other value */
export function hexAt(value: unknown, path: string): `0x${string}` {
  const found = at(value, path)
  if (typeof found === 'string' && /^0x[0-9a-fA-F]*$/.test(found)) return `0x${found.slice(2).toLowerCase()}`
  throw mismatch(path, found, 'hex digits')
}

/** A list. @throws GatewayError `ANSWER_MISMATCH` for any other value */
export function listAt(value: unknown, path: string): readonly unknown[] {
  const found = at(value, path)
  if (Array.isArray(found)) return found
  throw mismatch(path, found, 'a list')
}

function fieldsOf(value: unknown): Map<string, unknown> {
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : [])
}

function isList(expected: Expected): expected is readonly Expected[] {
  return Array.isArray(expected)
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}
