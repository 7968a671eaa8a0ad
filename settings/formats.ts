/** Formats of settings. Messages follow the variable's name and contain no value, because it may hold a password. */
import { z } from 'zod'
import { isLocalOrigin, isOrigin } from './origin.ts'

/** The values that a format takes, in words, for docs/settings.md. */
const accepted = new WeakMap<z.ZodType, string>()

export const valuesOf = (format: z.ZodType) => accepted.get(format)

function inWords<S extends z.ZodType>(format: S, values: string): S {
  accepted.set(format, values)
  return format
}

export const oneOf = <const T extends readonly string[]>(choices: T) =>
  inWords(
    z.enum(choices, { error: `must be one of ${choices.join(', ')}` }),
    choices.map((choice) => `\`${choice}\``).join(', '),
  )

export const wholeNumber = (min: number, max: number) => {
  const wanted = `must be a whole number from ${min} to ${max}`
  const schema = z
    .string({ error: wanted })
    .regex(/^[0-9]{1,16}$/, wanted)
    .transform(Number)
    .refine((value) => value >= min && value <= max, wanted)
  return inWords(schema, `${min.toLocaleString('en')} to ${max.toLocaleString('en')}`)
}

export const text = z.string().min(1)

const urlOf = (protocols: readonly string[], error: string) =>
  z.string({ error }).refine((url) => protocols.includes(URL.parse(url)?.protocol ?? ''), error)

/** Clients of Postgres and of nodes decode user and password. */
const hasDecodableCredentials = (url: string) => {
  const { username = '', password = '' } = URL.parse(url) ?? {}
  try {
    decodeURIComponent(username + password)
    return true
  } catch {
    return false
  }
}

const postgresUrl = urlOf(
  ['postgres:', 'postgresql:'],
  'must be a postgres:// address of the database the indexer writes to',
).refine(hasDecodableCredentials, 'must have its user and password in percent-encoding, with %25 for each %')

export const databaseUrl = inWords(postgresUrl, '`postgres://…`')

const commaList = (list: string) =>
  list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')

/** Texts separated by commas; none by default. */
const optionalList = z.string().default('').transform(commaList)

export const databaseUrls = inWords(
  optionalList.pipe(z.array(postgresUrl)),
  '`postgres://…`, separated by commas',
)

const nodeUrl = urlOf(
  ['http:', 'https:'],
  'must list http:// or https:// addresses of nodes, separated by commas',
).refine(hasDecodableCredentials, 'must have users and passwords in percent-encoding, with %25 for each %')

const NO_NODE = 'must list at least one node'

export const rpcUrls = inWords(
  z.string({ error: NO_NODE }).transform(commaList).pipe(z.array(nodeUrl).min(1, NO_NODE)),
  '`http://…` or `https://…`, separated by commas',
)

export const chainId = inWords(
  z
    .string({ error: 'must be the number of the chain that is served' })
    .pipe(wholeNumber(1, Number.MAX_SAFE_INTEGER)),
  'a chain id',
)

export const collector = inWords(
  urlOf(['http:', 'https:'], 'must be an http:// or https:// address of a collector of traces'),
  '`http://…` or `https://…`',
)

/** A page: of this host by its path, of any host over https, or the root of a server on this machine. */
export const pageAddress = inWords(
  z
    .string()
    .refine(
      (page) =>
        /^\/(?![/\\])[\x21-\x7e]*$/.test(page) ||
        (page.startsWith('https://') && URL.canParse(page)) ||
        isLocalOrigin(page),
      'must be the https:// address of a page, an origin of this machine, or a path that begins with one /',
    ),
  '`https://…`, an origin of this machine, or a path',
)

export const localOrigin = inWords(
  z.string().refine(isLocalOrigin, 'must be an origin of this machine, like http://127.0.0.1:8545'),
  'an origin of this machine',
)

export const addresses = inWords(
  optionalList.refine(
    (given): given is `0x${string}`[] => given.every((one) => /^0x[0-9a-fA-F]{40}$/.test(one)),
    'must list addresses, separated by commas',
  ),
  'addresses, separated by commas',
)

export const corsOrigins = inWords(
  optionalList.refine(
    (origins) => origins.every((origin) => origin === '*' || isOrigin(origin)),
    'must list origins like https://app.example (no path), separated by commas, or be *',
  ),
  'origins, separated by commas, or `*`',
)

export const siteOrigins = inWords(
  optionalList.refine(
    (origins) => origins.every(isOrigin),
    'must list the origins of the sites that wallets sign in at, like https://app.example (no path), separated by commas',
  ),
  'origins, separated by commas',
)

/** Issuer or audience of tokens. Bounded, as the length of a token is (`TOKEN_LENGTH`). */
export const tokenParty = inWords(
  z.string().max(128, 'must have at most 128 characters'),
  'at most 128 characters',
)

/** Each name has about ten series for each status. */
const OPERATIONS_MAX = 100

export const operationNames = inWords(
  optionalList.refine((names) => names.length <= OPERATIONS_MAX, `must list at most ${OPERATIONS_MAX} names`),
  `at most ${OPERATIONS_MAX} names, separated by commas`,
)

export const share = inWords(
  z
    .string()
    .regex(/^(0(\.\d+)?|1(\.0+)?)$/, 'must be a number from 0 to 1')
    .transform(Number),
  '0 to 1',
)

const hash = z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]{64}$/)], {
  error: 'must be 0x and 64 hexadecimal digits in lowercase',
})

export const blockHash = inWords(hash, '`0x` and 64 hexadecimal digits')

export const blockId = inWords(
  z
    .string()
    .regex(/^\d+:0x[0-9a-f]{64}$/, 'must be <number>:<hash> of a block')
    .transform((id) => {
      const [number = '', own] = id.split(':')
      return { number: BigInt(number), hash: hash.parse(own) }
    }),
  '`<number>:<hash>`',
)

/** Bytes below which an HMAC-SHA256 secret is weaker than the hash (RFC 7518, section 3.2). */
export const SECRET_BYTES_MIN = 32

const secret = z
  .string()
  .refine(
    (value) => Buffer.byteLength(value) >= SECRET_BYTES_MIN,
    `must have ${SECRET_BYTES_MIN} random bytes or more in each secret (openssl rand -base64 32)`,
  )

export const secrets = inWords(
  optionalList.pipe(z.array(secret)),
  `${SECRET_BYTES_MIN} bytes or more each, separated by commas`,
)
