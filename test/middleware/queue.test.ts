/** The queue in front of concurrency limits, under random work: who runs, who waits, who is refused. */
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { CodedError } from '../../api/errors.ts'
import type { Limit, Release } from '../../api/limits/concurrency-limit.ts'
import { createQueue } from '../../api/limits/queue.ts'
import { assertProperty } from '../support/property.ts'

const CLIENTS = ['a', 'b', 'c', 'd']
const PER_CLIENT = 2
const IN_ALL = 3
const WAITING_PER_CLIENT = 3
const WAITING_IN_ALL = 6

const refuse = (code: 'TOO_MANY_READS' | 'READS_BUSY') => () => new CodedError(code, code)
const limitsOf = (client: string, perClient: number, inAll: number): Limit[] => [
  { key: client, max: perClient, refuse: refuse('TOO_MANY_READS') },
  { key: 'all', max: inAll, refuse: refuse('READS_BUSY') },
]

/** Lets everything that is settled be heard. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

type Work = {
  client: string
  leaving: AbortController
  state: 'waiting' | 'running' | 'refused' | 'left' | 'done'
  release: Release
}

function startWork(acquire: ReturnType<typeof createQueue>, client: string): Work {
  const leaving = new AbortController()
  const work: Work = { client, leaving, state: 'waiting', release: () => {} }
  acquire({
    limits: limitsOf(client, PER_CLIENT, IN_ALL),
    waiting: limitsOf(client, WAITING_PER_CLIENT, WAITING_IN_ALL),
    signal: leaving.signal,
  }).then(
    (release) => Object.assign(work, { state: 'running', release }),
    (error) => Object.assign(work, { state: error instanceof CodedError ? 'refused' : 'left' }),
  )
  return work
}

const steps = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ do: fc.constant('start'), client: fc.constantFrom(...CLIENTS) }),
    },
    { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('end', 'leave'), index: fc.nat(40) }) },
  ),
  { maxLength: 60 },
)

describe('a queue', () => {
  it('keeps every limit, leaves no room unused that a waiter could take, and admits each client in order', async () => {
    await assertProperty(
      fc.asyncProperty(steps, async (script) => {
        const acquire = createQueue()
        const all: Work[] = []
        const inState = (state: Work['state'], client?: string) =>
          all.filter((work) => work.state === state && (client === undefined || work.client === client))
        for (const step of script) {
          if ('client' in step) {
            const full =
              inState('waiting').length >= WAITING_IN_ALL ||
              inState('waiting', step.client).length >= WAITING_PER_CLIENT
            const mustWait =
              inState('running').length >= IN_ALL || inState('running', step.client).length >= PER_CLIENT
            const work = startWork(acquire, step.client)
            await settle()
            expect(work.state).toBe(!mustWait ? 'running' : full ? 'refused' : 'waiting')
            all.push(work)
          } else {
            const [wanted, next] =
              step.do === 'end' ? (['running', 'done'] as const) : (['waiting', 'left'] as const)
            const candidates = inState(wanted)
            const work = candidates[step.index % Math.max(1, candidates.length)]
            if (!work) continue
            if (next === 'done') work.state = 'done'
            const before = inState('waiting')
            work.release()
            if (next === 'left') work.leaving.abort()
            await settle()
            if (next === 'left') expect(work.state).toBe('left')
            for (const client of CLIENTS) {
              const states = before.filter((one) => one.client === client).map((one) => one.state)
              expect(states.filter((state) => state !== 'left').join(' ')).toMatch(
                /^(running ?)*(waiting ?)*$/,
              )
            }
          }
          expect(inState('running').length).toBeLessThanOrEqual(IN_ALL)
          for (const client of CLIENTS)
            expect(inState('running', client).length).toBeLessThanOrEqual(PER_CLIENT)
          const couldRun = inState('waiting').filter(
            ({ client }) =>
              inState('running').length < IN_ALL && inState('running', client).length < PER_CLIENT,
          )
          expect(couldRun).toEqual([])
        }
      }),
      { numRuns: 300 },
    )
  })

  it('takes the first release of a piece of work, and no further one', async () => {
    const acquire = createQueue()
    const work = ['a', 'a', 'a', 'a'].map((client) => startWork(acquire, client))
    await settle()
    work[0]?.release()
    work[0]?.release()
    await settle()
    expect(work.map(({ state }) => state)).toEqual(['running', 'running', 'running', 'waiting'])
  })

  it('admits work past that of a client whose own limit is used up', async () => {
    const acquire = createQueue()
    const work = ['a', 'a', 'a', 'b'].map((client) => startWork(acquire, client))
    await settle()
    expect(work.map(({ state }) => state)).toEqual(['running', 'running', 'waiting', 'running'])
    work[3]?.release()
    await settle()
    expect(work[2]?.state).toBe('waiting')
    work[0]?.release()
    await settle()
    expect(work[2]?.state).toBe('running')
  })

  it('refuses after the time to wait with the limit that had no room, and frees the place in the queue', async () => {
    const acquire = createQueue()
    const work = (client: string) => ({
      limits: limitsOf(client, 1, 2),
      waiting: limitsOf(client, 1, 1),
      timeoutMs: 1,
    })
    const held = [await acquire(work('a')), await acquire(work('b'))]
    for (let i = 0; i < 3; i += 1) {
      await expect(acquire(work('a'))).rejects.toMatchObject({ code: 'TOO_MANY_READS' })
      await expect(acquire(work('c'))).rejects.toMatchObject({ code: 'READS_BUSY' })
    }
    for (const release of held) {
      release()
      release()
    }
    const free = [await acquire(work('a')), await acquire(work('c'))]
    expect(free).toHaveLength(2)
    await expect(acquire(work('d'))).rejects.toMatchObject({ code: 'READS_BUSY' })
  })

  it('takes no second place for work that was admitted before its time to wait ended', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const acquire = createQueue()
      const limits = limitsOf('a', 1, 1)
      const first = await acquire({ limits })
      const second = acquire({ limits, timeoutMs: 1_000 })
      first()
      const release = await second
      release()
      vi.advanceTimersByTime(1_000)
      expect(await Promise.race([acquire({ limits }), settle()])).toBeTypeOf('function')
    } finally {
      vi.useRealTimers()
    }
  })

  it('refuses at once a caller that has left before', async () => {
    const acquire = createQueue()
    const signal = AbortSignal.abort('gone')
    await expect(acquire({ limits: limitsOf('a', 1, 1), signal })).rejects.toBe('gone')
    expect(await acquire({ limits: limitsOf('a', 1, 1) })).toBeTypeOf('function')
  })
})
