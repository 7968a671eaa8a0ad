import { issueNonce } from '../auth/nonce.ts'
import { type SignInSettings, signIn } from '../auth/sign-in.ts'
import type { Deps } from '../deps.ts'
import { formatTime } from '../domain/time.ts'
import { requireSession } from '../middleware/authenticate.ts'
import { getNonce, getSession, verifySignIn } from './auth.routes.ts'
import { createRouter } from './router.ts'

const NOT_STORED = { 'Cache-Control': 'no-store' }

export function auth(deps: Deps, settings: SignInSettings) {
  const { clock, random } = deps
  return createRouter()
    .openapi(getNonce, (c) => {
      const { nonce } = issueNonce(settings.secrets, random, Math.floor(clock() / 1000))
      return c.json({ nonce }, 200, NOT_STORED)
    })
    .openapi(verifySignIn, async (c) => {
      const { token } = await signIn(deps, settings, c.req.valid('json'))
      return c.json({ token }, 200, NOT_STORED)
    })
    .openapi(getSession, (c) => {
      const { wallet, issuedAt, expiresAt } = requireSession(c)
      const session = { issuedAt: formatTime(BigInt(issuedAt)), expiresAt: formatTime(BigInt(expiresAt)) }
      return c.json({ wallet, chainId: settings.chainId, ...session }, 200, NOT_STORED)
    })
}
