/**
 * Values that callers send in place of an amount, an address, an id or a date, and their places in the API's
 * description.
 */
import type { Ajv2020 } from 'ajv/dist/2020.js'

const MAX_UINT256 = 2n ** 256n - 1n
const ADDRESS = 'f39fd6e51aad88f6f4ce6ab8827279cfffb92266'

const AMOUNTS = [
  ...['0', '1', '2', String(2n ** 53n), String(2n ** 128n - 1n), String(2n ** 128n), String(MAX_UINT256)],
  ...[
    String(MAX_UINT256 + 1n),
    '9'.repeat(4_000),
    '00',
    '01',
    '-0',
    '-1',
    '+1',
    '1.0',
    '.5',
    '1,000',
    '1_000',
  ],
  ...['1e18', '1E2', '1n', '0x10', '0b1', 'NaN', 'Infinity', ' 1', '1 ', '1\n', '', '٣', '１', '१', '²', '𝟙'],
]
const ADDRESSES = [
  ...[`0x${ADDRESS}`, `0x${ADDRESS.toUpperCase()}`, `0X${ADDRESS}`, ADDRESS, `0x${ADDRESS.slice(1)}`],
  ...[`0x${ADDRESS}0`, `0x${'0'.repeat(40)}`, `0x${'g'.repeat(40)}`, 'alice.eth', ` 0x${ADDRESS}`],
]
const DATES = [
  ...[
    '1970-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
    '2026-02-30T00:00:00Z',
    '2026-01-01',
    '2026-13-01T00:00:00Z',
  ],
  ...['2026-01-01T00:00:60Z', '2026-01-01T00:00:00.5Z', '+010000-01-01T00:00:00Z', 'tomorrow'],
]
const NOT_TEXT: unknown[] = [
  0,
  1,
  -1,
  1.5,
  1e21,
  2 ** 53,
  true,
  false,
  null,
  [],
  {},
  ['1'],
  { toString: '1' },
]

export const HOSTILE: readonly unknown[] = [
  ...[...AMOUNTS, ...ADDRESSES, ...DATES, ...NOT_TEXT],
  ...[
    `0x${'ab'.repeat(32)}`,
    `0x${'ab'.repeat(31)}`,
    '0x',
    '\u0000',
    '__proto__',
    '../../etc/passwd',
    'a\u202eb',
  ],
]

/**
 * The least and the largest value of each type: columns of one type differ in the values that they can hold, and not in
 * the way in which a value is read.
 */
export const EDGES: readonly unknown[] = [
  ...['0', String(2n ** 53n), String(2n ** 128n), String(MAX_UINT256), String(MAX_UINT256 + 1n)],
  ...['1970-01-01T00:00:00Z', '9999-12-31T23:59:59Z', `0x${'0'.repeat(40)}`, `0x${'ab'.repeat(32)}`],
  ...[0, -1, 2 ** 53, '', null],
]

/** As an address of the wrong checksum: right for the pattern, wrong for EIP-55. */
export const WRONG_CHECKSUM = '0xF39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

export type Json = { [key: string]: unknown }

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The schema itself where it is named by reference. */
export function resolve(schema: unknown, document: Json): Json {
  if (!isObject(schema)) return {}
  const { $ref } = schema
  if (typeof $ref !== 'string') return schema
  const found = $ref
    .replace('#/', '')
    .split('/')
    .reduce<unknown>((place, key) => (isObject(place) ? place[key] : undefined), document)
  return resolve(found, document)
}

export type Leaf = { path: readonly (string | number)[]; schema: Json }

/** Every place of a value that has no parts of its own. */
export function leaves(schema: unknown, document: Json, path: Leaf['path'] = []): Leaf[] {
  const known = resolve(schema, document)
  if (isObject(known.properties)) {
    return Object.entries(known.properties).flatMap(([key, part]) => leaves(part, document, [...path, key]))
  }
  if (known.items) return leaves(known.items, document, [...path, 0])
  return [{ path, schema: known }]
}

/** `value` with `part` put at `path`; what is on the way is made. */
export function withPart(value: unknown, path: Leaf['path'], part: unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return part
  if (typeof key === 'number') {
    const list: unknown[] = Array.isArray(value) ? [...value] : []
    list[key] = withPart(list[key], rest, part)
    return list
  }
  const object = isObject(value) ? value : {}
  return { ...object, [key]: withPart(object[key], rest, part) }
}

/** Whether the description itself rules a value out, so that nothing but a 400 will do. */
export function isRuledOut(ajv: Ajv2020, leaf: Leaf, value: unknown): boolean {
  // `leaf.schema` is one object at each call, so that the library compiles it once.
  return !ajv.compile(leaf.schema)(value)
}
