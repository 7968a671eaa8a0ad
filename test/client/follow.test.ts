/** How long a transaction is waited for: with time in which nothing is known of it, and time in which something is. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createGateway, type Hash } from '../../packages/client/src/index.ts'

const HASH: Hash = `0x${'ab'.repeat(32)}`
const MINUTE = 60_000

/** An answer of the gateway after some minutes: a status, or an outage. */
type Step = readonly [minutes: number, status: 'OUTAGE' | 'NOT_FOUND' | 'PENDING' | 'MINED']

/** Follows a transaction until it is mined. Each request takes the minutes of its step; the last one is repeated. */
function follow(...steps: readonly Step[]) {
  let asked = 0
  const gateway = createGateway({
    url: 'http://gateway.test',
    fetch: async () => {
      const [minutes = 0, status] = steps[Math.min(asked++, steps.length - 1)] ?? []
      vi.setSystemTime(Date.now() + minutes * MINUTE)
      if (status === 'OUTAGE') return Response.json({ code: 'DATABASE_UNAVAILABLE' }, { status: 503 })
      return Response.json({ hash: HASH, status, block: null })
    },
  })
  return gateway.follow(HASH, { until: 'MINED', pollMs: 1 })
}

describe('the wait for a transaction', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
  afterEach(() => void vi.useRealTimers())

  it.each<[string, readonly Step[]]>([
    [
      'an outage of nine minutes',
      [
        [0, 'OUTAGE'],
        [9, 'OUTAGE'],
        [0, 'MINED'],
      ],
    ],
    [
      'an outage at its beginning, and hours until it is mined',
      [
        [0, 'OUTAGE'],
        [9, 'PENDING'],
        [200, 'PENDING'],
        [0, 'MINED'],
      ],
    ],
    [
      'two outages of nine minutes each',
      [
        [0, 'OUTAGE'],
        [9, 'PENDING'],
        [0, 'OUTAGE'],
        [9, 'PENDING'],
        [0, 'MINED'],
      ],
    ],
    [
      'nodes that do not know it for nine minutes',
      [
        [0, 'NOT_FOUND'],
        [9, 'NOT_FOUND'],
        [0, 'MINED'],
      ],
    ],
  ])('goes on over %s', async (_, steps) => {
    expect(await follow(...steps)).toMatchObject({ status: 'MINED' })
  })

  it.each(['OUTAGE', 'NOT_FOUND'] as const)('ends after ten minutes of %s', async (status) => {
    await expect(follow([0, status], [11, status])).rejects.toMatchObject({ code: 'TIMEOUT' })
  })
})
