import type { Context, MiddlewareHandler, Next } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { AppEnv } from './env.ts'

/** An answer, or nothing. */
type Taken = Awaited<ReturnType<MiddlewareHandler>>

/** Work before the handler. It answers the request itself if it returns an answer, and refuses it if it throws. */
export type Step = (c: Context<AppEnv>) => Taken | Promise<Taken>

/** For a middleware of a library that does nothing after the handler, so that it is a step. */
export const noHandler: Next = () => Promise.resolve()

/** The steps as one middleware, in their order. As middlewares, each would make promises of its own, which take time. */
export const inOrder = (...steps: readonly Step[]) =>
  createMiddleware<AppEnv>(async (c, next) => {
    for (const step of steps) {
      const taken = step(c)
      const answer = taken instanceof Promise ? await taken : taken
      if (answer) return answer
    }
    await next()
  })
