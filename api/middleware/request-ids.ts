import type { Context } from 'hono'
import type { AppEnv } from './env.ts'

const WELL_FORMED = /^[\w\-=]{1,255}$/

/** The caller's `X-Request-Id` if it is well-formed, else a new one. `hono/request-id` sets the header of each answer separately. */
export function requestIdOf({ req }: Context<AppEnv>): string {
  const own = req.header('X-Request-Id')
  return own !== undefined && WELL_FORMED.test(own) ? own : crypto.randomUUID()
}
