import fc from 'fast-check'
import { getAddress, numberToHex } from 'viem'
import { createSiweMessage } from 'viem/siwe'
import { describe, expect, it } from 'vitest'
import { readSignInMessage } from '../../api/auth/siwe.ts'
import { code } from '../support/coded.ts'

const sites = { siteOrigins: { listed: ['https://app.example:8443'], local: false }, chainId: 31_337 }
const now = 1_800_000_000
const wallet = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

type Fields = Parameters<typeof createSiweMessage>[0]

const at = (seconds: number) => new Date((now + seconds) * 1000)

function message(fields: Partial<Fields> = {}): string {
  return createSiweMessage({
    address: wallet,
    domain: 'app.example:8443',
    uri: 'https://app.example:8443',
    chainId: 31_337,
    version: '1',
    nonce: 'abcdefgh12345678',
    issuedAt: at(0),
    ...fields,
  })
}

const read = (text: string, clock = now) => readSignInMessage(text, sites, clock)
const refusal = (text: string, clock = now) => code(() => read(text, clock))

describe('a sign-in message', () => {
  it('yields the wallet in lowercase and the nonce', () => {
    expect(read(message())).toEqual({ wallet: wallet.toLowerCase(), nonce: 'abcdefgh12345678' })
  })

  it('may carry all that EIP-4361 makes optional', () => {
    const full = message({
      scheme: 'https',
      statement: 'Sign in to finance your claims.',
      expirationTime: at(600),
      notBefore: at(0),
      requestId: 'a-request',
      resources: [
        'https://app.example/terms',
        'ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi',
      ],
    })
    expect(read(full).wallet).toBe(wallet.toLowerCase())
  })

  it('may have a long statement and many resources, as those of ERC-5573', () => {
    const resources = [
      `urn:recap:${'eyJ0'.repeat(300)}`,
      ...Array(50).fill('https://app.example/a%20b?c=[d]#e'),
    ]
    const full = message({ statement: 'I authorize. '.repeat(100).trim(), resources, requestId: 'one' })
    expect(full.length).toBeGreaterThan(4000)
    expect(read(full)).toEqual({ wallet: wallet.toLowerCase(), nonce: 'abcdefgh12345678' })
  })

  it('with a statement or a resource that has other characters is refused', () => {
    const full = message({ statement: 'One.', resources: ['https://app.example/terms'] })
    expect(read(full).nonce).toBe('abcdefgh12345678')
    const changes = [
      ['One.', 'One\\'],
      ['One.', 'One.\nTwo.'],
      ['app.example/terms', 'app.example/ terms'],
      ['app.example/terms', 'app.example/%2'],
      ['- https', '-  https'],
      ['- https://', '- //'],
      ['terms', 'terms\nRequest ID: a'],
      ['terms', 'terms\n'],
    ] as const
    for (const [text, other] of changes)
      expect(refusal(full.replace(text, other))).toBe('SIWE_MESSAGE_INVALID')
  })

  it('may have 1,024 characters besides its statement and resources', () => {
    const uri = (size: number) => `https://app.example:8443/${'a'.repeat(size)}`
    const more = { statement: 'One.', resources: ['https://app.example/terms'] }
    const room = 1024 - message({ uri: uri(0) }).length
    expect(read(message({ uri: uri(room), ...more })).nonce).toBe('abcdefgh12345678')
    expect(() => read(message({ uri: uri(room + 1), ...more }))).toThrow(
      '1025 characters besides its statement and resources; the maximum is 1024',
    )
  })

  it('that names the zero address, a precompile or another reserved address is refused', () => {
    const address = (value: number) => getAddress(numberToHex(value, { size: 20 }))
    for (const reserved of [0x0, 0x1, 0x9, 0x11, 0xff, 0x100, 0x1ff, 0xffff]) {
      expect(refusal(message({ address: address(reserved) }))).toBe('SIWE_MESSAGE_INVALID')
    }
    const first = address(0x10000)
    expect(read(message({ address: first })).wallet).toBe(first.toLowerCase())
  })

  it('for another domain is refused, also one that only looks alike', () => {
    const domains = [
      'evil.example',
      'app.example',
      'app.example:443',
      'app.example:8443.evil.example',
      'app.example:8443@evil.example',
      'App.example:8443',
    ]
    for (const domain of domains) {
      expect(refusal(message().replace('app.example:8443', domain))).toMatch(
        /^SIWE_(DOMAIN_MISMATCH|MESSAGE_INVALID)$/,
      )
    }
    expect(refusal(message({ domain: 'evil.example' }))).toBe('SIWE_DOMAIN_MISMATCH')
  })

  it('for another scheme of the domain is refused', () => {
    expect(refusal(message({ scheme: 'http' }))).toBe('SIWE_DOMAIN_MISMATCH')
  })

  it('for another URI is refused, also one that only begins alike', () => {
    const uris = [
      'https://evil.example',
      'http://app.example:8443',
      'https://app.example',
      'https://app.example:8443@evil.example',
      'https://user@app.example:8443/',
      'https://app.example:84430/',
      'https://app.example:8443.evil.example/',
      'https://app.example.:8443/',
      'https://APP.example:8443/',
      'HTTPS://app.example:8443/',
      'https:app.example:8443/',
      'urn:https://app.example:8443/',
    ]
    for (const uri of uris) {
      const text = message().replace('URI: https://app.example:8443', `URI: ${uri}`)
      expect(refusal(text), uri).toMatch(/^SIWE_(URI_MISMATCH|MESSAGE_INVALID)$/)
    }
    expect(refusal(message({ uri: 'https://app.example:84430/' }))).toBe('SIWE_URI_MISMATCH')
  })

  it.each([
    'https://app.example:8443',
    'https://app.example:8443/',
    'https://app.example:8443/claims/0x01?page=2#top',
    'https://app.example:8443?next=claims',
    'https://app.example:8443#/claims',
    'https://app.example:8443/@evil.example',
  ])('may have the URI of any page of the site: %s', (uri) => {
    expect(read(message({ uri })).nonce).toBe('abcdefgh12345678')
  })

  it('for another chain is refused', () => {
    expect(refusal(message({ chainId: 1 }))).toBe('SIWE_CHAIN_MISMATCH')
  })

  it('of another version is refused', () => {
    expect(refusal(message().replace('Version: 1', 'Version: 2'))).toBe('SIWE_MESSAGE_INVALID')
  })

  it('may be dated up to 120 s ahead of our clock', () => {
    expect(read(message({ issuedAt: at(120) })).nonce).toBeDefined()
    expect(refusal(message({ issuedAt: at(121) }))).toBe('SIWE_MESSAGE_NOT_YET_VALID')
    expect(read(message({ notBefore: at(120) })).nonce).toBeDefined()
    expect(refusal(message({ notBefore: at(121) }))).toBe('SIWE_MESSAGE_NOT_YET_VALID')
  })

  it('may have expired up to 120 s ago by our clock', () => {
    expect(read(message({ expirationTime: at(-119) })).nonce).toBeDefined()
    expect(refusal(message({ expirationTime: at(-120) }))).toBe('SIWE_MESSAGE_EXPIRED')
  })

  it('issued longer ago than a nonce lives is refused, though it says no expiry', () => {
    expect(read(message({ issuedAt: at(-420) })).nonce).toBeDefined()
    expect(refusal(message({ issuedAt: at(-421) }))).toBe('SIWE_MESSAGE_EXPIRED')
  })

  it('with a time that no calendar has is refused, not skipped', () => {
    const valid = message({ expirationTime: at(600), notBefore: at(0) })
    const times = [
      '2027-02-30T00:00:00Z',
      '2027-01-15T24:61:00Z',
      '2027-01-15T08:00:60Z',
      '2027-01-15T08:00:00|01:00',
      'soon',
    ]
    for (const field of ['Issued At', 'Expiration Time', 'Not Before']) {
      for (const time of times) {
        const text = valid.replace(new RegExp(`${field}: .*`), `${field}: ${time}`)
        expect(refusal(text)).toBe('SIWE_MESSAGE_INVALID')
      }
    }
  })

  it('without any one of the required fields is refused', () => {
    for (const field of ['URI', 'Version', 'Chain ID', 'Nonce', 'Issued At']) {
      const text = message().replace(new RegExp(`${field}: .*\n?`), '')
      expect(refusal(text)).toBe('SIWE_MESSAGE_INVALID')
    }
    const [, ...withoutDomain] = message().split('\n')
    expect(refusal(withoutDomain.join('\n'))).toBe('SIWE_MESSAGE_INVALID')
  })

  it('with an address of a wrong checksum is refused', () => {
    expect(refusal(message().replace(wallet, wallet.toLowerCase()))).toBe('SIWE_MESSAGE_INVALID')
  })

  it('with a nonce shorter than 8 characters or with other characters is refused', () => {
    for (const nonce of ['abcdefg', 'abcdefgh-1234567', '']) {
      expect(refusal(message().replace('abcdefgh12345678', nonce))).toBe('SIWE_MESSAGE_INVALID')
    }
  })

  it('with anything before, after or between its lines is refused', () => {
    for (const text of [
      ` ${message()}`,
      `${message()}\n`,
      message().replaceAll('\n', '\r\n'),
      `${message()}\nAdmin: yes`,
    ]) {
      expect(refusal(text)).toBe('SIWE_MESSAGE_INVALID')
    }
  })

  it('made of garbage is refused and breaks nothing', () => {
    const lines = fc.array(fc.oneof(fc.string(), fc.constantFrom(...message().split('\n'))), {
      maxLength: 14,
    })
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          lines.map((parts) => parts.join('\n')),
        ),
        (text) => {
          fc.pre(text !== message())
          expect(refusal(text)).toMatch(/^SIWE_/)
        },
      ),
      { numRuns: 500 },
    )
  })
})

