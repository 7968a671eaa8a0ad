/** Settings of the gateway's interface: server, sign-in, rate limits. */
import {
  addresses,
  corsOrigins,
  localOrigin,
  oneOf,
  pageAddress,
  secrets,
  siteOrigins,
  text,
  tokenParty,
  wholeNumber,
} from '../formats.ts'
import { setting } from '../setting.ts'

export const nodeEnvs = ['development', 'test', 'production'] as const

export const server = {
  // A forgotten variable must not open what only developers should see.
  NODE_ENV: setting(
    oneOf(nodeEnvs).default('production'),
    'Mode. `development` serves the API reference and accepts pages of this machine; only `production` [refuses](operations.md#refused-settings) unsafe settings.',
  ),
  HOST: setting(text.default('127.0.0.1'), 'Address to listen on.'),
  PORT: setting(wholeNumber(0, 65_535).default(3000), 'Port to listen on. 0 takes any free port.'),
  TRUSTED_PROXIES: setting(
    wholeNumber(0, 16).default(0),
    'Proxies in front that append to `X-Forwarded-For`. With 0, a client has the address of its connection. If it is too low, all clients behind a proxy share the limits of its address.',
    { unit: 'proxies' },
  ),
  CORS_ORIGINS: setting(
    corsOrigins,
    'Origins whose pages may call the API. With `NODE_ENV=development`, those of localhost, 127.0.0.1 and [::1] need not be listed.',
  ),
  BODY_LIMIT_BYTES: setting(wholeNumber(1024, 10_485_760).default(102_400), 'Largest body of a request.', {
    unit: 'bytes',
  }),
  REQUEST_TIMEOUT_MS: setting(
    wholeNumber(1000, 600_000).default(30_000),
    'Time that a client has to send a request.',
    { unit: 'milliseconds' },
  ),
  PLAYGROUND: setting(
    oneOf(['on', 'off']).default('on'),
    'Whether a browser that opens the GraphQL endpoint gets GraphiQL, in production too.',
  ),
  PLAYGROUND_WALLETS: setting(
    addresses,
    'Accounts for which GraphiQL and the explorer have a button that signs in, with `NODE_ENV=development` only.',
  ),
  PLAYGROUND_SIGNER: setting(
    localOrigin.optional(),
    'Node of this machine that has unlocked these accounts. The page requests the signatures there; the gateway has no key.',
    { byDefault: 'no buttons' },
  ),
  DOCUMENTS: setting(
    oneOf(['any', 'prefer', 'only']).default('any'),
    'Which documents of GraphQL are answered. `any`: all. `prefer`: all, but one that is not [registered](operations.md#registered-documents) costs a caller without a token four times as much. `only`: those that are registered.',
  ),
  DOCUMENTS_FILE: setting(
    text.optional(),
    'JSON file of the [registered documents](operations.md#registered-documents).',
    { byDefault: 'none' },
  ),
  DOCUMENTATION_URL: setting(pageAddress.optional(), 'Page that `/` links to as the documentation.', {
    byDefault: 'no link',
  }),
  EXPLORER_FOLDER: setting(
    text.optional(),
    'Folder of the [explorer](explorer.md), as `npm run explorer` writes it, to serve at `/explore/`.',
    { byDefault: 'no explorer' },
  ),
}

export const signIn = {
  AUTH_SECRETS: setting(
    secrets,
    'Random secrets (`openssl rand -base64 32`). The first signs tokens and nonces, all verify: put a new one in front, and remove the old one an hour later. Required in production.',
    { byDefault: 'none: a random one per process' },
  ),
  SITE_ORIGINS: setting(
    siteOrigins,
    'Origins of the sites that wallets sign in at; sign-in messages for any other site are refused. With `NODE_ENV=development`, those of localhost, 127.0.0.1 and [::1] need not be listed. Required in production, with `https://` except for localhost.',
  ),
  SESSION_COOKIES: setting(
    oneOf(['on', 'off']).default('off'),
    'Whether a sign-in can ask for its session as a [cookie](cookies.md), for pages that a server renders.',
  ),
  TOKEN_ISSUER: setting(
    tokenParty.default('claim-financing-gateway'),
    'Issuer (`iss`) of tokens; the same on all replicas.',
  ),
  TOKEN_AUDIENCE: setting(
    tokenParty.default('claim-financing-gateway'),
    'Audience (`aud`) of tokens; the same on all replicas.',
  ),
}

const limit = () => wholeNumber(1, 1_000_000_000)
const REQUESTS = { unit: 'requests per window' }

export const rateLimits = {
  RATE_LIMIT_WINDOW_SECONDS: setting(wholeNumber(1, 86_400).default(60), 'Length of a window.', {
    unit: 'seconds',
  }),
  RATE_LIMIT_DEFAULT: setting(
    limit().default(120),
    'Requests of one wallet with a token, and of one client address without one.',
    REQUESTS,
  ),
  RATE_LIMIT_PREPARE: setting(
    limit().default(30),
    'Those that optimize a route or prepare something to sign.',
    REQUESTS,
  ),
  RATE_LIMIT_QUOTE: setting(
    limit().default(60),
    'Those that preview quotes, which are public and read the chain.',
    REQUESTS,
  ),
  RATE_LIMIT_SIGN_IN: setting(limit().default(20), 'Those for a nonce or a token.', REQUESTS),
  // The least is more than the most expensive query spends before it is read.
  RATE_LIMIT_COST: setting(
    wholeNumber(100_000, 1_000_000_000).default(800_000),
    'Cost of the queries of one wallet with a token, and of one client address without one.',
    { unit: 'points in a window' },
  ),
  RATE_LIMIT_ADDRESS_FACTOR: setting(
    wholeNumber(1, 100_000).default(5),
    'Requests with tokens that one client address may send, whatever the number of wallets, as a multiple of the limit of a wallet. Those behind one address (an office, a mobile carrier) share it.',
    { unit: 'times' },
  ),
}
