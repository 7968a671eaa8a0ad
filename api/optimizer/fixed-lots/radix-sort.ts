/**
 * Indices in order of value, equal values in order of index: sorted by one byte after the other, the least significant
 * first. The bytes of doubles that are not negative are in the order of their values.
 */
export function sortedIndices(values: Float64Array): Uint32Array {
  const bytes = new DataView(new ArrayBuffer(values.length * 8))
  for (let row = 0; row < values.length; row++) bytes.setFloat64(row * 8, values[row] as number)
  let order = new Uint32Array(values.length)
  let sorted = new Uint32Array(values.length)
  for (let row = 0; row < order.length; row++) order[row] = row
  for (let byte = 7; byte >= 0; byte--) {
    const places = new Uint32Array(257)
    for (let row = 0; row < order.length; row++) {
      const after = bytes.getUint8(row * 8 + byte) + 1
      places[after] = (places[after] as number) + 1
    }
    for (let digit = 1; digit < 257; digit++) {
      places[digit] = (places[digit] as number) + (places[digit - 1] as number)
    }
    for (let at = 0; at < order.length; at++) {
      const row = order[at] as number
      const digit = bytes.getUint8(row * 8 + byte)
      const place = places[digit] as number
      sorted[place] = row
      places[digit] = place + 1
    }
    ;[order, sorted] = [sorted, order]
  }
  return order
}
