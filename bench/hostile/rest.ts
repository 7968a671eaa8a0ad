/** Requests to REST routes that cost more than they look. */
import { encodeAbiParameters, type Hex, serializeErc6492Signature } from 'viem'
import { signInMessage } from '../../test/support/sign-in.ts'
import { type Entry, get, object, post, words } from './entry.ts'
import { account, type BenchWorld } from './world.ts'

const ID = `0x${'ab'.repeat(32)}`
const ADDRESS = `0x${'cd'.repeat(20)}` as const
const SIGNATURE: Hex = `0x${'11'.repeat(65)}`
/** Characters that are left for one header or the query. */
const LINE = 14_000

export function rest({ app, token }: BenchWorld): Entry[] {
  return [...bodies(token), ...queries(), ...headers(), ...signIns(app)]
}

function bodies(token: string): Entry[] {
  const optimize = (name: string, body: string) => post(name, '/routes/optimize', body, token)
  return [
    optimize('48,000 wrong entries', `{"claimIds":[${words(48_000, () => '1', ',')}]}`),
    optimize('200 wrong entries', `{"claimIds":[${words(200, () => '1', ',')}]}`),
    optimize('1,400 right entries', JSON.stringify({ claimIds: Array.from({ length: 1400 }, () => ID) })),
    optimize('9,000 unknown fields', JSON.stringify(object(9000, (i) => `f${i}`))),
    optimize('200 unknown fields', JSON.stringify(object(200, (i) => `f${i}`))),
    optimize('lists nested 50,000 deep', '['.repeat(50_000) + ']'.repeat(50_000)),
    optimize('objects nested 16,000 deep', `${'{"a":'.repeat(16_000)}1${'}'.repeat(16_000)}`),
    optimize('JSON that never ends', '['.repeat(100_000)),
    optimize(
      'an amount of 95,000 digits',
      JSON.stringify({ claimIds: [ID], targetAdvance: '9'.repeat(95_000) }),
    ),
    optimize(
      'an amount of 60,000 digits',
      JSON.stringify({ claimIds: [ID], targetAdvance: '9'.repeat(60_000) }),
    ),
    optimize('a number of 95,000 digits', `{"claimIds":[],"routeDeadlineSeconds":${'9'.repeat(95_000)}}`),
    optimize('names of a prototype', '{"__proto__":{"constructor":{"prototype":{}}},"claimIds":[]}'),
    optimize('a string of 16,000 escapes', `{"claimIds":["${'\\u0041'.repeat(10_000)}"]}`),
    post('33,000 empty objects', '/quotes/preview', `[${words(33_000, () => '{}', ',')}]`),
    post(
      'a claim id of 60,000 digits',
      '/quotes/preview',
      JSON.stringify({ claimId: `0x${'a'.repeat(60_000)}` }),
    ),
    post(
      'an address of 60,000 digits',
      '/quotes/preview',
      JSON.stringify({ claimId: ID, vault: `0x${'aB'.repeat(30_000)}` }),
    ),
    post(
      'a date of 60,000 digits',
      '/issuer/attestations/prepare',
      JSON.stringify({ dueDate: `2026-01-01T00:00:00.${'0'.repeat(60_000)}Z` }),
      token,
    ),
    post(
      'a signature of 60,000 digits',
      '/claims/registration/prepare',
      JSON.stringify({ signature: `0x${'a'.repeat(60_000)}` }),
      token,
    ),
    post(
      'a signature of 60,000 digits and one that is none',
      '/claims/registration/prepare',
      JSON.stringify({ signature: `0x${'a'.repeat(60_000)}g` }),
      token,
    ),
  ]
}

