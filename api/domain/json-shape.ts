/**
 * The shape of JSON that a caller sends, checked before anything else reads it: what reads it later recurses, reports each
 * fault, and may take more than linear time.
 */
import { type FieldError, validationFailed } from '../errors.ts'
import { JSON_DEPTH_MAX, JSON_ENTRIES_MAX, JSON_VALUES_MAX } from './limits.ts'

type Place = { readonly value: unknown; readonly path: string; readonly depth: number }

/**
 * Visits at most `JSON_VALUES_MAX` values, without recursion, and stops at the first fault.
 *
 * @param root what `JSON.parse` returned
 * @param name of the root, for faults of the whole; the path of a part starts below it
 * @param textMax characters of one string or name
 * @throws CodedError `VALIDATION_FAILED`
 */
export function requireShape(root: unknown, name: string, textMax: number): void {
  const places: Place[] = [{ value: root, path: '', depth: 1 }]
  // The list grows while it is read.
  for (const { value, path, depth } of places) {
    const fail = (message: string) => validationFailed([fault(path || name, message)])
    if (typeof value === 'string' && value.length > textMax) {
      throw fail(`has ${value.length} characters; the maximum is ${textMax}`)
    }
    if (typeof value !== 'object' || value === null) continue
    const size = Array.isArray(value) ? value.length : Object.keys(value).length
    if (size > JSON_ENTRIES_MAX) throw fail(`has ${size} entries; the maximum is ${JSON_ENTRIES_MAX}`)
    if (depth > JSON_DEPTH_MAX) throw fail(`is nested too deep; the maximum is ${JSON_DEPTH_MAX} levels`)
    if (places.length + size > JSON_VALUES_MAX) {
      throw validationFailed([
        fault(name, `has more than ${JSON_VALUES_MAX} values. Split the request or ask for less`),
      ])
    }
    for (const [key, part] of Object.entries(value)) {
      if (key.length > textMax)
        throw fail(`has a name of ${key.length} characters; the maximum is ${textMax}`)
      places.push({ value: part, path: path === '' ? key : `${path}.${key}`, depth: depth + 1 })
    }
  }
}

function fault(path: string, message: string): FieldError {
  return { path, message }
}
