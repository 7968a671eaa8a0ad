import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createLruCache } from '../../api/chain/lru-cache.ts'
import { shareReads } from '../../api/chain/share-reads.ts'
import { assertProperty } from '../support/property.ts'

/** A read that answers its own number when `finish` is called, or fails. */
function controlledReads() {
  const under: { key: string; finish: (error?: Error) => void }[] = []
  let begun = 0
  const read = shareReads((key: string) => {
    begun += 1
    const number = begun
    return new Promise<number>((resolve, reject) => {
      under.push({ key, finish: (error) => (error ? reject(error) : resolve(number)) })
    })
  })
  return { read, under, begun: () => begun }
}

/** The number of a read that failed. */
const toNumber = ({ message }: Error) => Number(message)

/** Lets every read begin that can begin. */
const turn = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)))

describe('reads of one key', () => {
  it('in one turn of the event loop are one read', async () => {
    const { read, under, begun } = controlledReads()
    const answers = Promise.all([read('a'), read('a'), read('a')])
    await turn()
    expect(begun()).toBe(1)
    under[0]?.finish()
    expect(await answers).toEqual([1, 1, 1])
  })

  it('that come while one runs share the next one, which begins after it', async () => {
    const { read, under, begun } = controlledReads()
    const first = read('a')
    await turn()
    const later = [read('a'), read('a')]
    await turn()
    expect(begun()).toBe(1)
    under[0]?.finish()
    expect(await first).toBe(1)
    await turn()
    expect(begun()).toBe(2)
    under[1]?.finish()
    expect(await Promise.all(later)).toEqual([2, 2])
  })

  it('fail together, and the next one is read anew', async () => {
    const { read, under } = controlledReads()
    const failing = Promise.allSettled([read('a'), read('a')])
    await turn()
    under[0]?.finish(new Error('the node is away'))
    expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    const again = read('a')
    await turn()
    under[1]?.finish()
    expect(await again).toBe(2)
  })

  it('that wait for one that fails begin after it, and are answered', async () => {
    const { read, under, begun } = controlledReads()
    const first = read('a')
    await turn()
    const later = Promise.allSettled([read('a'), read('a')])
    under[0]?.finish(new Error('the node is away'))
    await expect(first).rejects.toThrow('the node is away')
    await turn()
    expect(begun()).toBe(2)
    under[1]?.finish()
    expect(await later).toEqual(Array(2).fill({ status: 'fulfilled', value: 2 }))
  })

  it('do not wait for those of another key', async () => {
    const { read, begun } = controlledReads()
    read('a').catch(() => undefined)
    read('b').catch(() => undefined)
    await turn()
    expect(begun()).toBe(2)
  })

  it('are never answered with what was read before they were asked for, nor two at a time', async () => {
    const step = fc.constantFrom('ask', 'turn', 'finish', 'fail')
    await assertProperty(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const { read, under, begun } = controlledReads()
        const asked: { after: number; answer: Promise<number> }[] = []
        let finished = 0
        const finish = (error?: Error) => {
          under[finished]?.finish(error)
          finished += under[finished] ? 1 : 0
        }
        for (const name of steps) {
          if (name === 'ask') asked.push({ after: begun(), answer: read('a').catch(toNumber) })
          else if (name === 'turn') await turn()
          else finish(name === 'fail' ? new Error(`${finished + 1}`) : undefined)
          expect(begun() - finished).toBeLessThanOrEqual(1)
        }
        while (finished < begun() || asked.length > 0) {
          await turn()
          finish()
          await turn()
          if (finished === begun()) break
        }
        for (const { after, answer } of asked) expect(await answer).toBeGreaterThan(after)
      }),
      { numRuns: 200 },
    )
  })
})

describe('a cache of the least recently used', () => {
  it('drops what was not used for longest, and nothing before it is full', () => {
    const cache = createLruCache<number>(2)
    cache.set('a', 1)
    cache.set('b', 2)
    expect(cache.get('a')).toBe(1)
    cache.set('c', 3)
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([1, undefined, 3])
    cache.set('a', 4)
    cache.set('d', 5)
    expect([cache.get('a'), cache.get('c'), cache.get('d')]).toEqual([4, undefined, 5])
  })
})
