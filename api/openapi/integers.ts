/** The formats of the integers of the document, which follow from their ranges. */
const INT32 = { min: -(2 ** 31), max: 2 ** 31 - 1 }

type Integer = { minimum: number; maximum: number; format?: string }

/**
 * Writes `format` beside each `minimum` and `maximum` of an integer: `int32` where all of the range fits it, else
 * `int64`.
 */
export function stateIntegerFormats(node: unknown): void {
  if (typeof node !== 'object' || node === null) return
  if (isInteger(node))
    node.format = node.minimum >= INT32.min && node.maximum <= INT32.max ? 'int32' : 'int64'
  for (const child of Object.values(node)) stateIntegerFormats(child)
}

function isInteger(node: object): node is Integer {
  if (!('type' in node && 'minimum' in node && 'maximum' in node)) return false
  return [node.type].flat().includes('integer')
}
