import { defineMiddleware } from './define-middleware.ts'

export type RequestIdVariables = {
  /** The caller's `X-Request-Id` when well-formed, else made here; logged and returned with every answer. */
  requestId: string
}

const WELL_FORMED = /^[\w\-=]{1,255}$/

/**
 * Gives each request an id and returns it as `X-Request-Id`. `hono/request-id` returns it only with answers that
 * handlers make by their context.
 *
 * @example
 * startChain().use(requestId())
 */
export const requestId = () =>
  defineMiddleware<RequestIdVariables>(async (c, next) => {
    const own = c.req.header('X-Request-Id')
    const id = own !== undefined && WELL_FORMED.test(own) ? own : crypto.randomUUID()
    await next({ requestId: id })
    c.res.headers.set('X-Request-Id', id)
  })
