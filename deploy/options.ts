/**
 * The options of `npm run deploy` and the variables that it reads. No key or password is an option: other users see the
 * arguments of a process.
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Address, isAddress, parseGwei, zeroAddress } from 'viem'
import { lowercase, type Roles } from '../contracts/protocol.ts'
import { faultOf } from '../settings/command-line.ts'
import { type DeploySettings, deploySettings } from '../settings/deploy.ts'
import type { Env } from '../settings/setting.ts'
import type { Request } from './context.ts'
import { DeployError } from './errors.ts'

export const USAGE = `usage: npm run deploy -- --rpc-url URL --chain-id NUMBER [options]

Deploys the protocol, verifies it and writes deployments/<chain id>.json. Run again, it continues or verifies.

the node
  --rpc-url URL           http:// or https://; default: the first of the variable RPC_URLS, which other users do not see
  --chain-id NUMBER       chain that the node must serve

the account that deploys, one of
  DEPLOYER_PRIVATE_KEY    variable: 32 bytes in hex
  --keystore FILE         encrypted key (Web3 Secret Storage, version 3), with its password in --password-file FILE or in
                          the variable KEYSTORE_PASSWORD
  --from ADDRESS          account that the node has unlocked

the roles, by default all of the deployer
  --admin ADDRESS         administrator of all contracts
  --admin-delay SECONDS   time that a change of the administrator takes, 0 to 2592000 (30 days); default 172800 (2 days)
  --issuer-manager ADDRESS, --token-manager ADDRESS, --vault-manager ADDRESS, --pauser ADDRESS

tokens, any number of each
  --token ADDRESS             lists a token and writes it to the manifest
  --resetting-token ADDRESS   the same for a token that refuses to change an allowance that is not zero

limits
  --max-fee-gwei NUMBER       maximum fee per gas; default 100
  --confirmations NUMBER      blocks after which a transaction counts as mined, 1 to 1000; default 3
  --wait-seconds NUMBER       time to wait for one transaction, 1 to 86400; default 600

  --dry-run               prints the plan and sends nothing
  --folder PATH           of the manifest and the journal; default deployments`

/** Where the account comes from. */
export type Account =
  | { kind: 'key'; key: string }
  | { kind: 'keystore'; file: string; passwordFile?: string; password?: string }
  | { kind: 'unlocked'; address: Address }

export type Options = { rpcUrl: string; account: Account | undefined; request: Request }

type Values = ReturnType<typeof readValues>

const text = { type: 'string' } as const
const POLL_MS = 1000

/** @returns undefined when only the usage is wanted @throws DeployError `OPTIONS_INVALID`, `KEY_AMBIGUOUS` */
export function parseOptions(args: readonly string[], env: Env, project: string): Options | undefined {
  const values = readValues(args)
  if (values.help) return undefined
  const variables = deploySettings.parse(env)
  return {
    rpcUrl: urlOf(values['rpc-url'] ?? variables.RPC_URLS?.split(',')[0]?.trim()),
    account: accountOf(values, variables),
    request: {
      chainId: wholeOf('chain-id', values['chain-id'], 1, Number.MAX_SAFE_INTEGER),
      roles: rolesOf(values),
      tokens: tokensOf(values),
      maxFee: gweiOf(values['max-fee-gwei']),
      confirmations: wholeOf('confirmations', values.confirmations, 1, 1000),
      waitMs: 1000 * wholeOf('wait-seconds', values['wait-seconds'], 1, 86_400),
      pollMs: POLL_MS,
      dryRun: values['dry-run'],
      folder: values.folder ? resolve(values.folder) : resolve(project, 'deployments'),
    },
  }
}

