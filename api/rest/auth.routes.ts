import { z } from '@hono/zod-openapi'
import { MESSAGE_LENGTH_MAX } from '../auth/limits.ts'
import { address } from '../domain/address.ts'
import { time } from '../domain/time.ts'
import { noQuery, okJson } from './answer.ts'
import { defineRoute } from './define-route.ts'
import { problems, tokenProblems } from './problems.ts'
import { signatureInput } from './signature.ts'

const nonce = z.string().openapi({
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
      'Put it in a Sign-In with Ethereum message (EIP-4361) for this site and chain, have the wallet sign the message, and send message and signature to `POST /auth/verify`.',
    request: { query: noQuery },
    responses: {
      ...okJson('The nonce.', z.object({ nonce }).openapi('Nonce')),
      ...problems('VALIDATION_FAILED', 'RATE_LIMITED', 'INTERNAL'),
    },
  },
)

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
  })
  .openapi('SignedMessage')

const token = z.string().openapi({
  description: 'A JWT, valid for one hour. Send it as `Authorization: Bearer <token>`.',
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
      'A nonce is valid for one token, or for one signature that is checked on chain because the key of the address did not make it. All other refusals leave it unused. The message may have a statement, a request id, resources, a Not Before and an Expiration Time. The tolerance for times is 30 seconds.',
    request: {
      query: noQuery,
      body: { required: true, content: { 'application/json': { schema: signedMessage } } },
    },
    responses: {
      ...okJson('The token.', z.object({ token }).openapi('AccessToken')),
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
    request: { query: noQuery },
    responses: {
      ...okJson(
        'The session.',
        z.object({ wallet: address, chainId: z.int(), issuedAt: time, expiresAt: time }).openapi('Session'),
      ),
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
      'Revokes the token of the request and no other of the wallet. Later requests with it, this one included, are a 401 with the reason `TOKEN_REVOKED`. Takes no body.',
    request: { query: noQuery },
    responses: {
      ...okJson('The token is revoked.', z.object({ status: z.literal('signed-out') }).openapi('SignedOut')),
      ...problems('VALIDATION_FAILED', ...tokenProblems),
    },
  },
)
