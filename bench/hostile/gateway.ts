/** The gateway's own process, which reports on request how long its event loop was held since the last report. */
import { monitorEventLoopDelay } from 'node:perf_hooks'

/** Milliseconds. `cpu` is the time that the main thread computed. */
export type Held = { held: number; cpu: number }

const RESOLUTION_MS = 1
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
delay.enable()
let before = process.threadCpuUsage()

process.on('message', () => {
  const cpu = process.threadCpuUsage(before)
  const report: Held = {
    held: Math.max(0, delay.max / 1e6 - RESOLUTION_MS),
    cpu: (cpu.user + cpu.system) / 1000,
  }
  process.send?.(report)
  delay.reset()
  before = process.threadCpuUsage()
})

await import('../../api/server.ts')
