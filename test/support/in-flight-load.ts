/** A process that keeps some items in flight and lets many pass. Prints how many bytes of those that ended were left in old memory, at most. */
import { getHeapSpaceStatistics } from 'node:v8'
import { createInFlight } from '../../api/in-flight.ts'

/** Some 4 KB. Parsed, because V8 learns from literals: if many survive once, it creates all later ones in old memory. */
const TEXT = JSON.stringify({ parts: Array.from({ length: 100 }, (_, i) => ({ i })) })
const makeItem = (): unknown => JSON.parse(TEXT)
const CONCURRENT = 40
const ITEMS = 60_000

const oldBytes = () =>
  getHeapSpaceStatistics().find((space) => space.space_name === 'old_space')?.space_used_size ?? 0

const inFlight = createInFlight<unknown>()
const items = Array.from({ length: CONCURRENT }, makeItem)
for (const item of items) inFlight.add(item)
// So that the first ones are old.
globalThis.gc?.()
globalThis.gc?.()
const before = oldBytes()
let left = 0
for (let n = 0; n < ITEMS; n++) {
  const begun = makeItem()
  const [ended] = items.splice(n % CONCURRENT, 1, begun)
  inFlight.remove(ended)
  inFlight.add(begun)
  if (n % 100 === 0) left = Math.max(left, oldBytes() - before)
}
console.log(left)
