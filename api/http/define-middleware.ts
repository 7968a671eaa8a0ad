/**
 * Middleware that states in its type which variables of a request it reads and which it sets, and the order in which
 * requests pass it.
 */
import type { HttpBindings } from '@hono/node-server'
import { OpenAPIHono } from '@hono/zod-openapi'
import type { Context, MiddlewareHandler } from 'hono'

/** A request with its connection, unless a test calls the app itself, and these variables. */
export type EnvWith<Variables extends object> = { Bindings: Partial<HttpBindings>; Variables: Variables }

/** A middleware of Hono. Both properties exist in types only. */
export type Middleware<Sets extends object = object, Needs extends object = object> = MiddlewareHandler & {
  readonly sets?: Sets
  readonly needs?: (variables: Needs) => void
}

/** Continues with the next middleware, given the variables that this one sets. */
type Next<Sets extends object> = (...variables: keyof Sets extends never ? [] : [Sets]) => Promise<void>

type Work<Sets extends object, Needs extends object> = (
  c: Context<EnvWith<Needs & Partial<Sets>>>,
  next: Next<Sets>,
) => ReturnType<MiddlewareHandler>

/**
 * Makes a middleware that reads the variables `Needs` and cannot continue without the variables `Sets`.
 *
 * @example
 * const greeting = () =>
 *   defineMiddleware<{ greeting: string }, { requestId: string }>(async (c, next) => {
 *     await next({ greeting: `Hello, ${c.get('requestId')}` })
 *   })
 */
export function defineMiddleware<Sets extends object = object, Needs extends object = object>(
  work: Work<Sets, Needs>,
): Middleware<Sets, Needs> {
  return (c, next) =>
    work(c, async (...[variables]) => {
      if (variables) for (const [name, value] of Object.entries(variables)) c.set(name, value)
      await next()
    })
}

export type MiddlewareChain<Given extends object> = {
  /** Appends a middleware. One that needs a variable which none before it sets does not compile. */
  readonly use: <Sets extends object>(middleware: Middleware<Sets, Given>) => MiddlewareChain<Given & Sets>
  /** @returns an app whose requests pass the middleware; its handlers may read the variables */
  readonly createApp: () => OpenAPIHono<EnvWith<Given>>
}

/** The environment of the requests that have passed a chain. */
export type EnvOf<Chain> = Chain extends MiddlewareChain<infer Given> ? EnvWith<Given> : never

/**
 * Starts a chain of middleware.
 *
 * @example
 * const app = startChain().use(requestId()).use(greeting()).createApp()
 * app.get('/', (c) => c.text(c.get('greeting')))
 */
export function startChain(): MiddlewareChain<object> {
  return continueChain<object>([])
}

function continueChain<Given extends object>(handlers: readonly MiddlewareHandler[]): MiddlewareChain<Given> {
  return {
    use: <Sets extends object>(middleware: Middleware<Sets, Given>) =>
      continueChain<Given & Sets>([...handlers, middleware]),
    createApp: () => {
      const app = new OpenAPIHono<EnvWith<Given>>()
      for (const handler of handlers) {
        chained.add(handler)
        app.use(handler)
      }
      return app
    },
  }
}

/** Handlers that every request passes. */
const chained = new WeakSet<object>()

/** Whether the handler is a middleware of a chain, and therefore no endpoint. */
export function isChained(handler: object): boolean {
  return chained.has(handler)
}
