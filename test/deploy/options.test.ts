/** The command line of `npm run deploy`. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Hex, keccak256, stringToHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { DeployError } from '../../deploy/errors.ts'
import { parseOptions } from '../../deploy/options.ts'
import { INHERITED } from '../support/inherited.ts'
import { wellKnownParties } from '../support/parties.ts'

const MAIN = join(import.meta.dirname, '../../deploy/main.ts')
const key: Hex = keccak256(stringToHex('a key for tests'))
const { admin, issuer } = wellKnownParties()
const NODE = ['--rpc-url', 'http://127.0.0.1:8545', '--chain-id', '84532']

const parse = (args: readonly string[], env: Record<string, string> = {}) =>
  parseOptions(args, env, '/project')

function failure(args: readonly string[], env: Record<string, string> = {}): DeployError {
  try {
    parse(args, env)
  } catch (error) {
    if (error instanceof DeployError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

describe('the options', () => {
  it('have defaults', () => {
    expect(parse(NODE)).toEqual({
      rpcUrl: 'http://127.0.0.1:8545',
      account: undefined,
      request: {
        chainId: 84_532,
        roles: {},
        tokens: [],
        maxFee: 100_000_000_000n,
        confirmations: 3,
        waitMs: 600_000,
        pollMs: 1000,
        dryRun: false,
        folder: '/project/deployments',
      },
    })
    expect(parse(['--chain-id', '1'], { RPC_URLS: 'https://one.example, https://two.example' })?.rpcUrl).toBe(
      'https://one.example',
    )
    expect(parse(['--help'])).toBeUndefined()
  })

  it('name roles and tokens by address', () => {
    const given = ['--admin', admin.key.address, '--pauser', issuer.address, '--admin-delay', '0']
    const tokens = ['--token', admin.address, '--resetting-token', issuer.address]
    expect(parse([...NODE, ...given, ...tokens])?.request).toMatchObject({
      roles: { admin: admin.address, pauser: issuer.address, adminDelay: 0 },
      tokens: [
        { address: admin.address, resetsApproval: false },
        { address: issuer.address, resetsApproval: true },
      ],
    })
  })

  it('name the holder of each role', () => {
    const { curator, provider, relayer } = wellKnownParties()
    const given = [
      ...['--issuer-manager', issuer.address, '--token-manager', curator.address],
      ...['--vault-manager', provider.address, '--pauser', relayer.address],
    ]
    expect(parse([...NODE, ...given])?.request.roles).toEqual({
      issuerManager: issuer.address,
      tokenManager: curator.address,
      vaultManager: provider.address,
      pauser: relayer.address,
    })
  })

  it('may have the values at their bounds', () => {
    const bounds = [
      ['--chain-id', '1', { chainId: 1 }],
      ['--chain-id', `${Number.MAX_SAFE_INTEGER}`, { chainId: Number.MAX_SAFE_INTEGER }],
      ['--admin-delay', '2592000', { roles: { adminDelay: 2_592_000 } }],
      ['--confirmations', '1', { confirmations: 1 }],
      ['--confirmations', '1000', { confirmations: 1000 }],
      ['--wait-seconds', '1', { waitMs: 1000 }],
      ['--wait-seconds', '86400', { waitMs: 86_400_000 }],
      ['--max-fee-gwei', '0.000000001', { maxFee: 1n }],
      ['--max-fee-gwei', '2.5', { maxFee: 2_500_000_000n }],
    ] as const
    for (const [name, value, expected] of bounds)
      expect(parse([...NODE, name, value])?.request, `${name} ${value}`).toMatchObject(expected)
  })

  it('prevail over variables, and a plan is one where it is asked for', () => {
    const env = { RPC_URLS: 'https://one.example' }
    expect(parse([...NODE, '--dry-run', '--folder', '/other'], env)).toMatchObject({
      rpcUrl: 'http://127.0.0.1:8545',
      request: { dryRun: true, folder: '/other' },
    })
  })

  it.each([
    [['--rpc-url', 'ftp://node.example'], /--rpc-url must be/],
    [['--chain-id', '0'], /--chain-id must be a whole number from 1/],
    [['--admin', `0x${'0'.repeat(40)}`], /--admin must be an address/],
    [['--pauser', admin.key.address.replace('F', 'f')], /with a correct checksum/],
    [['--admin-delay', '2592001'], /--admin-delay must be a whole number from 0 to 2592000/],
    [['--admin-delay', ''], /--admin-delay must be a whole number from 0 to 2592000/],
    [['--max-fee-gwei', '0'], /--max-fee-gwei must be a number above 0/],
    [['--chain-id', `${2 ** 53}`], /--chain-id must be a whole number from 1 to 9007199254740991/],
    [['--max-fee-gwei', '0.0000000001'], /--max-fee-gwei must be a number above 0, with at most 9 decimals/],
    [['--confirmations', '0'], /--confirmations must be/],
    [['--confirmations', '1001'], /--confirmations must be a whole number from 1 to 1000/],
    [['--wait-seconds', '0'], /--wait-seconds must be/],
    [['--wait-seconds', '86401'], /--wait-seconds must be a whole number from 1 to 86400/],
    [['--wait-seconds', '1.5'], /--wait-seconds must be/],
    [['--token', admin.address, '--resetting-token', admin.address], /each token must be given once/],
    [['--token', admin.address, '--token', admin.key.address], /each token must be given once/],
  ])('are refused: %j', (change, message) => {
    const { code, message: found } = failure([...NODE, ...change])
    expect([code, found]).toEqual(['OPTIONS_INVALID', expect.stringMatching(message)])
  })

  it('name one account', () => {
    expect(parse([...NODE, '--from', admin.key.address])?.account).toEqual({
      kind: 'unlocked',
      address: admin.address,
    })
    const opened = { passwordFile: 'secret', password: 'of the variable' }
    expect(
      parse([...NODE, '--keystore', 'file', '--password-file', 'secret'], {
        KEYSTORE_PASSWORD: opened.password,
      })?.account,
    ).toEqual({ kind: 'keystore', file: 'file', ...opened })
    expect(parse([...NODE, '--keystore', 'file'], { KEYSTORE_PASSWORD: '' })?.account).toEqual({
      kind: 'keystore',
      file: 'file',
      password: '',
    })
    expect(parse(NODE, { DEPLOYER_PRIVATE_KEY: key })?.account).toEqual({ kind: 'key', key })
    const one = ['--from', admin.address]
    for (const [args, env] of [
      [['--keystore', 'file'], { DEPLOYER_PRIVATE_KEY: key }],
      [one, { DEPLOYER_PRIVATE_KEY: key }],
      [['--keystore', 'file', ...one], {}],
    ] as const)
      expect(failure([...NODE, ...args], env).code).toBe('KEY_AMBIGUOUS')
  })

  it.each([
    ['as it is', key],
    ['without 0x', key.slice(2)],
    ['in capital letters', key.slice(2).toUpperCase()],
  ])('take no key, and no message repeats one (%s)', (_, text) => {
    for (const given of [
      ['--private-key', text],
      [`--private-key=${text}`],
      [text],
      [text, text],
      ['--chain-id', text],
      ['--token', text],
    ]) {
      const error = failure([...NODE, ...given])
      expect(error.code).toBe('OPTIONS_INVALID')
      expect(`${error.stack}`.toLowerCase()).not.toContain(key.slice(2))
    }
  })
})

describe('the process', () => {
  const ends = (args: readonly string[]) => {
    const env = { ...INHERITED, DEPLOYER_PRIVATE_KEY: key }
    return promisify(execFile)(process.execPath, [MAIN, ...args], { env }).catch((error: unknown) => error)
  }

  it('ends with code 2 and the usage for invalid options, and prints no key', async () => {
    const ended = await ends([key])
    expect(ended).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^OPTIONS_INVALID: .*\n\nusage: npm run deploy/s),
    })
    expect(ended).toHaveProperty('stderr', expect.not.stringContaining(key.slice(2)))
  })

  it('ends with code 1 for any other failure, and with 0 after the usage that is asked for', async () => {
    expect(await ends([...NODE, '--from', admin.address])).toMatchObject({
      code: 1,
      stderr: 'KEY_AMBIGUOUS: give one of DEPLOYER_PRIVATE_KEY, --keystore and --from\n',
    })
    expect(await ends(['--help'])).toEqual({
      stdout: expect.stringMatching(/^usage: npm run deploy/),
      stderr: '',
    })
  })
})
