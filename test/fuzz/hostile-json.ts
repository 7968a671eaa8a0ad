/** JSON that clients do not send by accident, as values and as text that no serializer writes. */
import { HOSTILE, WRONG_CHECKSUM } from '../support/hostile.ts'
import { anyText, below, type Draw, oneIn, pick } from './draw.ts'

/** Stands in a value for text that goes into the body as it is. */
export class RawJson {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

const NESTED = 3_000
const WIDE = 5_000

const repeated = (part: string, count: number) => Array.from({ length: count }, () => part).join(',')

const RAW: readonly RawJson[] = [
  ...['1e999', '-1e999', '0.1e-400', '-0', '9'.repeat(400), '123456789012345678901234567890', '1E2', '1.0'],
  ...['01', '+1', '.5', '0x10', 'NaN', 'undefined', "'a'", '"a', '"\u0001"', '/* */1', '1,', ',', '}'],
  ...['"\\ud800"', '"\\udfff\\ud800"', '"\\u0000"', '"\ufeff"', '"\\x00"', '"a\\u202eb"'],
  ...['{"__proto__":{"admin":true}}', '{"constructor":{"prototype":{"admin":true}}}', '{"toString":1}'],
  ...['{"a":1,"a":2}', '{"":0}', '{"length":5}', '[null]', '[[]]', '[{}]', '{"a":[{"b":[{}]}]}'],
  ...[`${'['.repeat(NESTED)}${']'.repeat(NESTED)}`, '['.repeat(NESTED)],
  ...[
    `${'{"AND":['.repeat(NESTED)}${']}'.repeat(NESTED)}`,
    `${'{"a":'.repeat(NESTED)}1${'}'.repeat(NESTED)}`,
  ],
  ...[`[${repeated('{}', WIDE)}]`, `[${repeated('"0x"', WIDE)}]`, `{"OR":[${repeated('{}', WIDE)}]}`],
  `{${Array.from({ length: WIDE }, (_, index) => `"k${index}":1`).join(',')}}`,
  `"${'a'.repeat(60_000)}"`,
  `"${'\\u0000'.repeat(5_000)}"`,
].map((text) => new RawJson(text))

const INTEGERS = [
  ...[2 ** 31 - 1, 2 ** 31, -(2 ** 31) - 1, 2 ** 32, 2 ** 53 - 1, 2 ** 53, 2 ** 63, 2 ** 64],
  ...[-1, 0, 1, 0.1, 1e308, Number.MIN_VALUE],
]
const TEXTS = [
  ...["' OR 1=1 --", '1); DROP TABLE claim; --', '"; --', '$1', '%', '%00', '\\', '#{1}', '{{1}}'],
  ...[
    '=1+1',
    '@a',
    '\r\nX-Injected: 1',
    'null',
    'true',
    '[]',
    '{}',
    '\u0130',
    '\ufdfa',
    '\u{1f468}\u200d\u{1f469}',
  ],
]
const PLAIN: readonly unknown[] = [...HOSTILE, WRONG_CHECKSUM, ...INTEGERS, ...TEXTS]

export function hostileJson(draw: Draw): unknown {
  const kind = below(draw, 6)
  if (kind === 0) return anyText(draw)
  if (kind === 1) return pick(draw, RAW)
  if (kind === 2) return tree(draw, 4)
  return PLAIN[below(draw, PLAIN.length)]
}

/** Draws a text for a path, a query or a header. */
export function hostileText(draw: Draw): string {
  const value = hostileJson(draw)
  if (value instanceof RawJson) return value.text
  return typeof value === 'string' ? value : encodeJson(value)
}

const KEYS = ['a', '__proto__', 'constructor', 'AND', 'OR', 'length', 'then', 'toJSON', '', '\ud800']

function tree(draw: Draw, depth: number): unknown {
  if (depth === 0 || oneIn(draw, 3)) return PLAIN[below(draw, PLAIN.length)]
  const parts = Array.from({ length: below(draw, 4) }, () => tree(draw, depth - 1))
  if (oneIn(draw, 2)) return parts
  return Object.fromEntries(parts.map((part) => [pick(draw, KEYS), part]))
}

/** Like `JSON.stringify`, with raw text where the value asks for it. */
export function encodeJson(value: unknown): string {
  if (value instanceof RawJson) return value.text
  if (Array.isArray(value)) return `[${value.map(encodeJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const parts = Object.entries(value).map(([key, part]) => `${JSON.stringify(key)}:${encodeJson(part)}`)
  return `{${parts.join(',')}}`
}
