import { OpenAPIHono } from '@hono/zod-openapi'
import type { ErrorHandler } from 'hono'
import { TrieRouter } from 'hono/router/trie-router'
import { toSecrets } from './auth/secrets.ts'
import type { SignInSettings } from './auth/sign-in.ts'
import { createLens } from './chain/lens.ts'
import type { Deps } from './deps.ts'
import { PLAYGROUND_ASSETS_PATH, playgroundAssets } from './graphql/playground.ts'
import { createGraphql, GRAPHQL_PATH } from './graphql/yoga.ts'
import type { Metrics } from './metrics/metrics.ts'
import { beginHeaders, completeHeaders } from './middleware/answer-headers.ts'
import { serveAssets } from './middleware/assets.ts'
import { authenticate, guard, refuseRevoked } from './middleware/authenticate.ts'
import { bodyLimit, bodyShape } from './middleware/body-limit.ts'
import { conditional } from './middleware/conditional.ts'
import { cors, EXPOSED_HEADERS, varyOf } from './middleware/cors.ts'
import type { AppEnv, RouteRules } from './middleware/env.ts'
import { headerLimits } from './middleware/header-limits.ts'
import { keepMatches } from './middleware/keep-matches.ts'
import { keepReads } from './middleware/keep-reads.ts'
import { createKeptAnswers, type KeptAnswers } from './middleware/kept-answers.ts'
import { requestLog } from './middleware/log.ts'
import { methodsOf } from './middleware/methods.ts'
import { minBlock } from './middleware/min-block.ts'
import { onError, onGraphqlError, onMethodNotAllowed, onNotFound } from './middleware/problem.ts'
import { addressCeiling, rateLimit } from './middleware/rate-limit.ts'
import { refuseQuery } from './middleware/refuse-query.ts'
import { declaredRules, findRules, toRule } from './middleware/route-rules.ts'
import { SECURITY_HEADERS } from './middleware/security-headers.ts'
import { sessionCookieName } from './middleware/session-cookie.ts'
import { inOrder } from './middleware/steps.ts'
import { traceRequests } from './middleware/trace.ts'
import { describeApi } from './openapi.ts'
import { pageRoutes } from './pages/pages.routes.ts'
import { pages } from './pages/pages.ts'
import { reference } from './pages/reference.ts'
import { account } from './rest/account.ts'
import { activity } from './rest/activity.ts'
import { attestationCancellation } from './rest/attestation-cancellation.ts'
import { attestations } from './rest/attestations.ts'
import { auth } from './rest/auth.ts'
import { claims } from './rest/claims.ts'
import { credits } from './rest/credits.ts'
import { executions } from './rest/executions.ts'
import { executionsPrepare } from './rest/executions-prepare.ts'
import { exports } from './rest/exports.ts'
import { routes } from './rest/financing-routes.ts'
import { health } from './rest/health.ts'
import { impairments } from './rest/impairments.ts'
import { issuedClaims } from './rest/issued-claims.ts'
import { quotes } from './rest/quotes.ts'
import { registrations } from './rest/registrations.ts'
import { revocations } from './rest/revocations.ts'
import { routeCancellation } from './rest/route-cancellation.ts'
import { settlements } from './rest/settlements.ts'
import { transactions } from './rest/transactions.ts'
import { vaults } from './rest/vaults.ts'
import { createFollow } from './transactions/follow.ts'

const PUBLIC: RouteRules = { access: 'public', limit: 'default' }

/** Routes that the API's description leaves out. Of GraphQL, `viewer` itself requires a token. */
const UNDESCRIBED_ROUTES: readonly [string, RouteRules][] = [
  [`GET ${GRAPHQL_PATH}`, PUBLIC],
  [`POST ${GRAPHQL_PATH}`, PUBLIC],
  [`OPTIONS ${GRAPHQL_PATH}`, PUBLIC],
  [`GET ${PLAYGROUND_ASSETS_PATH}/:file`, PUBLIC],
  ['GET /api/v1/openapi.json', PUBLIC],
  ['GET /docs', PUBLIC],
  ['GET /docs/openapi.json', PUBLIC],
  ['GET /docs/:file', PUBLIC],
  ...pageRoutes.map(toRule),
]

