/** Every way to change one leaf of a JSON value, or the length of one of its lists. */

/** `field` names what was changed: names with points between them. A list is shorter, or longer. */
export type Lie = { readonly field: string; readonly change: Change; readonly value: unknown }

type Change = 'other' | 'shorter' | 'longer'

type Path = readonly (string | number)[]

export function liesAbout(answer: unknown): Lie[] {
  return placesIn(answer, []).flatMap(({ path, value }) =>
    changesOf(value).map(([change, changed]) => ({
      field: path.join('.'),
      change,
      value: replaced(answer, path, changed),
    })),
  )
}

/** Leaves and lists. */
function placesIn(value: unknown, path: Path): { path: Path; value: unknown }[] {
  if (typeof value !== 'object' || value === null) return [{ path, value }]
  const inner = Object.entries(value).flatMap(([name, one]) => placesIn(one, [...path, name]))
  return Array.isArray(value) ? [{ path, value }, ...inner] : inner
}

function changesOf(value: unknown): readonly (readonly [Change, unknown])[] {
  if (!Array.isArray(value)) return [['other', otherThan(value)]]
  const longer = ['longer', [...value, value.at(-1) ?? {}]] as const
  return value.length > 0 ? [['shorter', value.slice(1)], longer] : [longer]
}

function otherThan(value: unknown): unknown {
  if (typeof value === 'number') return value + 1
  if (typeof value === 'boolean') return !value
  if (typeof value !== 'string') return 'other'
  if (value.startsWith('0x')) return flipped(value)
  if (/^\d+$/.test(value)) return `${BigInt(value) + 1n}`
  if (/^\d{4}-.*Z$/.test(value)) return new Date(Date.parse(value) + 1000).toISOString().replace('.000Z', 'Z')
  return `${value}!`
}

/** Another last digit. */
function flipped(hex: string): string {
  const last = Number.parseInt(hex.slice(-1), 16)
  return `${hex.slice(0, -1)}${((last + 1) % 16).toString(16)}`
}

function replaced(value: unknown, path: Path, by: unknown): unknown {
  const [name, ...rest] = path
  if (name === undefined) return by
  if (Array.isArray(value))
    return value.map((one, index) => (String(index) === name ? replaced(one, rest, by) : one))
  return {
    ...Object(value),
    [name]: replaced(new Map(Object.entries(Object(value))).get(String(name)), rest, by),
  }
}
