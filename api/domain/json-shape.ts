/**
 * Checks the shape of JSON that a caller sends, before other code reads it. That code recurses, reports each fault, and
 * may take more than linear time.
 */
import { validationFailed } from '../errors.ts'
import { JSON_DEPTH_MAX, JSON_ENTRIES_MAX, JSON_OBJECTS_MAX, JSON_VALUES_MAX } from './limits.ts'

type Place = { readonly value: unknown; readonly path: string; readonly depth: number }

/**
 * Visits at most `JSON_VALUES_MAX` values, without recursion, and stops at the first fault.
 *
 * @param root value that `JSON.parse` returned
 * @param name name of the root, for faults of the whole value; paths of its parts do not contain this name
 * @param textMax maximum number of characters of a string or name
 * @throws CodedError `VALIDATION_FAILED`
 */
export function requireShape(root: unknown, name: string, textMax: number): void {
  const places: Place[] = [{ value: root, path: '', depth: 1 }]
  const fault = (path: string, message: string) => validationFailed([{ path: path || name, message }])
  let objects = 0
  // The loop appends to the list that it reads.
  for (const { value, path, depth } of places) {
    if (typeof value === 'string') requireLength(value, 'has', path)
    if (typeof value !== 'object' || value === null) continue
    const isList = Array.isArray(value)
    const size = isList ? value.length : Object.keys(value).length
    if (!isList) objects += 1
    if (size > JSON_ENTRIES_MAX) throw fault(path, `has ${size} entries; the maximum is ${JSON_ENTRIES_MAX}`)
    if (depth > JSON_DEPTH_MAX)
      throw fault(path, `is nested too deep; the maximum is ${JSON_DEPTH_MAX} levels`)
    if (objects > JSON_OBJECTS_MAX) throw fault('', `has more than ${JSON_OBJECTS_MAX} objects`)
    if (places.length + size > JSON_VALUES_MAX) throw fault('', `has more than ${JSON_VALUES_MAX} values`)
    for (const [key, part] of Object.entries(value)) {
      requireLength(key, 'has a name of', path)
      places.push({ value: part, path: path === '' ? key : `${path}.${key}`, depth: depth + 1 })
    }
  }

  function requireLength({ length }: string, words: string, path: string): void {
    if (length > textMax) throw fault(path, `${words} ${length} characters; the maximum is ${textMax}`)
  }
}
