/** Which requests are traced, by the ratio of the gateway and by the header of a caller that nobody trusts. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startTracing } from '../../api/tracing/start.ts'
import { startTraceReceiver } from '../support/trace-receiver.ts'

/** An id that a sampler by the id of the trace keeps at any ratio above 0. */
const LOWEST_TRACE = '00000001000000010000000000000000'
const SPAN = 'b7ad6b7169203331'

let receiver: Awaited<ReturnType<typeof startTraceReceiver>>
beforeEach(async () => {
  receiver = await startTraceReceiver()
})
afterEach(() => receiver.stop())

/** Traces that many requests with the header, each with a part. @returns the spans that the collector received */
async function trace(ratio: number, traceparent: string | undefined, requests = 1) {
  const failures: unknown[] = []
  const tracing = startTracing({
    endpoint: receiver.url,
    ratio,
    onFailure: (error) => void failures.push(error),
  })
  for (let index = 0; index < requests; index += 1)
    await tracing.request(
      { method: 'GET', requestId: `${index}`, traceparent },
      async () => tracing.part('part', {}, () => {}),
      () => ({ route: 'GET /', operation: undefined, status: 200 }),
    )
  await tracing.close()
  expect(failures).toEqual([])
  return receiver.spans
}

it('keeps no request at ratio 0, although its caller has sampled it', async () => {
  expect(await trace(0, `00-${LOWEST_TRACE}-${SPAN}-01`)).toEqual([])
  expect(await trace(0, undefined)).toEqual([])
})

it('keeps each request at ratio 1 in the trace of its caller, with its parts', async () => {
  const spans = await trace(1, `00-${LOWEST_TRACE}-${SPAN}-01`)
  expect(spans.map(({ name, traceId }) => [name, traceId]).toSorted()).toEqual([
    ['GET /', LOWEST_TRACE],
    ['part', LOWEST_TRACE],
  ])
})

it('drops a request that its caller has not sampled', async () => {
  expect(await trace(1, `00-${LOWEST_TRACE}-${SPAN}-00`)).toEqual([])
})

it('keeps a share of requests, whatever the id of the trace that their callers choose', async () => {
  const spans = await trace(0.5, `00-${LOWEST_TRACE}-${SPAN}-01`, 200)
  const requests = spans.filter(({ name }) => name === 'GET /').length
  expect(requests).toBeGreaterThan(0)
  expect(requests).toBeLessThan(200)
  expect(spans).toHaveLength(2 * requests)
})