function queries(): Entry[] {
  const filter = (name: string, json: string) =>
    get(`a filter, ${name}`, `/exports/claims.csv?filter=${encodeURIComponent(json)}`)
  return [
    filter('nested 800 deep', `${'{"AND":['.repeat(450)}{}${']}'.repeat(450)}`),
    filter('2,000 wrong entries', `{"claimId_in":[${words(2000, () => '1', ',')}]}`),
    filter('2,000 empty objects', `{"OR":[${words(1000, () => '{}', ',')}]}`),
    filter('200 unknown fields', JSON.stringify(object(200, (i) => `faceValu_${i}`))),
    get('7,000 unknown columns', `/exports/claims.csv?columns=${words(7000, () => 'a', ',')}`),
    get('the columns 25 times', `/exports/claims.csv?columns=${words(25, () => 'nope', ',')}`),
    get('7,000 groupings', `/exports/claimAggregates.csv?groupBy=${words(7000, () => 'a', ',')}`),
    get('4,000 unknown parameters', `/vaults?${words(2800, (i) => `p${i}`, '&')}`),
    get('one parameter 7,000 times', `/vaults?${words(4600, () => 'a=', '&')}`),
    get('4,600 broken escapes', `/vaults?cursor=${'%zz'.repeat(4600)}`),
    get('4,600 escapes that are no text', `/vaults?cursor=${'%ff'.repeat(4600)}`),
    get('a cursor of 14,000 characters', `/vaults?cursor=${'W'.repeat(LINE)}`),
    get('a limit of 14,000 digits', `/vaults?limit=${'9'.repeat(LINE)}`),
    get('a path of 7,000 parts', `${'/a'.repeat(LINE / 2)}`),
    get('a path of 14,000 slashes', '/'.repeat(LINE)),
    get('an address of 14,000 digits', `/account/0x${'a'.repeat(LINE)}`),
    get('an id of 4,600 escapes', `/claims/${'%30'.repeat(4600)}`),
  ]
}

