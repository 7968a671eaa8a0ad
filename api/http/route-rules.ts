/** Rules that each route declares. The guard, the limiter and the OpenAPI document derive from them. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { matchedRoutes } from 'hono/route'
import type { RatePolicy } from '../config/config.ts'
import { defineMiddleware, isChained } from './define-middleware.ts'

/** Rules that a route declares. */
export type RouteRules = {
  /** `wallet` requires a valid token (interface specification, section 5.5). */
  readonly access: 'public' | 'wallet'
  /**
   * The rate limit that a request counts against. `none` is for probes: orchestrators send many, and stop a process
   * that refuses them.
   */
  readonly limit: RatePolicy | 'none'
  /**
   * The block that `X-Min-Block` refers to: the projected one, or the finalized one of the chain. Default: the header
   * has no effect.
   */
  readonly minBlock?: 'projection' | 'chain'
  /** Whether answers have an `ETag` and name the finalized block in `X-Finalized-Through`. Default: no. */
  readonly isConditional?: boolean
  /**
   * Whether the route has no parameters of a query, so that any is refused: a misspelt one would go unnoticed. Default:
   * no.
   */
  readonly hasNoQuery?: boolean
}

/** Rules by method and path as registered: `GET /api/v1/claims/:claimId`. */
export type RulesByRoute = ReadonlyMap<string, RouteRules>

/** Key of the rules on a route's definition: a symbol, which JSON leaves out of the API's description. */
const RULES = Symbol('rules')

export function withRules<Route extends object>(route: Route, rules: RouteRules): Route {
  return Object.assign(route, { [RULES]: rules })
}

/**
 * Returns the rules of a route's definition, or of the operation that describes it. @throws Error for a route without
 * rules
 */
export function rulesOf(route: object): RouteRules {
  if (hasRules(route)) return route[RULES]
  throw new Error('A route has no rules. Define it with defineRoute.')
}

function hasRules(route: object): route is { [RULES]: RouteRules } {
  return RULES in route
}

/** Returns the rules of all routes that the app describes, by method and path as registered. */
export function declaredRules({
  openAPIRegistry,
}: Pick<OpenAPIHono, 'openAPIRegistry'>): [string, RouteRules][] {
  return openAPIRegistry.definitions.flatMap((definition): [string, RouteRules][] => {
    if (definition.type !== 'route') return []
    const { method, path } = definition.route
    return [[`${method.toUpperCase()} ${toPattern(path)}`, rulesOf(definition.route)]]
  })
}

/** `/claims/{claimId}` of OpenAPI as `/claims/:claimId` of the router. */
function toPattern(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}

/** No route matches: the answer is a 404 or a 405, with or without a token. */
const NO_ROUTE: RouteRules = { access: 'public', limit: 'default' }
/** Access fails closed for a route that was registered without rules. */
const UNDECLARED: RouteRules = { access: 'wallet', limit: 'default' }

export type RouteVariables = {
  /** Method and path of the route that answers, as registered; `(none)` where there is none. */
  route: string
  /** Rules of the route that answers. */
  rules: RouteRules
}

/**
 * Sets the rules of the route that answers. Where several match, all of them must be public for the request to be.
 *
 * @param byRoute read at each request, so routes may be added after this is called
 *
 * @example
 * startChain().use(routeRules(new Map([['GET /claims', { access: 'public', limit: 'default' }]])))
 */
export function routeRules(byRoute: RulesByRoute) {
  return defineMiddleware<RouteVariables>(async (c, next) => {
    const endpoints = matchedRoutes(c).filter(({ handler }) => !isChained(handler))
    const ruled = endpoints.map(({ method, path }) => {
      const route = `${method} ${path}`
      return { route, rules: byRoute.get(route) ?? UNDECLARED }
    })
    const { route, rules } = ruled[0] ?? NONE
    const isPublic = ruled.every((one) => one.rules.access === 'public')
    await next({ route, rules: isPublic ? rules : { ...rules, access: 'wallet' } })
  })
}

const NONE: RouteVariables = { route: '(none)', rules: NO_ROUTE }
