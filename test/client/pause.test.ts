/** A delay leaves nothing behind: no timer, which would keep a program alive, and no listener of its signal. */
import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { pause } from '../../packages/client/src/pause.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

it('a delay that is over has removed its listener', async () => {
  const { signal } = new AbortController()
  const paused = pause(1000, signal)
  expect(getEventListeners(signal, 'abort')).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1000)
  await paused
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
})

it('a delay that its signal aborts has removed its timer and its listener', async () => {
  const leaving = new AbortController()
  const paused = pause(1000, leaving.signal)
  leaving.abort()
  await paused
  expect([vi.getTimerCount(), getEventListeners(leaving.signal, 'abort').length]).toEqual([0, 0])
})

it('a delay whose signal is already aborted ends at once', async () => {
  await pause(1000, AbortSignal.abort())
  expect(vi.getTimerCount()).toBe(0)
})