function readValues(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        'rpc-url': text,
        'chain-id': text,
        keystore: text,
        'password-file': text,
        from: text,
        admin: text,
        'admin-delay': text,
        'issuer-manager': text,
        'token-manager': text,
        'vault-manager': text,
        pauser: text,
        token: { type: 'string', multiple: true, default: [] },
        'resetting-token': { type: 'string', multiple: true, default: [] },
        'max-fee-gwei': { type: 'string', default: '100' },
        confirmations: { type: 'string', default: '3' },
        'wait-seconds': { type: 'string', default: '600' },
        'dry-run': { type: 'boolean', default: false },
        folder: text,
        help: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    // The message may repeat an argument, and that may be a key.
    throw invalid(faultOf(error, USAGE).replace(/[0-9a-fA-F]{64}/g, '[64 hex digits]'))
  }
}

const invalid = (message: string) => new DeployError('OPTIONS_INVALID', message)

function urlOf(url: string | undefined): string {
  const protocol = URL.parse(url ?? '')?.protocol
  if (url && (protocol === 'http:' || protocol === 'https:')) return url
  throw invalid('--rpc-url must be the http:// or https:// address of a node')
}

function wholeOf(name: string, value: string | undefined, min: number, max: number): number {
  const number = /^[0-9]{1,16}$/.test(value ?? '') ? Number(value) : Number.NaN
  if (number >= min && number <= max) return number
  throw invalid(`--${name} must be a whole number from ${min} to ${max}`)
}

function gweiOf(value: string): bigint {
  const fee = /^[0-9]{1,9}(\.[0-9]{1,9})?$/.test(value) ? parseGwei(value) : 0n
  if (fee > 0n) return fee
  throw invalid('--max-fee-gwei must be a number above 0, with at most 9 decimals')
}

function addressOf(name: string, value: string): Address {
  const isLowercase = /^0x[0-9a-f]{40}$/.test(value)
  if (value === zeroAddress || !(isLowercase || isAddress(value, { strict: true }))) {
    throw invalid(
      `--${name} must be an address in lowercase or with a correct checksum (EIP-55), and not zero`,
    )
  }
  return lowercase(`0x${value.slice(2)}`)
}

function accountOf(values: Values, variables: DeploySettings): Account | undefined {
  const { keystore, from, 'password-file': passwordFile } = values
  const { DEPLOYER_PRIVATE_KEY: key, KEYSTORE_PASSWORD: password } = variables
  const accounts: Account[] = []
  if (key) accounts.push({ kind: 'key', key })
  if (keystore) {
    const opened = { ...(passwordFile && { passwordFile }), ...(password !== undefined && { password }) }
    accounts.push({ kind: 'keystore', file: keystore, ...opened })
  }
  if (from) accounts.push({ kind: 'unlocked', address: addressOf('from', from) })
  if (accounts.length > 1) {
    throw new DeployError('KEY_AMBIGUOUS', 'give one of DEPLOYER_PRIVATE_KEY, --keystore and --from')
  }
  return accounts[0]
}

const DELAY_MAX_SECONDS = 2_592_000

function rolesOf(values: Values): Partial<Roles> {
  const {
    admin,
    pauser,
    'admin-delay': delay,
    'issuer-manager': issuers,
    'token-manager': tokens,
    'vault-manager': vaults,
  } = values
  return {
    ...(admin !== undefined && { admin: addressOf('admin', admin) }),
    ...(delay !== undefined && { adminDelay: wholeOf('admin-delay', delay, 0, DELAY_MAX_SECONDS) }),
    ...(issuers !== undefined && { issuerManager: addressOf('issuer-manager', issuers) }),
    ...(tokens !== undefined && { tokenManager: addressOf('token-manager', tokens) }),
    ...(vaults !== undefined && { vaultManager: addressOf('vault-manager', vaults) }),
    ...(pauser !== undefined && { pauser: addressOf('pauser', pauser) }),
  }
}

function tokensOf(values: Values): Request['tokens'] {
  const tokens = [
    ...values.token.map((token) => ({ address: addressOf('token', token), resetsApproval: false })),
    ...values['resetting-token'].map((token) => ({
      address: addressOf('resetting-token', token),
      resetsApproval: true,
    })),
  ]
  if (new Set(tokens.map(({ address }) => address)).size < tokens.length)
    throw invalid('each token must be given once')
  return tokens
}
