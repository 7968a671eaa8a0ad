import { makeData, makeVector, Utf8, type Vector } from 'apache-arrow'

/** A column of text. The builders of Arrow evaluate strings as code, which the policy of the page refuses. */
export function textVector(values: readonly (string | null)[]): Vector<Utf8> {
  const encoder = new TextEncoder()
  const texts = values.map((value) => encoder.encode(value ?? ''))
  const valueOffsets = new Int32Array(values.length + 1)
  const nullBitmap = new Uint8Array(Math.ceil(values.length / 8))
  for (const [index, text] of texts.entries()) {
    valueOffsets[index + 1] = (valueOffsets[index] ?? 0) + text.length
    if (values[index] !== null) nullBitmap[index >> 3] = (nullBitmap[index >> 3] ?? 0) | (1 << (index & 7))
  }
  const data = new Uint8Array(valueOffsets.at(-1) ?? 0)
  for (const [index, text] of texts.entries()) data.set(text, valueOffsets[index])
  const nullCount = values.filter((value) => value === null).length
  return makeVector(
    makeData({ type: new Utf8(), length: values.length, nullCount, nullBitmap, valueOffsets, data }),
  )
}
