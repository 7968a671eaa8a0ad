import { z } from '@hono/zod-openapi'
import { NONCE, NONCE_LENGTH } from '../../auth/nonce.ts'
import { MESSAGE_LENGTH_MAX } from '../../auth/sign-in-limits.ts'
import { TOKEN_LENGTH } from '../../auth/token.ts'
import { address } from '../../domain/address.ts'
import { chainIdNumber } from '../../domain/integer.ts'
import { time } from '../../domain/time.ts'
import { okJson } from '../shared/answer.ts'
import { defineRoute } from '../shared/define-route.ts'
import { problems, tokenProblems } from '../shared/problems.ts'
import { signatureInput } from '../shared/signature.ts'

const nonce = z.string().regex(NONCE).max(NONCE_LENGTH).openapi({
  description: 'Alphanumeric (EIP-4361). Valid for 5 minutes and for one sign-in.',
  example: '6f1e2d3c4b5a69788796a5b4c3d2e1f0006a5b4c3d0123456789abcdef0123456789abcdef',
})

export const getNonce = defineRoute(
  { access: 'public', limit: 'sign-in' },
  {
    method: 'get',
    path: '/auth/nonce',
    tags: ['Sign-in'],
    operationId: 'getNonce',
    summary: 'Create a nonce for a sign-in message',
    description:
      'Build a Sign-In with Ethereum message (EIP-4361) for the site and chain with this nonce, let the wallet sign it, and send message and signature to `POST /auth/verify`.',
    responses: {
      ...okJson('The nonce.', z.object({ nonce }).openapi('Nonce')),
      ...problems('VALIDATION_FAILED', 'RATE_LIMITED', 'INTERNAL'),
    },
  },
)

const ignored = z
  .unknown()
  .optional()
  .openapi({ description: 'Ignored. Reown AppKit sends it beside message and signature.' })

const signedMessage = z
  .strictObject({
    message: z
      .string()
      .min(1, 'must be the message that the wallet signed')
      .max(MESSAGE_LENGTH_MAX, `must have ${MESSAGE_LENGTH_MAX} characters at most`)
      .openapi({
        description: 'The EIP-4361 message, exactly as it was signed.',
        example:
          'app.example wants you to sign in with your Ethereum account:\n0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266\n\n\nURI: https://app.example\nVersion: 1\nChain ID: 31337\nNonce: 6f1e2d3c4b5a69788796a5b4c3d2e1f0006a5b4c3d0123456789abcdef0123456789abcdef\nIssued At: 2026-01-31T12:00:00.000Z',
      }),
    signature: signatureInput.openapi({
      description:
        'Signature of a key (65 bytes), of a contract wallet (ERC-1271), or of one that is not deployed (ERC-6492) or delegated (ERC-8010) yet.',
    }),
    cookie: z.boolean().optional().openapi({
      description:
        'Whether the answer sets the session as an HttpOnly cookie instead of returning a token. The gateway must have session cookies, and the request the `Origin` of a site. Default: false.',
    }),
    // A session of Reown AppKit (SIWX), which its SIWE adapter passes to `verifyMessage` whole, has `data`, and `cacao`
    // with WalletConnect.
    data: ignored,
    cacao: ignored,
    // AppKit's `ReownAuthentication` sends these with a session. The message has all that counts.
    clientId: ignored,
    walletInfo: ignored,
  })
  .openapi('SignedMessage')

const token = z
  .string()
  .regex(/^[\w-]+\.[\w-]+\.[\w-]+$/)
  .max(TOKEN_LENGTH)
  .openapi({ description: 'A JWT, valid for one hour. Send it as `Authorization: Bearer <token>`.' })

const session = {
  wallet: address.openapi({ description: 'Wallet that signed in, lowercase.' }),
  chainId: chainIdNumber.openapi({ description: 'Chain of the session.' }),
  issuedAt: time.openapi({ description: 'Time of the sign-in, by the clock of the gateway.' }),
  expiresAt: time.openapi({ description: 'Time from which the token is refused.' }),
}

/** Characters of the header: the token, with the name and the attributes of the cookie. */
const SET_COOKIE_LENGTH = TOKEN_LENGTH + 128

const csrfToken = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .max(64)
  .openapi({
    description: 'Value of `X-CSRF-Token` for every request of the session except reads by GET.',
  })

export const verifySignIn = defineRoute(
  { access: 'public', limit: 'sign-in' },
  {
    method: 'post',
    path: '/auth/verify',
    tags: ['Sign-in'],
    operationId: 'verifySignIn',
    summary: 'Create a token for the wallet that signed the message',
    description:
      'A nonce is valid for one token, or for one signature that is checked on chain because the key of the address did not make it. All other refusals leave it unused. The domain of the message is the host of a site that the service accepts; its URI is any address of that site, such as the page that the user sees. The message may have a statement, a request id, resources, a Not Before and an Expiration Time. The tolerance for times is 120 seconds.',
    request: {
      body: { required: true, content: { 'application/json': { schema: signedMessage } } },
    },
    responses: {
      ...okJson('The token.', z.object({ token, ...session }).openapi('AccessToken')),
      201: {
        description: 'The session is in the cookie of this answer, as `cookie` requests.',
        headers: {
          'Set-Cookie': {
            schema: { type: 'string', maxLength: SET_COOKIE_LENGTH },
            description: 'The session.',
          },
        },
        content: {
          'application/json': { schema: z.object({ ...session, csrfToken }).openapi('CookieSession') },
        },
      },
      ...problems(
        'VALIDATION_FAILED',
        'SIWE_MESSAGE_INVALID',
        'SIWE_DOMAIN_MISMATCH',
        'SIWE_URI_MISMATCH',
        'SIWE_CHAIN_MISMATCH',
        'SIWE_MESSAGE_EXPIRED',
        'SIWE_MESSAGE_NOT_YET_VALID',
        'NONCE_INVALID',
        'NONCE_EXPIRED',
        'SIWE_SIGNATURE_INVALID',
        'NONCE_USED',
        'PAYLOAD_TOO_LARGE',
        'UNSUPPORTED_MEDIA_TYPE',
        'RATE_LIMITED',
        'TOO_MANY_SIGN_INS',
        'INTERNAL',
        'DATABASE_UNAVAILABLE',
        'SIGN_INS_BUSY',
        'CHAIN_UNAVAILABLE',
      ),
    },
  },
)

export const getSession = defineRoute(
  { access: 'wallet', limit: 'default' },
  {
    method: 'get',
    path: '/auth/me',
    tags: ['Sign-in'],
    operationId: 'getSession',
    summary: 'Read the session of the token',
    description: 'The answer has the `csrfToken` if the session is in a cookie.',
    responses: {
      ...okJson('The session.', z.object({ ...session, csrfToken: csrfToken.optional() }).openapi('Session')),
      ...problems('VALIDATION_FAILED', ...tokenProblems),
    },
  },
)

export const logOut = defineRoute(
  { access: 'wallet', limit: 'default' },
  {
    method: 'post',
    path: '/auth/logout',
    tags: ['Sign-in'],
    operationId: 'logOut',
    summary: 'End the session at all replicas',
    description:
      'The token of the request is revoked; other tokens of the wallet stay valid. Later requests with this token, including further logouts, get a 401 with the reason `TOKEN_REVOKED`. A cookie that carries the token is deleted. The request has no body.',
    responses: {
      ...okJson('The token is revoked.', z.object({ status: z.literal('signed-out') }).openapi('SignedOut')),
      ...problems('VALIDATION_FAILED', ...tokenProblems),
    },
  },
)
