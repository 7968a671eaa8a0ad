import {
  CONTRACT_SIGN_IN_RETRY_SECONDS,
  CONTRACT_SIGN_INS_MAX,
  CONTRACT_SIGN_INS_PER_CLIENT,
} from '../auth/limits.ts'
import { issueNonce } from '../auth/nonce.ts'
import { type SignInSettings, signIn } from '../auth/sign-in.ts'
import type { Deps } from '../deps.ts'
import { formatTime } from '../domain/time.ts'
import { CodedError } from '../errors.ts'
import { requireSession } from '../middleware/authenticate.ts'
import { clientAddress } from '../middleware/client-address.ts'
import { createConcurrencyLimit } from '../middleware/concurrency-limit.ts'
import { revokeToken } from '../store/revoked-tokens.ts'
import { getNonce, getSession, logOut, verifySignIn } from './auth.routes.ts'
import { createRouter } from './router.ts'

const NOT_STORED = { 'Cache-Control': 'no-store' }

export function auth(deps: Deps, settings: SignInSettings) {
  const { clock, random, store, config } = deps
  const admit = limitContractSignIns()
  return createRouter()
    .openapi(getNonce, (c) => {
      const { nonce } = issueNonce(settings.secrets, random, Math.floor(clock() / 1000))
      return c.json({ nonce }, 200, NOT_STORED)
    })
    .openapi(verifySignIn, async (c) => {
      const client = clientAddress(c, config.trustedProxies)
      const outside = { ...deps, admit: () => admit(client) }
      const { token } = await signIn(outside, settings, c.req.valid('json'))
      return c.json({ token }, 200, NOT_STORED)
    })
    .openapi(getSession, (c) => {
      const { wallet, issuedAt, expiresAt } = requireSession(c)
      const session = { issuedAt: formatTime(BigInt(issuedAt)), expiresAt: formatTime(BigInt(expiresAt)) }
      return c.json({ wallet, chainId: settings.chainId, ...session }, 200, NOT_STORED)
    })
    .openapi(logOut, async (c) => {
      await revokeToken(store, requireSession(c))
      return c.json({ status: 'signed-out' as const }, 200, NOT_STORED)
    })
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
  return (client: string) =>
    acquire([
      { key: `address ${client}`, max: CONTRACT_SIGN_INS_PER_CLIENT, refuse: ofClient },
      { key: 'all', max: CONTRACT_SIGN_INS_MAX, refuse: ofAll },
    ])
}
