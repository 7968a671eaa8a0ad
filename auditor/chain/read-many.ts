import DataLoader from 'dataloader'
import { createLruCache } from '../../api/chain/lru-cache.ts'

/** Maximum number of cached answers. They do not change, because the blocks are final. */
const KEPT_MAX = 20_000

/**
 * A read of one key, sent together with all others of the same tick. An answer is kept; a failure is not.
 *
 * @param load answers in the order of the keys, at most `batch` of them
 */
export function readMany<Key, Value>(
  batch: number,
  keyOf: (key: Key) => string,
  load: (keys: readonly Key[]) => Promise<readonly Value[]>,
): (key: Key) => Promise<Value> {
  const kept = createLruCache<{ value: Value }>(KEPT_MAX)
  const loader = new DataLoader<Key, Value>(load, { cache: false, maxBatchSize: batch })
  return async (key) => {
    const known = kept.get(keyOf(key))
    if (known) return known.value
    const value = await loader.load(key)
    kept.set(keyOf(key), { value })
    return value
  }
}
