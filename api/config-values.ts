/** Formats of settings. Messages follow the variable's name and contain no value. */
import { z } from 'zod'

export const oneOf = <const T extends readonly string[]>(choices: T) =>
  z.enum(choices, { error: `must be one of ${choices.join(', ')}` })

export const wholeNumber = (min: number, max: number) => {
  const wanted = `must be a whole number from ${min} to ${max}`
  return z
    .string()
    .regex(/^[0-9]{1,15}$/, wanted)
    .transform(Number)
    .refine((value) => value >= min && value <= max, wanted)
}

export const urlOf = (protocols: readonly string[], error: string) =>
  z.string({ error }).refine((text) => protocols.includes(URL.parse(text)?.protocol ?? ''), error)

/** Clients of Postgres and of nodes decode user and password. */
export const hasDecodableCredentials = (text: string) => {
  const { username = '', password = '' } = URL.parse(text) ?? {}
  try {
    decodeURIComponent(username + password)
    return true
  } catch {
    return false
  }
}

export const commaList = (text: string) =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')

export const rpcUrl = urlOf(
  ['http:', 'https:'],
  'must list http:// or https:// addresses of nodes, separated by commas',
).refine(hasDecodableCredentials, 'must have users and passwords in percent-encoding, with %25 for each %')

/** A browser's `Origin`: scheme, host and port, nothing after. */
export const isOrigin = (text: string) => /^https?:/.test(text) && URL.parse(text)?.origin === text

/** Hosts of this machine, which are secure also over http (W3C Secure Contexts, section 3.1). */
const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** An origin over http that is another machine's. */
export const isInsecureOrigin = (text: string) =>
  isOrigin(text) && text.startsWith('http:') && !LOOPBACK_HOSTS.has(new URL(text).hostname)

/** Bytes below which an HMAC-SHA256 secret is weaker than the hash (RFC 7518, section 3.2). */
export const SECRET_BYTES_MIN = 32

export const secret = z
  .string()
  .refine(
    (text) => Buffer.byteLength(text) >= SECRET_BYTES_MIN,
    `must have ${SECRET_BYTES_MIN} random bytes or more in each secret (openssl rand -base64 32)`,
  )
