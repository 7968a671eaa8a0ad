import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { requireShape } from '../../api/domain/json-shape.ts'
import {
  JSON_DEPTH_MAX,
  JSON_ENTRIES_MAX,
  JSON_OBJECTS_MAX,
  JSON_VALUES_MAX,
} from '../../api/domain/limits.ts'
import { CodedError } from '../../api/errors.ts'

const TEXT_MAX = 100

/** The fault as the caller reads it; undefined where there is none. */
function fault(value: unknown): string | undefined {
  try {
    requireShape(value, 'body', TEXT_MAX)
    return undefined
  } catch (error) {
    if (error instanceof CodedError && error.code === 'VALIDATION_FAILED') return error.message
    throw error
  }
}

const list = (length: number, entry: unknown = 1) => Array.from({ length }, () => entry)
const record = (size: number) => Object.fromEntries(list(size).map((value, i) => [`field${i}`, value]))
const nested = (levels: number) => list(levels).reduce<unknown>((inner) => [inner], 1)
/** This many objects in two lists. */
const objects = (count: number) => [list(100, {}), list(count - 100, {})]
/** Lists in a list, with this many values in all, the outer list included. */
const values = (count: number) => {
  const inner = Math.floor((count - 1) / 100)
  return [...list(99, list(inner - 1)), list(count - 2 - 99 * inner)]
}

describe('the shape of JSON', () => {
  it.each<[string, unknown, unknown, string]>([
    ['entries of a list', list(JSON_ENTRIES_MAX), list(JSON_ENTRIES_MAX + 1), 'body: has 201 entries'],
    ['fields of an object', record(JSON_ENTRIES_MAX), record(JSON_ENTRIES_MAX + 1), 'body: has 201 entries'],
    ['levels', nested(JSON_DEPTH_MAX), nested(JSON_DEPTH_MAX + 1), '0: is nested too deep'],
    ['values', values(JSON_VALUES_MAX), values(JSON_VALUES_MAX + 1), 'body: has more than 2000 values'],
    ['objects', objects(JSON_OBJECTS_MAX), objects(JSON_OBJECTS_MAX + 1), 'body: has more than 200 objects'],
    ['characters of a text', { a: ['x'.repeat(100)] }, { a: ['x'.repeat(101)] }, 'a.0: has 101 characters'],
    ['characters of a name', { ['x'.repeat(100)]: 1 }, { ['x'.repeat(101)]: 1 }, 'body: has a name of 101'],
  ])('is accepted with the most %s and refused with one more', (_, most, more, named) => {
    expect(fault(most)).toBeUndefined()
    expect(fault(more)).toContain(named)
  })

  it('names the place of a fault from the root, without a point before it', () => {
    expect(fault({ filter: { and: [{ text: 'x'.repeat(101) }] } })).toMatch(/^filter\.and\.0\.text: has 101/)
  })

  it('is judged by the length of a list alone where that is too long', () => {
    const entries: unknown[] = list(1_000_000)
    Object.defineProperty(entries, 0, {
      enumerable: true,
      get: () => {
        throw new Error('an entry was read')
      },
    })
    expect(fault({ claimIds: entries })).toContain('claimIds: has 1000000 entries')
  })

  it('is judged after at most 2,000 values, however many there are', () => {
    let read = 0
    const counted = () =>
      new Proxy(list(JSON_ENTRIES_MAX), {
        get: (target, key, receiver) => {
          if (/^\d+$/.test(String(key))) read += 1
          return Reflect.get(target, key, receiver)
        },
      })
    expect(fault(list(JSON_ENTRIES_MAX).map(counted))).toContain('has more than 2000 values')
    expect(read).toBeLessThanOrEqual(JSON_VALUES_MAX)
  })

  it('is judged without recursion', () => {
    expect(fault(nested(1_000_000))).toContain('is nested too deep')
  })

  it('is accepted of every value within all limits', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5, stringUnit: 'binary' }), (value) => {
        expect(fault(value)).toBeUndefined()
      }),
    )
  })
})
