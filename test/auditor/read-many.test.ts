/** Reads of the chain by key: they are sent together, and only answers are kept. */
import { expect, it } from 'vitest'
import { readMany } from '../../auditor/chain/read-many.ts'

it('keys of one turn are read together, at most a batch at once, and each answer is of its key', async () => {
  const batches: (readonly number[])[] = []
  const read = readMany(2, String, async (keys: readonly number[]) => {
    batches.push(keys)
    return keys.map((key) => key * 10)
  })
  expect(await Promise.all([1, 2, 3].map(read))).toEqual([10, 20, 30])
  expect(batches).toEqual([[1, 2], [3]])
})

it('an answer is kept, also one that there is no value', async () => {
  let reads = 0
  const read = readMany(2, String, async (keys: readonly number[]) => {
    reads += keys.length
    return keys.map((key) => (key === 1 ? undefined : key))
  })
  for (const key of [1, 2, 1, 2]) expect(await read(key)).toBe(key === 1 ? undefined : key)
  expect(reads).toBe(2)
})

it('a failure is not kept: the next read of the key asks again', async () => {
  let isAway = true
  const read = readMany(2, String, async (keys: readonly number[]) => {
    if (isAway) throw new Error('the node is away')
    return keys
  })
  await expect(read(1)).rejects.toThrow('the node is away')
  isAway = false
  expect(await read(1)).toBe(1)
})
