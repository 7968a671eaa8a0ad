import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { turnEnd } from '../api/turn-end.ts'

describe('the end of a turn', () => {
  it('is the same for all callers of the turn, after all that they did before', async () => {
    const done: string[] = []
    const caller = async (name: string) => {
      await Promise.resolve()
      done.push(`${name} works`)
      await turnEnd()
      done.push(`${name} sends`)
    }
    const first = [caller('a'), caller('b'), caller('c')]
    process.nextTick(() => done.push('the turn goes on'))
    await Promise.all(first)
    expect(done).toEqual([
      ...['a works', 'b works', 'c works'],
      'the turn goes on',
      ...['a sends', 'b sends', 'c sends'],
    ])
  })

  it('is another one in the next turn', async () => {
    const one = turnEnd()
    expect(turnEnd()).toBe(one)
    await nextTurn()
    expect(turnEnd()).not.toBe(one)
  })
})
