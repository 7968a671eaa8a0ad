/** Settings that are valid one by one, but with which the gateway does not start. */
import { isEveryAddress } from '../../nodes/public-address.ts'
import { SECRET_BYTES_MIN } from '../../settings/formats.ts'
import type { GatewaySettings } from '../../settings/gateway/index.ts'
import { isInsecureOrigin } from '../domain/origin.ts'

/**
 * Minimum number of different characters of a secret. 32 random bytes in hex have fewer with a probability of 10^-18;
 * in Base64 they never do.
 */
const SECRET_CHARACTERS_MIN = 8
const PLACEHOLDER = /change.?me|example|placeholder|replace.?(?:me|this)|password/i

/** Fault in words that follow the name of the variable, without the value of a secret. */
export type Refusal = { variable: string; message: string }

export function refusalsOf(set: GatewaySettings): Refusal[] {
  const found = [metricsPort(set), missingDocuments(set), demoWallets(set)]
  if (set.NODE_ENV === 'production')
    found.push(missingSecret(set), guessableSecret(set), missingSite(set), insecureSite(set))
  return found.filter((refusal) => refusal !== undefined)
}

/** The API and the metrics need different addresses. Port 0 stands for any free port. */
function metricsPort({
  HOST,
  PORT,
  GATEWAY_METRICS_HOST,
  GATEWAY_METRICS_PORT,
}: GatewaySettings): Refusal | undefined {
  const meet = HOST === GATEWAY_METRICS_HOST || [HOST, GATEWAY_METRICS_HOST].some(isEveryAddress)
  if (PORT === 0 || PORT !== GATEWAY_METRICS_PORT || !meet) return undefined
  return {
    variable: 'GATEWAY_METRICS_PORT',
    message: `is ${PORT}, the port of the API (PORT): set another one`,
  }
}

function missingDocuments({ DOCUMENTS, DOCUMENTS_FILE }: GatewaySettings): Refusal | undefined {
  if (DOCUMENTS === 'any' || DOCUMENTS_FILE !== undefined) return undefined
  return {
    variable: 'DOCUMENTS_FILE',
    message: `must be set: with DOCUMENTS=${DOCUMENTS}, documents must be registered`,
  }
}

/** The keys of such accounts are public. */
function demoWallets({
  NODE_ENV,
  PLAYGROUND_SIGNER,
  PLAYGROUND_WALLETS,
}: GatewaySettings): Refusal | undefined {
  if (NODE_ENV === 'development' || (PLAYGROUND_SIGNER === undefined && PLAYGROUND_WALLETS.length === 0))
    return undefined
  const variable = PLAYGROUND_SIGNER === undefined ? 'PLAYGROUND_WALLETS' : 'PLAYGROUND_SIGNER'
  return { variable, message: 'must not be set: it is for NODE_ENV=development only' }
}

function missingSecret({ AUTH_SECRETS }: GatewaySettings): Refusal | undefined {
  if (AUTH_SECRETS.length > 0) return undefined
  return {
    variable: 'AUTH_SECRETS',
    message: `must be set in production: ${SECRET_BYTES_MIN} random bytes or more (openssl rand -base64 32)`,
  }
}

function guessableSecret({ AUTH_SECRETS }: GatewaySettings): Refusal | undefined {
  if (!AUTH_SECRETS.some(isGuessable)) return undefined
  return {
    variable: 'AUTH_SECRETS',
    message:
      'must be random in production, not an example or a repeated text: set the output of openssl rand -base64 32',
  }
}

function missingSite({ SITE_ORIGINS }: GatewaySettings): Refusal | undefined {
  if (SITE_ORIGINS.length > 0) return undefined
  return {
    variable: 'SITE_ORIGINS',
    message: 'must be set in production: the origins of the sites that wallets sign in at',
  }
}

function insecureSite({ SITE_ORIGINS }: GatewaySettings): Refusal | undefined {
  if (!SITE_ORIGINS.some(isInsecureOrigin)) return undefined
  return {
    variable: 'SITE_ORIGINS',
    message: 'must be https:// in production; http:// is accepted for localhost, 127.0.0.1 and [::1] only',
  }
}

/** Whether others can guess a secret of sufficient length: a pattern, or a text copied from an example. */
function isGuessable(secret: string): boolean {
  if (Buffer.byteLength(secret) < SECRET_BYTES_MIN) return false
  return new Set(secret).size < SECRET_CHARACTERS_MIN || PLACEHOLDER.test(secret)
}
