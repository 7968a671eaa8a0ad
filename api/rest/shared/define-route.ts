import { createRoute, type RouteConfig } from '@hono/zod-openapi'
import { type RouteRules, withRules } from '../../http/route-rules.ts'
import { optionalBody } from './optional-body.ts'

/**
 * Defines a route with its rules, from which the guard, the rate limiter, `/api/v1/openapi.json` and the tables of
 * docs/rest.md derive.
 */
export function defineRoute<
  Path extends string,
  Route extends Omit<RouteConfig, 'path' | 'security'> & { path: Path },
>(rules: RouteRules, route: Route) {
  const all = { ...rules, hasNoQuery: route.request?.query === undefined }
  return withRules(Object.assign(createRoute<Path, Route>(route), optionalBody(route)), all)
}
