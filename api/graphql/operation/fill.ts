/** The answer of a statement with the values that Postgres does not have. */
import type { FinalizedThrough } from '../../projection/session/state.ts'
import type { Outside } from '../kit/outside.ts'
import { type Hole, locate, type Path } from './plan/walk.ts'

/**
 * Fills each hole once for all of its objects.
 *
 * @param text the answer, as JSON
 * @throws GraphQLError at the hole that cannot be filled
 */
export async function fillHoles(
  text: string,
  holes: readonly Hole[],
  outside: Outside,
  throughOf: (hole: Hole) => FinalizedThrough,
): Promise<string> {
  const data: unknown = JSON.parse(text)
  await Promise.all(holes.map((hole) => fillHole(data, hole, outside, throughOf(hole))))
  return JSON.stringify(data)
}

async function fillHole(
  data: unknown,
  { path, fill }: Hole,
  outside: Outside,
  through: FinalizedThrough,
): Promise<void> {
  const name = path.at(-1) ?? ''
  const objects = objectsAt(data, path.slice(0, -1))
  if (objects.length === 0) return
  const needs = objects.map((object) => Reflect.get(object, name))
  const values = await fill(needs, outside, through).catch((error) => {
    throw locate(error instanceof Error ? error : new Error(String(error)), path)
  })
  // An assignment of `__proto__`, which an alias may be, would set the prototype.
  for (const [i, object] of objects.entries()) Reflect.defineProperty(object, name, { value: values[i] })
}

/** Whether the answer has a value at a place of the query. */
export function hasValueAt(text: string, path: Path): boolean {
  const data: unknown = JSON.parse(text)
  return objectsAt(data, path).length > 0
}

/** The objects at a place, in their order, through all lists on the way. */
function objectsAt(data: unknown, path: Path): object[] {
  let found = listOf(data)
  for (const name of path) found = found.flatMap((object) => listOf(Reflect.get(object, name)))
  return found
}

function listOf(value: unknown): object[] {
  if (Array.isArray(value)) return value.flatMap(listOf)
  return typeof value === 'object' && value !== null ? [value] : []
}