function headers(): Entry[] {
  const header = (name: string, field: string, value: string, path = '/vaults?limit=1') =>
    get(name, path, { [field]: value })
  return [
    header('a token of 14,000 characters', 'Authorization', `Bearer ${'a'.repeat(LINE)}`),
    header('a token of 7,000 dots', 'Authorization', `Bearer ${'a.'.repeat(LINE / 2)}`),
    header('a token after 14,000 blanks', 'Authorization', `Bearer ${' '.repeat(LINE)}é`),
    header(
      'a token whose header nests 5,000 deep',
      'Authorization',
      `Bearer ${btoa(`{"alg":${'['.repeat(5000)}`)}.a.a`,
    ),
    header('3,500 tags', 'If-None-Match', words(3500, (i) => `"${i}"`, ',').slice(0, LINE)),
    header('14,000 commas', 'If-None-Match', ','.repeat(LINE)),
    header(
      '3,500 types',
      'Accept',
      words(2800, () => 'a/b', ','),
      '/graphql?query={__typename}',
    ),
    header(
      '2,000 weighted types',
      'Accept',
      words(1200, (i) => `a/b;q=0.${i}`, ','),
      '/graphql?query={__typename}',
    ),
    header('a block of 14,000 digits', 'X-Min-Block', '9'.repeat(LINE)),
    header('a request id of 14,000 characters', 'X-Request-Id', 'a'.repeat(LINE)),
    header(
      '7,000 proxies',
      'X-Forwarded-For',
      words(3500, () => '1.1', ','),
    ),
    header('an origin of 14,000 characters', 'Origin', `https://${'a.'.repeat(LINE / 2)}`),
    header(
      '3,500 languages',
      'Accept-Language',
      words(3500, () => 'en', ','),
    ),
  ]
}

function signIns(app: BenchWorld['app']): Entry[] {
  const verify = (name: string, message: string, signature: Hex = SIGNATURE) =>
    post(name, '/auth/verify', JSON.stringify({ message, signature }))
  return [
    verify('a message of 90,000 characters', 'a'.repeat(90_000)),
    verify('a message of 60,000 characters', 'a'.repeat(60_000)),
    ...MESSAGES.map(([name, message]) => verify(`a message of ${name}`, message)),
    signedBy(app, 'a signature of 65,000 digits', `0x${'11'.repeat(32_700)}`),
    signedBy(app, 'a wrapped signature of 60,000 digits (ERC-6492)', wrapped(`0x${'11'.repeat(29_000)}`)),
    signedBy(
      app,
      'a signature wrapped 60 times (ERC-6492)',
      Array.from({ length: 60 }).reduce<Hex>((inner) => wrapped(inner), SIGNATURE),
    ),
    signedBy(app, 'lengths that point beyond the signature (ERC-6492)', beyond()),
  ]
}

const HEAD = `app.example wants you to sign in with your Ethereum account:\n${account.address}\n\n`
const FIELDS = `URI: https://app.example\nVersion: 1\nChain ID: 31337\nNonce: ${'a'.repeat(72)}\nIssued At: 2026-01-31T12:00:00Z`
const messageOf = (statement: string, rest = FIELDS) => `${HEAD}${statement}\n\n${rest}`.slice(0, 4096)

/** Messages of the longest length that is read, against a grammar that tries one way after another. */
const MESSAGES: [name: string, message: string][] = [
  ['4,096 lines', '\n'.repeat(4096)],
  [
    'a long domain',
    `${'a.'.repeat(2000)} wants you to sign in with your Ethereum account:\n${account.address}\n\n\n${FIELDS}`.slice(
      0,
      4096,
    ),
  ],
  ['a domain of 1,300 escapes', `${'%41'.repeat(1200)} wants you to sign in with your Ethereum account:\n`],
  ['a domain of colons', `${':'.repeat(4000)} wants you to sign in`],
  ['a domain of brackets', `[${'1:'.repeat(2000)}] wants you to sign in`],
  ['a scheme of 4,000 characters', `${'a+'.repeat(1900)}://app.example wants you to sign in`],
  ['a long statement', messageOf('a '.repeat(1700))],
  ['a statement without end', `${HEAD}${'a'.repeat(3900)}`],
  ['a long path', messageOf('Hello', `URI: https://app.example/${'a/'.repeat(1500)}\n`)],
  ['a long query', messageOf('Hello', `URI: https://app.example/?${'%41'.repeat(1000)}\n`)],
  ['an address of colons', messageOf('Hello', `URI: https://[${'::'.repeat(1500)}]/\n`)],
  ['800 resources', messageOf('Hello', `${FIELDS}\nResources:${'\n- a:b'.repeat(600)}`)],
  ['resources that are none', messageOf('Hello', `${FIELDS}\nResources:${'\n- a:'.repeat(500)} `)],
  [
    'a long nonce',
    messageOf('Hello', `URI: https://app.example\nVersion: 1\nChain ID: 31337\nNonce: ${'a'.repeat(3500)}`),
  ],
  [
    'a long chain id',
    messageOf('Hello', `URI: https://app.example\nVersion: 1\nChain ID: ${'9'.repeat(3500)}`),
  ],
  ['a long second', messageOf('Hello', `${FIELDS.slice(0, -1)}.${'9'.repeat(3000)}Z`)],
]

/** A sign-in whose message is good, so that its signature is looked at. */
function signedBy(app: BenchWorld['app'], name: string, signature: Hex): Entry {
  return {
    name: `POST /auth/verify: ${name}`,
    request: async () => ({
      path: '/api/v1/auth/verify',
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ message: await signInMessage(app, account.address), signature }),
    }),
  }
}

function wrapped(signature: Hex): Hex {
  return serializeErc6492Signature({ address: ADDRESS, data: '0x', signature })
}

const MAGIC = '6492'.repeat(16)

/** The parts of the wrapper at offsets that no signature has. */
function beyond(): Hex {
  const far = encodeAbiParameters(
    [{ type: 'address' }, { type: 'uint256' }, { type: 'uint256' }],
    [ADDRESS, 2n ** 255n, 2n ** 255n],
  )
  return `${far}${MAGIC}`
}
