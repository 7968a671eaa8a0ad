import { describe, expect, it } from 'vitest'
import { parseConfig } from '../../api/config/config.ts'

/** 32 bytes. */
const secret = 'Vb7qmX0tR2yLwK9cZ4hJ8nPfD3sGaE6u'
const production = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://db.example/projection',
  RPC_URLS: 'https://node.example',
  CHAIN_ID: '31337',
  AUTH_SECRETS: secret,
  SITE_ORIGINS: 'https://app.example',
}

describe('a production start', () => {
  it('is refused without a secret', () => {
    expect(() => parseConfig({ ...production, AUTH_SECRETS: '' })).toThrow(
      /AUTH_SECRETS must be set in production/,
    )
  })

  it('is refused with any secret shorter than 32 bytes, and does not repeat it', () => {
    const short = 'b'.repeat(31)
    for (const secrets of [short, `${secret},${short}`, `${short},${secret}`]) {
      const start = () => parseConfig({ ...production, AUTH_SECRETS: secrets })
      expect(start).toThrow(/AUTH_SECRETS must have 32 random bytes or more/)
      expect(start).not.toThrow(short)
    }
  })

  it('counts bytes, not characters', () => {
    expect(parseConfig({ ...production, AUTH_SECRETS: 'éèàùçñöü'.repeat(2) }).authSecrets).toHaveLength(1)
  })

  it('is refused with a secret that others can guess, beside a good one too, and does not repeat it', () => {
    for (const guessable of [
      'a'.repeat(64),
      '0123456'.repeat(8),
      'change-me-before-you-deploy-this-gateway',
      'an example of a secret with 32 bytes',
      'Password1234567890Password1234567890',
      'placeholder-of-a-secret-with-32-bytes',
      'REPLACE_ME-by-32-bytes-of-the-system',
      'replace this by 32 bytes of the system',
      'changeMe-0123456789-0123456789-0123',
    ]) {
      for (const AUTH_SECRETS of [guessable, `${secret},${guessable}`]) {
        const start = () => parseConfig({ ...production, AUTH_SECRETS })
        expect(start).toThrow(/^AUTH_SECRETS must be random in production, .*openssl rand -base64 32\.$/)
        expect(start).not.toThrow(guessable)
      }
    }
  })

  it('takes a secret of eight different characters and none of seven', () => {
    expect(parseConfig({ ...production, AUTH_SECRETS: '01234567'.repeat(4) }).authSecrets).toHaveLength(1)
    expect(() => parseConfig({ ...production, AUTH_SECRETS: '0123456'.repeat(5) })).toThrow(/must be random/)
  })

  it('is refused without the site that wallets sign in at, or with more than its origin', () => {
    expect(() => parseConfig({ ...production, SITE_ORIGINS: undefined })).toThrow(/SITE_ORIGINS must be set/)
    for (const origin of [
      'app.example',
      'https://app.example/',
      'https://app.example/path',
      'https://app.example:443',
      'https://user@app.example',
      'https://APP.example',
      'https://bücher.example',
      'null',
      '*',
    ]) {
      for (const SITE_ORIGINS of [origin, `https://app.example,${origin}`]) {
        expect(() => parseConfig({ ...production, SITE_ORIGINS }), origin).toThrow(
          /SITE_ORIGINS must list the origins/,
        )
      }
    }
  })

  it('accepts the sites that it lists, and none of this machine beside them', () => {
    const SITE_ORIGINS = 'https://app.example, https://other.example:8443'
    expect(parseConfig({ ...production, SITE_ORIGINS }).siteOrigins).toEqual({
      listed: ['https://app.example', 'https://other.example:8443'],
      local: false,
    })
    expect(parseConfig(production).corsOrigins.local).toBe(false)
  })

  it('is refused with a site over http, whose pages anyone on the way can change, unless it is this machine', () => {
    const start = (SITE_ORIGINS: string) => () => parseConfig({ ...production, SITE_ORIGINS })
    for (const origin of [
      'http://app.example',
      'http://app.example:443',
      'http://localhost.evil.example',
      'http://127.0.0.1.evil.example',
      'http://127.0.0.2',
      'http://0.0.0.0',
      'http://[::2]',
      'http://[::ffff:7f00:1]',
      'ftp://app.example',
      'wss://app.example',
    ]) {
      expect(start(origin)).toThrow(/SITE_ORIGINS must .*https:\/\//)
      expect(start(origin)).not.toThrow(origin)
    }
    for (const origin of [
      'http://localhost',
      'http://localhost:3000',
      'http://127.0.0.1:8080',
      'http://[::1]:1',
    ]) {
      expect(start(origin)().siteOrigins.listed).toEqual([origin])
    }
  })

  it('takes nodes over http: they are the own ones, behind the firewall', () => {
    const RPC_URLS = 'http://node.internal:8545'
    expect(parseConfig({ ...production, RPC_URLS }).rpcUrls).toEqual([RPC_URLS])
  })

  it('is what an unset NODE_ENV means', () => {
    expect(() => parseConfig({ ...production, NODE_ENV: undefined, AUTH_SECRETS: undefined })).toThrow(
      /AUTH_SECRETS/,
    )
  })
})

describe('a development start', () => {
  it('needs neither secret nor site: those of this machine are accepted', () => {
    const config = parseConfig({ ...production, NODE_ENV: 'development', AUTH_SECRETS: '', SITE_ORIGINS: '' })
    expect(config.authSecrets).toEqual([])
    expect(config.siteOrigins).toEqual({ listed: [], local: true })
    expect(config.corsOrigins).toEqual({ listed: [], local: true })
  })

  it('takes a site over http, and no scheme that is not of the web', () => {
    const start = (SITE_ORIGINS: string) =>
      parseConfig({ ...production, NODE_ENV: 'development', SITE_ORIGINS })
    expect(start('http://devbox.example:5173').siteOrigins.listed).toEqual(['http://devbox.example:5173'])
    expect(() => start('ftp://app.example')).toThrow(/SITE_ORIGINS must list the origins/)
  })
})

describe('the limits', () => {
  it('are those of the design unless set', () => {
    const { rateLimits, rateLimitWindowSeconds, rateLimitAddressFactor, trustedProxies } =
      parseConfig(production)
    expect(rateLimits).toEqual({ default: 120, prepare: 30, quote: 60, 'sign-in': 20 })
    expect([rateLimitWindowSeconds, rateLimitAddressFactor, trustedProxies]).toEqual([60, 5, 0])
    expect(parseConfig({ ...production, RATE_LIMIT_PREPARE: '7' }).rateLimits.prepare).toBe(7)
    expect(() => parseConfig({ ...production, RATE_LIMIT_DEFAULT: '0' })).toThrow(/RATE_LIMIT_DEFAULT/)
  })
})
