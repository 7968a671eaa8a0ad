/** Outcomes of calls of nodes and of searches, as the metrics count them. */
import { setTimeout as pause } from 'node:timers/promises'
import { HttpRequestError, RpcRequestError } from 'viem'
import { expect, it } from 'vitest'
import { createMetrics } from '../../api/metrics/metrics.ts'
import { measuredCalls, measuredSearches } from '../../api/operations/measured.ts'
import { OptimizerExhausted, optimizeRoute } from '../../api/optimizer/index.ts'
import { OptimizerPoolFull } from '../../api/optimizer-pool/index.ts'

async function countsOf(metrics: ReturnType<typeof createMetrics>, name: string) {
  const text = await metrics.registry.metrics()
  return text.split('\n').filter((line) => line.startsWith(`${name}_count`))
}

it('a call is answered, refused by the node, or without an answer', async () => {
  const metrics = createMetrics([])
  const around = measuredCalls(metrics)
  const url = 'http://node.example'
  const refusal = new RpcRequestError({
    body: {},
    url,
    error: { code: 3, message: 'execution reverted' },
  })
  const silence = new HttpRequestError({ url })
  expect(await around('eth_call', async () => 'an answer')).toBe('an answer')
  for (const error of [refusal, silence, silence])
    await expect(around('eth_call', () => Promise.reject(error))).rejects.toBe(error)
  expect(await countsOf(metrics, 'gateway_rpc_duration_seconds')).toEqual([
    'gateway_rpc_duration_seconds_count{method="eth_call",outcome="answered"} 1',
    'gateway_rpc_duration_seconds_count{method="eth_call",outcome="refused"} 1',
    'gateway_rpc_duration_seconds_count{method="eth_call",outcome="failed"} 2',
  ])
})

it('a search is answered, refused, left by its client, or failed', async () => {
  const metrics = createMetrics([])
  const input = { candidates: [], vaultLiquidity: new Map(), issuerLimits: [], targetAdvance: 1n }
  const searchedWith = (error?: Error) =>
    measuredSearches(async (given) => {
      if (error) throw error
      return optimizeRoute(given)
    }, metrics)
  const present = new AbortController().signal
  expect(await searchedWith()(input, present)).toEqual(optimizeRoute(input))
  const exhausted = new OptimizerExhausted(1, { advance: 0n, atMost: 1n })
  const fault = new Error('a fault')
  for (const [error, signal] of [
    [new OptimizerPoolFull(1), present],
    [new OptimizerPoolFull(1), AbortSignal.abort()],
    [exhausted, present],
    [exhausted, AbortSignal.abort()],
    [fault, AbortSignal.abort()],
    [fault, present],
    [fault, present],
  ] as const)
    await expect(searchedWith(error)(input, signal)).rejects.toBe(error)
  expect(await countsOf(metrics, 'gateway_optimizer_duration_seconds')).toEqual([
    'gateway_optimizer_duration_seconds_count{outcome="answered"} 1',
    'gateway_optimizer_duration_seconds_count{outcome="refused"} 4',
    'gateway_optimizer_duration_seconds_count{outcome="aborted"} 1',
    'gateway_optimizer_duration_seconds_count{outcome="failed"} 2',
  ])
})

it('a call takes no more seconds than pass around it', async () => {
  const metrics = createMetrics([])
  const began = performance.now()
  await measuredCalls(metrics)('eth_call', () => pause(20))
  const passed = (performance.now() - began) / 1000
  const text = await metrics.registry.metrics()
  const [line = ''] = text.split('\n').filter((one) => one.startsWith('gateway_rpc_duration_seconds_sum'))
  const seconds = Number(line.split(' ').at(-1))
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThanOrEqual(passed)
})
