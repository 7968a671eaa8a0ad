import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import type { Indexer, IndexerExit } from '../../indexer/service/indexer.ts'
import { nextDelay, superviseIndexer } from '../../indexer/service/supervise.ts'

it('waits twice as long before each further start, up to 5 s', () => {
  const delays: number[] = []
  for (let restart = 0; restart < 5; restart++) delays.push(nextDelay(delays.at(-1), 10))
  expect(delays).toEqual([1000, 2000, 4000, 5000, 5000])
})

it('begins with the first delay again after a healthy run', () => {
  expect(nextDelay(5000, 59_999)).toBe(5000)
  expect(nextDelay(5000, 60_000)).toBe(1000)
})

describe('the supervision of runs', () => {
  const AT_ONCE = { firstMs: 1, longestMs: 4, healthyMs: 600_000 }
  /** Longer than any test: only the signal ends the delay. */
  const NEVER = { firstMs: 2 ** 30, longestMs: 2 ** 30, healthyMs: 2 ** 30 }

  /** Runs that end when they are stopped or `end` is called. */
  function runs() {
    const stopped: number[] = []
    const ends: ((exit: IndexerExit) => void)[] = []
    const lines: Record<string, unknown>[] = []
    const begin = (): Indexer => {
      const run = ends.length
      const { promise: exited, resolve } = Promise.withResolvers<IndexerExit>()
      ends.push(resolve)
      const stop = () => {
        stopped.push(run)
        resolve({ code: 0, signal: null, errors: [] })
        return exited
      }
      return { pid: run, schema: 'indexer', ready: async () => 'PUBLISHED', stop, kill: () => exited, exited }
    }
    const log = pino({}, { write: (line) => void lines.push(JSON.parse(line)) })
    return { begin, log, stopped, ends, lines }
  }

  it('starts a run again that ends, with the reason of the end, until a start sees the signal', async () => {
    const { begin, log, ends, lines, stopped } = runs()
    const end = new AbortController()
    let starts = 0
    const start = async () => {
      starts += 1
      if (starts === 2) throw new Error('the database is away')
      if (starts === 4) end.abort()
      const run = begin()
      if (starts === 1) ends.at(-1)?.({ code: 75, signal: null, errors: ['one', 'two'] })
      if (starts === 3) ends.at(-1)?.({ code: null, signal: 'SIGKILL', errors: [] })
      return run
    }
    await superviseIndexer(start, log, end.signal, AT_ONCE)
    expect(lines.map(({ reason, delayMs }) => [reason, delayMs])).toEqual([
      ['exit code 75 | one | two', 1],
      ['the database is away', 2],
      ['ended by SIGKILL', 4],
    ])
    // The run that began while the signal aborted is stopped, too.
    expect([starts, stopped]).toEqual([4, [2]])
  })

  it('doubles the delay after each run, until one alone is healthy', async () => {
    const { begin, log, ends, lines } = runs()
    const end = new AbortController()
    const runsFor = [400_000, 400_000, 599_999, 600_000, 0]
    let now = 0
    const start = async () => {
      const run = begin()
      const ranMs = runsFor.shift()
      if (ranMs === undefined) end.abort()
      now += ranMs ?? 0
      ends.at(-1)?.({ code: 75, signal: null, errors: [] })
      return run
    }
    await superviseIndexer(start, log, end.signal, AT_ONCE, () => now)
    expect(lines.map(({ delayMs }) => delayMs)).toEqual([1, 2, 4, 1, 2])
  })

  it('stops the run in order when the signal aborts, and starts no other', async () => {
    const { begin, log, lines, stopped } = runs()
    const end = new AbortController()
    let starts = 0
    const supervised = superviseIndexer(
      async () => {
        starts += 1
        setImmediate(() => end.abort())
        return begin()
      },
      log,
      end.signal,
      AT_ONCE,
    )
    await supervised
    expect([starts, stopped, lines]).toEqual([1, [0], []])
  })

  it('ends at once when the signal aborts between two runs', async () => {
    const { log, lines } = runs()
    const end = new AbortController()
    let starts = 0
    const start = async () => {
      starts += 1
      setImmediate(() => end.abort())
      throw new Error('no node answers')
    }
    await superviseIndexer(start, log, end.signal, NEVER)
    expect([starts, lines.length]).toEqual([1, 1])
  })
})
