import { toSecrets } from './auth/secrets.ts'
import type { SignInSettings } from './auth/sign-in.ts'
import { createBlockAsOf } from './chain/block-as-of.ts'
import { createLens } from './chain/lens.ts'
import type { Deps } from './deps.ts'
import { createReaders, payingOnce, readingFrom } from './graphql/serve/answer.ts'
import { createGraphql, GRAPHQL_METHODS, GRAPHQL_PATH } from './graphql/serve/endpoint.ts'
import { PLAYGROUND_ASSETS_PATH, playgroundAssets } from './graphql/serve/playground.ts'
import { explainMissing } from './head/explain-missing.ts'
import { createAsset, serveAssets, serveDocument } from './http/assets.ts'
import { createKeptAnswers, type KeptAnswers } from './http/kept-answers.ts'
import { methodsOf } from './http/methods.ts'
import { onError, onGraphqlError, onMethodNotAllowed, onNotFound } from './http/problem.ts'
import { requestMiddleware } from './http/request-middleware.ts'
import { declaredRules, type RouteRules } from './http/route-rules.ts'
import { sessionCookieName } from './http/session-cookie.ts'
import type { Metrics } from './metrics/metrics.ts'
import { describeApi } from './openapi/openapi.ts'
import { explorer, explorerRules } from './pages/explorer.ts'
import { pageRules, pages } from './pages/pages.ts'
import { reference } from './pages/reference.ts'
import { account } from './rest/accounts/account.ts'
import { activity } from './rest/accounts/activity.ts'
import { attestationCancellation } from './rest/attestations/attestation-cancellation.ts'
import { attestations } from './rest/attestations/attestations.ts'
import { registrations } from './rest/attestations/registrations.ts'
import { auth } from './rest/auth/auth.ts'
import { claims } from './rest/claims/claims.ts'
import { issuedClaims } from './rest/claims/issued-claims.ts'
import { credits } from './rest/credits/credits.ts'
import { executions } from './rest/executions/executions.ts'
import { executionsPrepare } from './rest/executions/executions-prepare.ts'
import { exports } from './rest/exports/exports.ts'
import { routes } from './rest/financing-routes/financing-routes.ts'
import { routeCancellation } from './rest/financing-routes/route-cancellation.ts'
import { health } from './rest/health/health.ts'
import { quotes } from './rest/quotes/quotes.ts'
import { revocations } from './rest/revocations/revocations.ts'
import { settlements } from './rest/settlements/settlements.ts'
import { createDownloads } from './rest/shared/download.ts'
import { statements } from './rest/statements/statements.ts'
import { transactions } from './rest/transactions/transactions.ts'
import { unfinalized } from './rest/unfinalized/unfinalized.ts'
import { deposits } from './rest/vaults/deposits.ts'
import { terms } from './rest/vaults/terms.ts'
import { vaults } from './rest/vaults/vaults.ts'
import { withdrawals } from './rest/vaults/withdrawals.ts'
import { createFollow } from './transactions/follow.ts'

const PUBLIC: RouteRules = { access: 'public', limit: 'default' }

/** Routes that the API's description leaves out. In GraphQL, only the field `viewer` requires a token. */
const UNDESCRIBED_ROUTES: readonly [string, RouteRules][] = [
  [`GET ${GRAPHQL_PATH}`, PUBLIC],
  [`POST ${GRAPHQL_PATH}`, PUBLIC],
  [`GET ${PLAYGROUND_ASSETS_PATH}/:file`, PUBLIC],
  ['GET /api/v1/openapi.json', PUBLIC],
  ['GET /docs', PUBLIC],
  ['GET /docs/openapi.json', PUBLIC],
  ['GET /docs/:file', PUBLIC],
  ...pageRules,
  ...explorerRules,
]

/** Creates the gateway: the steps of every request, then all routes. */
export function createApp(deps: Deps) {
  const { config, metrics } = deps
  const router = deps.deployment.contracts.financingRouter
  const settings = signInSettings(deps)
  const kept = createKeptAnswers(deps.watch, config.keptAnswersSize)
  if (metrics) exposeKept(metrics, kept)
  const rules = new Map(UNDESCRIBED_ROUTES)
  const app = requestMiddleware(deps, { rules, settings, graphqlPath: GRAPHQL_PATH }).createApp()
  app.route('/api/v1', auth(deps, settings))
  app.route('/api/v1', health(deps))
  const follow = createFollow(deps)
  const blockAsOf = createBlockAsOf(deps.chain, BigInt(deps.deployment.startBlock))
  const readerOf = createReaders({ ...deps, follow, blockAsOf })
  const reads = { readerOf, kept }
  app.route('/api/v1', account(reads))
  app.route('/api/v1', activity(reads))
  app.route('/api/v1', vaults(reads))
  app.route('/api/v1', issuedClaims(reads))
  app.route('/api/v1', claims(reads))
  app.route('/api/v1', executions(reads))
  app.route('/api/v1', unfinalized(deps))
  const download = createDownloads(deps)
  app.route(
    '/api/v1',
    exports({
      download,
      blockAsOf,
      readerOf: (c, snapshot) => readingFrom(payingOnce(readerOf(c)), snapshot),
    }),
  )
  app.route('/api/v1', statements({ download, chainId: deps.deployment.chainId }))
  app.route('/api/v1', attestations(deps))
  app.route('/api/v1', attestationCancellation(deps))
  app.route('/api/v1', registrations(deps))
  app.route('/api/v1', revocations(deps))
  app.route('/api/v1', settlements(deps))
  app.route('/api/v1', routeCancellation(deps))
  app.route('/api/v1', credits(deps))
  app.route('/api/v1', deposits(deps))
  app.route('/api/v1', withdrawals(deps))
  app.route('/api/v1', terms(deps))
  const lens = createLens(deps.chain, router)
  app.route('/api/v1', quotes({ ...deps, lens }))
  app.route('/api/v1', executionsPrepare({ ...deps, lens }))
  app.route('/api/v1', routes({ ...deps, lens }))
  app.route('/api/v1', transactions({ ...deps, follow }))
  const graphql = createGraphql(deps, readerOf, kept)
  app.on(GRAPHQL_METHODS, GRAPHQL_PATH, graphql)
  if (config.playground)
    app.get(`${PLAYGROUND_ASSETS_PATH}/:file`, serveAssets(playgroundAssets(config.demoWallets)))
  const description = describeApi(app, sessionCookieName(config))
  const document = createAsset('openapi', 'json', JSON.stringify(description))
  app.get('/api/v1/openapi.json', serveDocument(document))
  app.route(
    '/',
    pages(config, () => description),
  )
  if (config.explorerFolder !== undefined) app.route('/', explorer(config.explorerFolder, config.demoWallets))
  if (config.nodeEnv !== 'production')
    app.route(
      '/docs',
      reference(() => description),
    )

  for (const [route, declared] of declaredRules(app)) rules.set(route, declared)

  app.onError((thrown, c) =>
    (c.req.path === GRAPHQL_PATH ? onGraphqlError : onError)(explainMissing(deps, thrown), c),
  )
  app.notFound((c) => {
    const methods = c.req.path === GRAPHQL_PATH ? GRAPHQL_METHODS : methodsOf(app, c.req.path)
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
