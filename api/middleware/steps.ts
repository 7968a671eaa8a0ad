import type { Context, ErrorHandler, MiddlewareHandler, Next } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { AppEnv } from './env.ts'

/** An answer, or nothing. */
type Taken = Awaited<ReturnType<MiddlewareHandler>>

/** Work before the handler. It answers the request itself if it returns an answer, and refuses it if it throws. */
export type Step = (c: Context<AppEnv>) => Taken | Promise<Taken>

/** Work on the answer, once there is one. */
export type Finish = (c: Context<AppEnv>) => void | Promise<void>

export type Surroundings = {
  /** Begins each request. @returns ends it, whatever was thrown */
  readonly begin: (c: Context<AppEnv>) => () => void
  /** Answers what a step throws. What a handler throws is answered by the app. */
  readonly refuse: ErrorHandler<AppEnv>
  readonly finishes: readonly Finish[]
}

/** For a middleware of a library that works on one side of the handler alone, so that it is a step or a finish. */
export const noHandler: Next = () => Promise.resolve()

/** All of a request but its handler, as one middleware. As middlewares, each part would make promises of its own, which take time. */
export const inOrder = (steps: readonly Step[], { begin, refuse, finishes }: Surroundings) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const end = begin(c)
    try {
      const answer = await takeSteps(c, steps, refuse)
      if (answer) c.res = answer
      else await next()
      for (const finish of finishes) {
        const finished = finish(c)
        if (finished) await finished
      }
    } finally {
      end()
    }
  })

async function takeSteps(
  c: Context<AppEnv>,
  steps: readonly Step[],
  refuse: ErrorHandler<AppEnv>,
): Promise<Taken> {
  try {
    for (const step of steps) {
      const taken = step(c)
      const answer = taken instanceof Promise ? await taken : taken
      if (answer) return answer
    }
  } catch (error) {
    // A client that has left is no error.
    if (!(error instanceof Error)) throw error
    return refuse(error, c)
  }
}
