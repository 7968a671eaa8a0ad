/** Formats of settings. Messages follow the variable's name and contain no value. */
import { z } from 'zod'
import { isLocalOrigin, isOrigin } from '../domain/origin.ts'

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

export const databaseUrl = urlOf(
  ['postgres:', 'postgresql:'],
  'must be a postgres:// address of the database the indexer writes to',
).refine(hasDecodableCredentials, 'must have its user and password in percent-encoding, with %25 for each %')

/** A page: of this host by its path, of any host over https, or the root of a server on this machine. */
export const pageAddress = z
  .string()
  .refine(
    (text) =>
      /^\/(?![/\\])[\x21-\x7e]*$/.test(text) ||
      (text.startsWith('https://') && URL.canParse(text)) ||
      isLocalOrigin(text),
    'must be the https:// address of a page, an origin of this machine, or a path that begins with one /',
  )

export const commaList = (text: string) =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')

const rpcUrl = urlOf(
  ['http:', 'https:'],
  'must list http:// or https:// addresses of nodes, separated by commas',
).refine(hasDecodableCredentials, 'must have users and passwords in percent-encoding, with %25 for each %')

export const rpcUrls = z
  .string({ error: 'must list at least one node' })
  .transform(commaList)
  .pipe(z.array(rpcUrl).min(1, 'must list at least one node'))

/** None by default. */
export const databaseUrls = z.string().default('').transform(commaList).pipe(z.array(databaseUrl))

export const chainId = z
  .string({ error: 'must be the number of the chain that is served' })
  .pipe(wholeNumber(1, Number.MAX_SAFE_INTEGER))

export const corsOrigins = z
  .string()
  .default('')
  .transform(commaList)
  .refine(
    (origins) => origins.every((origin) => origin === '*' || isOrigin(origin)),
    'must list origins like https://app.example (no path), separated by commas, or be *',
  )

/** Bytes below which an HMAC-SHA256 secret is weaker than the hash (RFC 7518, section 3.2). */
export const SECRET_BYTES_MIN = 32

export const secret = z
  .string()
  .refine(
    (text) => Buffer.byteLength(text) >= SECRET_BYTES_MIN,
    `must have ${SECRET_BYTES_MIN} random bytes or more in each secret (openssl rand -base64 32)`,
  )

/** Different characters below which a secret is not random: one of 32 random bytes has fewer once in 10^18 times in hex, and never in Base64. */
const SECRET_CHARACTERS_MIN = 8
const PLACEHOLDER = /change.?me|example|placeholder|replace.?(?:me|this)|password/i

/** Whether a secret that is long enough is a text that others can guess: of a pattern, or copied from an example. */
export const isGuessable = (secret: string) =>
  Buffer.byteLength(secret) >= SECRET_BYTES_MIN &&
  (new Set(secret).size < SECRET_CHARACTERS_MIN || PLACEHOLDER.test(secret))

/** `NAME=` in an env file is the same as no line. */
export function withoutBlanks(env: Readonly<Record<string, string | undefined>>) {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()))
}

/** One sentence that names each invalid variable. */
export function describeFaults(error: z.ZodError): string {
  const byVariable = new Map(error.issues.map((issue) => [String(issue.path[0]), issue.message]))
  return `${[...byVariable].map(([variable, message]) => `${variable} ${message}`).join('; ')}.`
}
