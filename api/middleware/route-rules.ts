/** Rules that each route declares. The guard, the limiter and the OpenAPI document derive from them. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { matchedRoutes } from 'hono/route'
import { METHOD_NAME_ALL } from 'hono/router'
import type { RouterRoute } from 'hono/types'
import type { AppEnv, RouteRules } from './env.ts'
import type { Step } from './steps.ts'

/** Rules by method and path as registered: `GET /api/v1/claims/:claimId`. */
export type RulesByRoute = ReadonlyMap<string, RouteRules>

/** Key of the rules on a route's definition: a symbol, which JSON leaves out of the API's description. */
const RULES = Symbol('rules')

export function withRules<Route extends object>(route: Route, rules: RouteRules): Route {
  return Object.assign(route, { [RULES]: rules })
}

/** The rules of a route's definition, or of the operation that describes it. @throws Error for a route without rules */
export function rulesOf(route: object): RouteRules {
  if (hasRules(route)) return route[RULES]
  throw new Error('A route has no rules. Define it with defineRoute.')
}

function hasRules(route: object): route is { [RULES]: RouteRules } {
  return RULES in route
}

/** The rules of all routes that the app describes. */
export function declaredRules(app: OpenAPIHono<AppEnv>): [string, RouteRules][] {
  return app.openAPIRegistry.definitions.flatMap((definition): [string, RouteRules][] => {
    if (definition.type !== 'route') return []
    return [toRule(definition.route)]
  })
}

/** The route as registered, and its rules. */
export function toRule(route: { method: string; path: string }): [string, RouteRules] {
  return [`${route.method.toUpperCase()} ${toPattern(route.path)}`, rulesOf(route)]
}

/** `/claims/{claimId}` of OpenAPI as `/claims/:claimId` of the router. */
function toPattern(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}

/** No route matches: the answer is a 404 or a 405, with or without a token. */
const NO_ROUTE: RouteRules = { access: 'public', limit: 'default' }
/** Access fails closed for a route that was registered without rules. */
const UNDECLARED: RouteRules = { access: 'wallet', limit: 'default' }

/** Sets the rules of the route that answers. Where several match, all of them must be public for the request to be. */
export function findRules(byRoute: RulesByRoute): Step {
  const rulesOfRoute = createLookup(byRoute)
  return (c) => {
    let first: Ruled | undefined
    let isPublic = true
    for (const route of matchedRoutes(c)) {
      const ruled = rulesOfRoute(route)
      if (!ruled) continue
      first ??= ruled
      isPublic &&= ruled.rules.access === 'public'
    }
    const { name, rules } = first ?? NONE
    c.set('route', name)
    c.set('rules', isPublic ? rules : { ...rules, access: 'wallet' })
  }
}

/** A route by the method and path that it was registered with. */
type Ruled = { readonly name: string; readonly rules: RouteRules }

const NONE: Ruled = { name: '(none)', rules: NO_ROUTE }

/** @returns finds the rules of an endpoint, or of middleware that is not for every request: it too must have rules. Null for any other */
function createLookup(byRoute: RulesByRoute): (route: RouterRoute) => Ruled | null {
  const found = new WeakMap<RouterRoute, Ruled | null>()
  const find = (route: RouterRoute): Ruled | null => {
    if (isForEveryRequest(route)) return null
    const name = `${route.method} ${route.path}`
    return { name, rules: byRoute.get(name) ?? UNDECLARED }
  }
  return (route) => {
    const known = found.get(route)
    if (known !== undefined) return known
    const ruled = find(route)
    found.set(route, ruled)
    return ruled
  }
}

/** Path under which middleware for every request is registered. */
const EVERYWHERE = '/*'

/** A handler without the parameter `next` answers every request: it is an endpoint. */
function isForEveryRequest({ method, path, handler }: RouterRoute): boolean {
  return method === METHOD_NAME_ALL && path === EVERYWHERE && handler.length === 2
}
