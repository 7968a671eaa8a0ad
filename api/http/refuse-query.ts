import { validationFailed } from '../errors.ts'
import { defineMiddleware } from './define-middleware.ts'
import type { RouteVariables } from './route-rules.ts'

/**
 * Refuses the parameters of a query with `VALIDATION_FAILED` where the route has none.
 *
 * @example
 * startChain().use(routeRules(rules)).use(refuseQuery())
 */
export const refuseQuery = () =>
  defineMiddleware<object, RouteVariables>(async (c, next) => {
    const names = c.get('rules').hasNoQuery ? Object.keys(c.req.query()) : []
    if (names.length > 0) throw validationFailed(names.map(unknownField))
    await next()
  })

/** As every schema reports it. @param path name of the parameter or the field */
export const unknownField = (path: string) => ({ path, message: 'is unknown; remove it' })