/** The gateway: what every request passes through, then the map of all that is served. */
export function createApp(deps: Deps) {
  const { config, log, clock, metrics, tracing } = deps
  const router = deps.deployment.contracts.financingRouter
  const settings = signInSettings(deps)
  const kept = createKeptAnswers(deps.watch, config.keptAnswersSize)
  if (metrics) exposeKept(metrics, kept)
  const app = new OpenAPIHono<AppEnv>({ router: keepMatches(new TrieRouter()) })
  const rules = new Map(UNDESCRIBED_ROUTES)
  const refuse: ErrorHandler<AppEnv> = (thrown, c) =>
    (c.req.path === GRAPHQL_PATH ? onGraphqlError : onError)(thrown, c)
  if (tracing) app.use(traceRequests(tracing))
  app.use(
    inOrder(
      [
        beginHeaders({
          ...SECURITY_HEADERS,
          Vary: varyOf(config),
          'Access-Control-Expose-Headers': EXPOSED_HEADERS,
        }),
        findRules(rules),
        cors(config),
        authenticate(settings, config, clock),
        addressCeiling(deps),
        refuseRevoked(deps.store),
        rateLimit(deps),
        guard,
        headerLimits,
        refuseQuery,
        bodyLimit(config.bodyLimitBytes),
        bodyShape(GRAPHQL_PATH),
        minBlock(deps),
        keepReads(kept),
      ],
      { begin: requestLog(log, clock, metrics), refuse, finishes: [conditional(), completeHeaders] },
    ),
  )

  app.route('/api/v1', auth(deps, settings))
  app.route('/api/v1', health(deps))
  app.route('/api/v1', account(deps))
  app.route('/api/v1', activity())
  app.route('/api/v1', vaults())
  app.route('/api/v1', issuedClaims(deps))
  app.route('/api/v1', claims(deps))
  app.route('/api/v1', executions(deps))
  const follow = createFollow(deps)
  app.route('/api/v1', exports({ ...deps, follow }))
  app.route('/api/v1', attestations(deps))
  app.route('/api/v1', attestationCancellation(deps))
  app.route('/api/v1', registrations(deps))
  app.route('/api/v1', revocations(deps))
  app.route('/api/v1', impairments(deps))
  app.route('/api/v1', settlements(deps))
  app.route('/api/v1', routeCancellation(deps))
  app.route('/api/v1', credits(deps))
  const lens = createLens(deps.chain, router)
  app.route('/api/v1', quotes({ ...deps, lens }))
  app.route('/api/v1', executionsPrepare({ ...deps, lens }))
  app.route('/api/v1', routes({ ...deps, lens }))
  app.route('/api/v1', transactions({ ...deps, follow }))
  const graphql = createGraphql({ ...deps, follow }, kept)
  app.on(['GET', 'POST', 'OPTIONS'], GRAPHQL_PATH, graphql)
  if (config.playground) app.get(`${PLAYGROUND_ASSETS_PATH}/:file`, serveAssets(playgroundAssets))
  app.get('/api/v1/openapi.json', (c) => c.json(description))
  app.route(
    '/',
    pages(config, () => description),
  )
  if (config.nodeEnv !== 'production')
    app.route(
      '/docs',
      reference(() => description),
    )

  const description = describeApi(app, sessionCookieName(config))
  for (const [route, declared] of declaredRules(app)) rules.set(route, declared)

  app.onError(refuse)
  app.notFound((c) => {
    const methods = methodsOf(app, c.req.path)
    return methods.length > 0 ? onMethodNotAllowed(c, methods) : onNotFound(c)
  })
  return app
}

function exposeKept({ counter, gauge }: Metrics, { counts }: KeptAnswers): void {
  counter('gateway_kept_answer_hits_total', 'Requests that a kept answer answered.', () => counts().hits)
  counter('gateway_kept_answer_misses_total', 'Requests that none answered.', () => counts().misses)
  gauge('gateway_kept_answer_bytes', 'Bytes of the kept answers and their requests.', () => counts().size)
}

function signInSettings({ config, random, log }: Deps): SignInSettings {
  if (config.authSecrets.length === 0)
    log.warn('AUTH_SECRETS is not set: tokens are good until this process ends')
  return {
    secrets: toSecrets(config.authSecrets, random),
    issuer: config.tokenIssuer,
    audience: config.tokenAudience,
    chainId: config.chainId,
    siteOrigins: config.siteOrigins,
  }
}
