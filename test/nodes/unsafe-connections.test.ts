import { describe, expect, it } from 'vitest'
import { isEveryAddress, isPublicAddress } from '../../nodes/public-address.ts'
import { type Lookup, refuseUnsafeConnections } from '../../nodes/unsafe-connections.ts'

const SAFE = { ALLOW_UNENCRYPTED: 'no', NODE_TLS_REJECT_UNAUTHORIZED: undefined } as const

/** Answers of a name server. */
const ADDRESSES = new Map([
  ['db.internal', ['10.0.0.5']],
  ['db.example', ['10.0.0.5', '203.0.113.5']],
  ['node.example', ['2001:db8::5']],
  ['127.example', ['203.0.113.5']],
])
const lookup: Lookup = async (host) => {
  const found = ADDRESSES.get(host) ?? (/^[\d.]+$|:/.test(host) ? [host] : undefined)
  if (!found) throw new Error(`${host} has no address`)
  return found
}
const start = (setting: string, urls: readonly string[], change: object = {}) =>
  refuseUnsafeConnections(
    urls.map((url) => ({ setting, url })),
    { ...SAFE, ...change },
    lookup,
  )

describe('a connection that leaves the private network', () => {
  it.each([
    'postgres://gateway:hunter2@db.example/claims',
    'postgres://gateway:hunter2@203.0.113.5/claims',
    'postgres://gateway:hunter2@[2001:db8::5]/claims',
    'postgres://gateway:hunter2@db.example/claims?sslmode=disable',
    'postgres://gateway:hunter2@db.example/claims?sslmode=no-verify',
    'postgres://gateway:hunter2@db.example/claims?sslmode=require&uselibpqcompat=true',
  ])('of a database is refused without TLS that verifies the server: %s', async (url) => {
    await expect(start('DATABASE_URL', [url])).rejects.toThrow(
      /^DATABASE_URL leads to a public address .* add sslmode=verify-full to it, .*ALLOW_UNENCRYPTED=yes/,
    )
    await expect(start('DATABASE_URL', [url])).rejects.not.toThrow(/hunter2|example|203|2001/)
  })

  it.each(['postgres://gateway:hunter2@db.example/claims?sslmode=verify-full'])(
    'of a database starts with TLS: %s',
    async (url) => {
      await expect(start('DATABASE_URL', [url])).resolves.toBeUndefined()
    },
  )

  it('of a node is refused over http, and named by its position', async () => {
    const urls = ['https://node.example/v2/hunter2', 'http://10.0.0.5:8545', 'http://node.example/v2/hunter2']
    await expect(start('RPC_URLS', urls)).rejects.toThrow(
      /^RPC_URLS \(entry 3\) leads to a public address .* use https:\/\/, [^;]*\.$/,
    )
    await expect(start('RPC_URLS', ['http://[2001:db8::5]:8545'])).rejects.toThrow(/^RPC_URLS leads/)
  })

  it('is refused to a name that begins like an address of this machine', async () => {
    await expect(start('RPC_URLS', ['http://127.example'])).rejects.toThrow(/^RPC_URLS leads/)
    await expect(start('DATABASE_URL', ['postgres://gateway:hunter2@127.example/claims'])).rejects.toThrow(
      /^DATABASE_URL leads/,
    )
  })

  it('is named by its position in its own setting, with every other one', async () => {
    const urls = ['http://10.0.0.5', 'http://node.example', 'http://node.example/2']
    const database = { setting: 'DATABASE_URL', url: 'postgres://gateway:hunter2@db.example/claims' }
    const nodes = urls.map((url) => ({ setting: 'RPC_URLS', url }))
    await expect(refuseUnsafeConnections([database, ...nodes], SAFE, lookup)).rejects.toThrow(
      /^DATABASE_URL leads [^;]*; RPC_URLS \(entry 2\) leads [^;]*; RPC_URLS \(entry 3\) leads [^;]*\.$/,
    )
  })

  it('starts where it is allowed', async () => {
    await expect(
      start('RPC_URLS', ['http://node.example'], { ALLOW_UNENCRYPTED: 'yes' }),
    ).resolves.toBeUndefined()
  })
})

describe('a connection that stays in the private network', () => {
  it.each([
    'postgres://gateway:hunter2@db.internal/claims',
    'postgres://gateway:hunter2@127.0.0.1/claims',
    'postgres://gateway:hunter2@[::1]/claims',
    'postgres://gateway:hunter2@%2Fvar%2Frun%2Fpostgresql/claims',
    'postgres://gateway:hunter2@unknown.internal/claims',
    'http://db.internal:8545',
    'http://localhost:8545',
    'http://[fd00::5]:8545',
  ])('needs no TLS: %s', async (url) => {
    await expect(start('SETTING', [url])).resolves.toBeUndefined()
  })
})

describe('a password', () => {
  it('that is the name of its user is refused for another machine, without TLS and with it', async () => {
    for (const host of ['db.internal/claims', 'db.example/claims?sslmode=verify-full']) {
      await expect(start('DATABASE_URL', [`postgres://gateway:gateway@${host}`])).rejects.toThrow(
        /^DATABASE_URL has the name of its user as the password: .*\\password/,
      )
    }
    await expect(start('DATABASE_URL', ['postgres://gateway:gateway@127.0.0.1/x'])).resolves.toBeUndefined()
    await expect(start('DATABASE_URL', ['postgres://gateway@db.internal/x'])).resolves.toBeUndefined()
  })
})

it('a process that checks no certificate is refused', async () => {
  await expect(start('RPC_URLS', [], { NODE_TLS_REJECT_UNAUTHORIZED: '0' })).rejects.toThrow(
    /^NODE_TLS_REJECT_UNAUTHORIZED is 0, .*NODE_EXTRA_CA_CERTS/,
  )
  await expect(start('RPC_URLS', [], { NODE_TLS_REJECT_UNAUTHORIZED: '1' })).resolves.toBeUndefined()
})

it('a public address is one of the internet', () => {
  const addresses = [
    ...[
      '1.0.0.0',
      '9.255.255.255',
      '11.0.0.0',
      '100.63.255.255',
      '100.128.0.0',
      '126.255.255.255',
      '128.0.0.0',
    ],
    ...['169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '192.167.255.255', '192.169.0.0'],
    ...['198.17.255.255', '198.20.0.0', '223.255.255.255'],
    ...['::2', '2606:4700::1', 'fbff::1', 'fe00::1', 'fec0::1', '::ffff:8.8.8.8'],
  ]
  expect(addresses.filter((address) => !isPublicAddress(address))).toEqual([])
  const others = [
    ...['0.0.0.0', '0.255.255.255', '10.0.0.0', '10.255.255.255', '100.64.0.0', '100.127.255.255'],
    ...['127.0.0.0', '127.255.255.255', '169.254.0.0', '169.254.255.255', '172.16.0.0', '172.31.255.255'],
    ...['192.168.0.0', '192.168.255.255', '198.18.0.0', '198.19.255.255', '224.0.0.0', '255.255.255.255'],
    ...['::', '::1', 'fc00::', 'fdff::1', 'fe80::1', 'febf::1', 'ff00::', 'ff02::1', '::ffff:10.0.0.1'],
    ...['node.example', ''],
  ]
  expect(others.filter(isPublicAddress)).toEqual([])
  const hosts = ['0.0.0.0', '::', '127.0.0.1', '::1', 'localhost']
  expect(hosts.filter(isEveryAddress)).toEqual(['0.0.0.0', '::'])
})
