import type { Context } from 'hono'
import { csrfTokenOf } from '../../auth/csrf.ts'
import { issueNonce } from '../../auth/nonce.ts'
import { type SignInSettings, signIn } from '../../auth/sign-in.ts'
import {
  CONTRACT_SIGN_IN_RETRY_SECONDS,
  CONTRACT_SIGN_INS_MAX,
  CONTRACT_SIGN_INS_PER_CLIENT,
} from '../../auth/sign-in-limits.ts'
import type { Session } from '../../auth/token.ts'
import type { Config } from '../../config/config.ts'
import type { Deps } from '../../deps.ts'
import { formatTime } from '../../domain/time.ts'
import { CodedError, validationFailed } from '../../errors.ts'
import { requireSession } from '../../http/authenticate.ts'
import { requireSiteOrigin } from '../../http/csrf.ts'
import { deleteSessionCookie, hasCookieSession, setSessionCookie } from '../../http/session-cookie.ts'
import { boundNetworks, type ClientNetworks, clientNetworks } from '../../limits/client-address.ts'
import { createConcurrencyLimit } from '../../limits/concurrency-limit.ts'
import { revokeToken } from '../../store/revoked-tokens.ts'
import { createRouter } from '../shared/router.ts'
import { getNonce, getSession, logOut, verifySignIn } from './auth.routes.ts'

export function auth(deps: Deps, settings: SignInSettings) {
  const { clock, random, store, config } = deps
  const admit = limitContractSignIns()
  return createRouter()
    .openapi(getNonce, (c) => {
      const { nonce } = issueNonce(settings.secrets, random, Math.floor(clock() / 1000))
      return c.json({ nonce }, 200)
    })
    .openapi(verifySignIn, async (c) => {
      const networks = clientNetworks(c, config.trustedProxies)
      const outside = { ...deps, admit: () => admit(networks) }
      const { cookie = false, ...signed } = c.req.valid('json')
      if (cookie) requireCookies(c, config, settings)
      const { token, session } = await signIn(outside, settings, signed)
      const presented = presentSession(settings, session)
      if (!cookie) return c.json({ token, ...presented }, 200)
      setSessionCookie(c, config, token, session.expiresAt - session.issuedAt)
      return c.json({ ...presented, csrfToken: csrfTokenOf(settings.secrets, session) }, 201)
    })
    .openapi(getSession, (c) => {
      const session = requireSession(c)
      const csrf = hasCookieSession(c) && { csrfToken: csrfTokenOf(settings.secrets, session) }
      return c.json({ ...presentSession(settings, session), ...csrf }, 200)
    })
    .openapi(logOut, async (c) => {
      await revokeToken(store, requireSession(c))
      if (hasCookieSession(c)) deleteSessionCookie(c, config)
      return c.json({ status: 'signed-out' as const }, 200)
    })
}

function presentSession({ chainId }: SignInSettings, { wallet, issuedAt, expiresAt }: Session) {
  const [issued, expires] = [formatTime(BigInt(issuedAt)), formatTime(BigInt(expiresAt))]
  return { wallet, chainId, issuedAt: issued, expiresAt: expires }
}

/**
 * @throws `VALIDATION_FAILED` where sessions are not in cookies, `ORIGIN_NOT_ALLOWED` for a page that is not one of the
 * sites
 */
function requireCookies(c: Context, { sessionCookies }: Config, settings: SignInSettings): void {
  const message = 'must be false: this gateway sets no session cookies (SESSION_COOKIES)'
  if (!sessionCookies) throw validationFailed([{ path: 'cookie', message }])
  requireSiteOrigin(c, settings)
}

/** For this process: each of them runs code of the caller's choice at a node. */
function limitContractSignIns() {
  const retryAfter = CONTRACT_SIGN_IN_RETRY_SECONDS
  const refused = (code: 'TOO_MANY_SIGN_INS' | 'SIGN_INS_BUSY', detail: string) =>
    new CodedError(code, `${detail} Repeat the request in ${retryAfter} s: the nonce is unspent.`, {
      retryAfter,
    })
  const ofClient = (maximum: number) =>
    refused(
      'TOO_MANY_SIGN_INS',
      `${maximum} sign-ins of this client address wait for their wallet contracts; that is the maximum.`,
    )
  const ofAll = (maximum: number) =>
    refused('SIGN_INS_BUSY', `${maximum} sign-ins wait for their wallet contracts; that is the maximum.`)
  const { acquire } = createConcurrencyLimit()
  return (networks: ClientNetworks) =>
    acquire([
      ...boundNetworks(networks, { key: 'address', max: CONTRACT_SIGN_INS_PER_CLIENT, refuse: ofClient }),
      { key: 'all', max: CONTRACT_SIGN_INS_MAX, refuse: ofAll },
    ])
}