it('a refusal names what the message must have: the domain, the beginning of its URI, the chain', () => {
  const { listed } = sites.siteOrigins
  const several = { ...sites, siteOrigins: { listed: ['https://app.example', ...listed], local: true } }
  const [elsewhere, uri] = [message({ domain: 'evil.example' }), 'https://app.example/page']
  expect(() => read(elsewhere)).toThrow('its domain must be app.example:8443, and its scheme')
  expect(() => readSignInMessage(elsewhere, several, now)).toThrow(
    'its domain must be app.example or app.example:8443 or localhost with any port, and its scheme',
  )
  expect(() => readSignInMessage(message({ uri }), several, now)).toThrow(
    'its URI must begin with https://app.example:8443.',
  )
  expect(() => read(message({ chainId: 1 }))).toThrow('its chain id must be 31337.')
})

describe('one of several sites', () => {
  const listed = [
    'https://app.example',
    'https://app.example:8443',
    'http://[::1]:5173',
    'https://xn--bcher-kva.example',
    'http://192.168.1.5:5173',
  ]
  const to = (origin: string, fields: Partial<Fields> = {}, local = false) => {
    const fromOrigin = { domain: origin.replace(/^https?:\/\//, ''), uri: `${origin}/page` }
    // Some of these domains and URIs are none that viem writes.
    const text = message({ ...fields })
      .replace('app.example:8443 wants', `${fromOrigin.domain} wants`)
      .replace('URI: https://app.example:8443', `URI: ${fromOrigin.uri}`)
    return readSignInMessage(text, { ...sites, siteOrigins: { listed, local } }, now).wallet
  }
  const refusalTo = (...given: Parameters<typeof to>) => code(() => to(...given))

  it.each(listed)('is accepted for a message of its own: %s', (origin) => {
    expect(to(origin)).toBe(wallet.toLowerCase())
  })

  it('is not accepted for the URI of another', () => {
    const uri = 'https://app.example/page'
    const several = { ...sites, siteOrigins: { listed, local: false } }
    expect(code(() => readSignInMessage(message({ uri }), several, now))).toBe('SIWE_URI_MISMATCH')
    const otherPort = message({ domain: 'app.example', uri: 'https://app.example:8443/page' })
    expect(code(() => readSignInMessage(otherPort, several, now))).toBe('SIWE_URI_MISMATCH')
  })

  it('is not accepted by the scheme of another, named or in the URI', () => {
    expect(refusalTo('http://app.example')).toBe('SIWE_URI_MISMATCH')
    expect(refusalTo('https://192.168.1.5:5173')).toBe('SIWE_URI_MISMATCH')
    expect(refusalTo('https://app.example:8443', { scheme: 'http' })).toBe('SIWE_DOMAIN_MISMATCH')
  })

  const STRANGERS = [
    'https://app.example:444',
    'https://app.example.',
    'https://app.exampl',
    'https://app.example.evil.example',
    'https://evil-app.example',
    'https://APP.example',
    'https://user@app.example',
    'https://app.example:443',
    'https://app.example:08443',
    'https://bücher.example',
    'https://null',
    'http://[::1]',
    'http://[0:0:0:0:0:0:0:1]:5173',
    'http://192.168.1.5:51730',
    'http://3232235781:5173',
  ]

  it.each([...STRANGERS, 'http://localhost:5173', 'http://127.0.0.1:4000', 'https://localhost'])(
    'is not %s',
    (origin) => {
      expect(refusalTo(origin)).toMatch(/^SIWE_(DOMAIN_MISMATCH|MESSAGE_INVALID)$/)
    },
  )

  it.each(['http://localhost:5173', 'http://127.0.0.1:4000', 'https://localhost', 'http://[::1]:1'])(
    'is any site of this machine in development: %s',
    (origin) => {
      expect(to(origin, {}, true)).toBe(wallet.toLowerCase())
    },
  )

  it.each([
    ...STRANGERS.filter((origin) => origin !== 'http://[::1]'),
    'http://localhost.',
    'http://localhost.evil.example',
    'http://localhost@evil.example',
    'http://evil.example@localhost',
    'http://LOCALHOST:5173',
    'http://127.0.0.2',
    'http://127.1',
    'http://0.0.0.0:5173',
    'http://[::ffff:7f00:1]',
    'http://localhost:80',
    'http://localhost:99999',
  ])('is no other in development: %s', (origin) => {
    expect(refusalTo(origin, {}, true)).toMatch(/^SIWE_(DOMAIN_MISMATCH|URI_MISMATCH|MESSAGE_INVALID)$/)
  })
})
