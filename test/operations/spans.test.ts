/** A span states the outcome of its request, or of a part of it. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startTracing } from '../../api/tracing/start.ts'
import type { Tracing } from '../../api/tracing/tracing.ts'
import { startTraceReceiver } from '../support/trace-receiver.ts'

let receiver: Awaited<ReturnType<typeof startTraceReceiver>>
let tracing: Tracing
beforeEach(async () => {
  receiver = await startTraceReceiver()
  // An address may end with a slash.
  tracing = startTracing({ endpoint: `${receiver.url}/`, ratio: 1, onFailure: () => {} })
})
afterEach(() => receiver.stop())

const request = (status: number, answer: () => Promise<void>) =>
  tracing.request({ method: 'GET', requestId: 'id', traceparent: undefined }, answer, () => ({
    route: `GET /${status}`,
    operation: undefined,
    status,
  }))

describe('the span of a request', () => {
  it.each([
    [200, 0],
    [404, 0],
    [499, 0],
    [500, 2],
    [503, 2],
  ])('with status %i has the outcome %i', async (status, outcome) => {
    await request(status, async () => {})
    await tracing.close()
    expect(receiver.spans).toMatchObject([{ name: `GET /${status}`, kind: 2, status: { code: outcome } }])
  })

  it('ends with a request that fails', async () => {
    const failure = new Error('lost')
    await expect(request(500, () => Promise.reject(failure))).rejects.toBe(failure)
    await tracing.close()
    expect(receiver.spans.map(({ name }) => name)).toEqual(['GET /500'])
  })
})

describe('the span of a part', () => {
  it('has no outcome where the part is done, at once or later', async () => {
    await request(200, async () => {
      expect(tracing.part('at once', { of: 'now' }, () => 1)).toBe(1)
      expect(await tracing.part('later', {}, async () => 2)).toBe(2)
    })
    await tracing.close()
    const parts = receiver.spans.filter(({ kind }) => kind === 3)
    expect(parts.map(({ name, status, attributes }) => [name, status.code, attributes])).toEqual([
      ['at once', 0, { of: 'now' }],
      ['later', 0, {}],
    ])
  })

  it('is an error with its name, and without its message, where the part fails', async () => {
    const failure = new TypeError('a value of the caller')
    await request(500, async () => {
      const part = tracing.part('failing', {}, () => Promise.reject(failure))
      await expect(part).rejects.toBe(failure)
    })
    await tracing.close()
    expect(receiver.spans.find(({ name }) => name === 'failing')).toMatchObject({
      status: { code: 2 },
      attributes: { 'error.type': 'TypeError' },
    })
    expect(JSON.stringify(receiver.spans)).not.toContain('a value of the caller')
  })

  it('is none outside of a request', async () => {
    expect([tracing.part('alone', {}, () => 1), tracing.requestId()]).toEqual([1, undefined])
    await tracing.close()
    expect(receiver.spans).toEqual([])
  })
})
