/** The gateway's own process, which reports on request how long its event loop was held since the last report. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'

/** Milliseconds. `cpu` is the time that the main thread computed. */
export type Held = { held: number; cpu: number }

const RESOLUTION_MS = 1
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
delay.enable()
let before = process.threadCpuUsage()

process.on('message', async () => {
  // The timer that measures is late by the last delay: without a pause, the report would come before it.
  await pause(RESOLUTION_MS)
  const { user, system } = process.threadCpuUsage(before)
  const held: Held = {
    held: Math.max(0, delay.max / 1e6 - RESOLUTION_MS),
    cpu: (user + system) / 1000,
  }
  delay.reset()
  // After a reset, the histogram measures from the first time that its timer runs.
  await pause(2 * RESOLUTION_MS)
  before = process.threadCpuUsage()
  process.send?.(held)
})

await import('../../api/server.ts')
