/** References with a description of their own. */

/** Members that describe a value and do not restrict it. */
const ANNOTATIONS: ReadonlySet<string> = new Set([
  'description',
  'example',
  'examples',
  'default',
  'deprecated',
])

/**
 * Replaces each `allOf` of a reference and annotations by the reference with those annotations beside it, as OpenAPI
 * 3.1 allows. So generators see the named type, and no intersection of it with an unknown one.
 */
export function nameReferences(node: unknown): void {
  if (typeof node !== 'object' || node === null) return
  if (hasAllOf(node)) unwrap(node)
  for (const child of Object.values(node)) nameReferences(child)
}

type WithAllOf = { allOf?: unknown }

function hasAllOf(node: object): node is WithAllOf {
  return 'allOf' in node && Array.isArray(node.allOf) && node.allOf.length === 2
}

function unwrap(node: WithAllOf): void {
  const [reference, annotations]: unknown[] = Array.isArray(node.allOf) ? node.allOf : []
  if (!isObject(reference) || !isObject(annotations) || !('$ref' in reference)) return
  if (!Object.keys(annotations).every((name) => ANNOTATIONS.has(name))) return
  delete node.allOf
  Object.assign(node, reference, annotations)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
