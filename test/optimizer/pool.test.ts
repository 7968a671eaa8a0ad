import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { OptimizerExhausted, optimizeRoute } from '../../api/optimizer/index.ts'
import { createOptimizerPool, OptimizerPoolFull } from '../../api/optimizer-pool/index.ts'
import { edgeFamilies } from '../../bench/optimizer/edge-families.ts'
import { families } from '../../bench/optimizer/families.ts'

const faults: Error[] = []
const pool = createOptimizerPool({ threads: 1, maxQueue: 1, onFault: (error) => void faults.push(error) })
const instance = (seed: number) => {
  const [family] = families
  if (family === undefined) throw new Error('the benchmark has no families')
  return family.make(seed)
}

/** Inputs that ask for an exact sum. */
const subsetSums = (seed: number) => {
  const family = edgeFamilies.find(({ name, claims }) => name.startsWith('subset sums') && claims > 12)
  if (family === undefined) throw new Error('the benchmark has no subset sums')
  return family.make(seed)
}

afterEach(() => expect(pool.pending()).toBe(0))
afterAll(() => pool.close())

describe('optimizer pool', () => {
  it('answers what the library answers', async () => {
    expect(await pool.optimize(instance(1))).toEqual(optimizeRoute(instance(1)))
  })

  it('refuses with a typed error what can neither run nor wait', async () => {
    const accepted = [pool.optimize(instance(2)), pool.optimize(instance(3))]
    await expect(pool.optimize(instance(4))).rejects.toBeInstanceOf(OptimizerPoolFull)
    await expect(Promise.all(accepted)).resolves.toHaveLength(2)
  })

  it('states what is known of a target that a search does not decide', async () => {
    const input = subsetSums(3)
    const error: unknown = await pool.optimize(input).catch((thrown: unknown) => thrown)
    if (!(error instanceof OptimizerExhausted)) throw error
    const { advance, atMost, nodesVisited } = error
    expect(nodesVisited).toBeGreaterThan(0)
    expect(advance).toBeLessThan(input.targetAdvance)
    expect(atMost).toBeGreaterThanOrEqual(input.targetAdvance)
    expect(optimizeRoute({ ...input, targetAdvance: advance })).toMatchObject({
      executable: true,
      totalAdvance: advance,
    })
  })

  it('gives up a search when the caller goes away, and serves the next one', async () => {
    const caller = new AbortController()
    const abandoned = pool.optimize(instance(5), caller.signal)
    caller.abort()
    await expect(abandoned).rejects.toMatchObject({ name: 'AbortError' })
    expect(await pool.optimize(instance(6))).toEqual(optimizeRoute(instance(6)))
  })

  it('drops the answer that comes in while its caller goes away, and serves the next one', async () => {
    const caller = new AbortController()
    await pool.optimize(instance(8))
    const abandoned = pool.optimize(instance(8), caller.signal)
    // Meanwhile the thread answers, and no listener is left.
    for (let times = 0; times < 50; times++) optimizeRoute(instance(8))
    caller.abort()
    await expect(abandoned).rejects.toMatchObject({ name: 'AbortError' })
    expect(await pool.optimize(instance(9))).toEqual(optimizeRoute(instance(9)))
    expect(faults).toEqual([])
  })

  it('serves on after many callers went away, whenever that was', async () => {
    for (let caller = 0; caller < 30; caller++) {
      const signal = AbortSignal.timeout(caller)
      await pool.optimize(instance(caller), signal).catch((error: Error) => {
        expect(['TimeoutError', 'AbortError']).toContain(error.name)
      })
    }
    expect(await pool.optimize(instance(9))).toEqual(optimizeRoute(instance(9)))
    expect(faults).toEqual([])
  })

  it('does not start a search for a caller that is already gone', async () => {
    await expect(pool.optimize(instance(7), AbortSignal.abort())).rejects.toMatchObject({
      name: 'AbortError',
    })
  })
})
