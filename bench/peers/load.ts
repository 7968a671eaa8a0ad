/** The process that sends the load. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { z } from 'zod'
import type { Request } from './read.ts'

export const CONNECTIONS = 32

export type Job = { url: string; requests: readonly Request[]; seconds: number; status: number }

const loaded = z.object({
  seconds: z.number(),
  requests: z.int(),
  failures: z.int(),
  failure: z.string().optional(),
  p50: z.number(),
  p99: z.number(),
})

/** Milliseconds for `p50` and `p99`. */
export type Loaded = Pick<z.output<typeof loaded>, 'seconds' | 'requests' | 'p50' | 'p99'>

export function startLoad() {
  const child = fork(join(import.meta.dirname, 'load.mjs'))
  const exited = once(child, 'exit').then(() => {
    throw new Error('the process of the load exited')
  })
  exited.catch(() => {})
  return {
    /** @throws Error when any answer is an error */
    send: async (job: Job): Promise<Loaded> => {
      child.send({ ...job, connections: CONNECTIONS })
      const [answer] = await Promise.race([once(child, 'message'), exited])
      const { failures, failure, ...figures } = loaded.parse(answer)
      if (failures > 0) throw new Error(`${failures} of ${figures.requests} answers failed: ${failure}`)
      return figures
    },
    stop: () => child.disconnect(),
  }
}

export type Load = ReturnType<typeof startLoad>
