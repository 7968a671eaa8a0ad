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

  it.each([
    [['--rpc-url', 'ftp://node.example'], /--rpc-url must be/],
    [['--chain-id', '0'], /--chain-id must be a whole number from 1/],
    [['--admin', `0x${'0'.repeat(40)}`], /--admin must be an address/],
    [['--pauser', admin.key.address.replace('F', 'f')], /with a correct checksum/],
    [['--admin-delay', '2592001'], /--admin-delay must be a whole number from 0 to 2592000/],
    [['--max-fee-gwei', '0'], /--max-fee-gwei must be a number above 0/],
    [['--confirmations', '0'], /--confirmations must be/],
    [['--wait-seconds', '1.5'], /--wait-seconds must be/],
    [['--token', admin.address, '--resetting-token', admin.address], /each token must be given once/],
  ])('are refused: %j', (change, message) => {
    const { code, message: found } = failure([...NODE, ...change])
    expect([code, found]).toEqual(['OPTIONS_INVALID', expect.stringMatching(message)])
  })

  it('name one account', () => {
    expect(parse([...NODE, '--from', admin.key.address])?.account).toEqual({
      kind: 'unlocked',
      address: admin.address,
    })
    expect(failure([...NODE, '--keystore', 'file'], { DEPLOYER_PRIVATE_KEY: key }).code).toBe('KEY_AMBIGUOUS')
  })

  it('take no key, and no message repeats one', () => {
    for (const given of [
      ['--private-key', key],
      [`--private-key=${key}`],
      [key],
      ['--chain-id', key],
      ['--token', key],
    ]) {
      const error = failure([...NODE, ...given])
      expect(error.code).toBe('OPTIONS_INVALID')
      expect(`${error.stack}`).not.toContain(key.slice(2))
    }
  })
})

describe('the process', () => {
  it('ends with code 2 and the usage for invalid options, and prints no key', async () => {
    const env = { ...INHERITED, DEPLOYER_PRIVATE_KEY: key }
    const ended = await promisify(execFile)(process.execPath, [MAIN, key], { env }).catch(
      (error: unknown) => error,
    )
    expect(ended).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^OPTIONS_INVALID: .*\n\nusage: npm run deploy/s),
    })
    expect(ended).toHaveProperty('stderr', expect.not.stringContaining(key.slice(2)))
  })
})
