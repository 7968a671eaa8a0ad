/** Connections with which no process starts: others can read or change what they carry, or can guess their password. */
import { lookup } from 'node:dns/promises'
import pg from 'pg'
import { isPublicAddress } from './public-address.ts'

/** The settings of every process that concern all of its connections. */
export type ConnectionSettings = {
  readonly ALLOW_UNENCRYPTED: 'yes' | 'no'
  readonly NODE_TLS_REJECT_UNAUTHORIZED?: string | undefined
}

/** A URL of Postgres or of HTTP, and the setting that it is of. */
export type Connection = { setting: string; url: string }

/** The addresses of a host. @throws when it has none */
export type Lookup = (host: string) => Promise<readonly string[]>

const addressesOf: Lookup = async (host) => (await lookup(host, { all: true })).map(({ address }) => address)

/**
 * A name is looked up, because only its address shows whether a connection leaves the private network. A name without
 * an address is accepted: nothing is sent to it.
 *
 * @throws Error with a sentence per connection, which contains its setting and its position there, and no part of its
 * URL
 */
export async function refuseUnsafeConnections(
  connections: readonly Connection[],
  settings: ConnectionSettings,
  addresses: Lookup = addressesOf,
): Promise<void> {
  const faults = [
    settings.NODE_TLS_REJECT_UNAUTHORIZED === '0' &&
      'NODE_TLS_REJECT_UNAUTHORIZED is 0, which disables the check of every certificate: remove it, and name a private authority in NODE_EXTRA_CA_CERTS',
    ...named(connections).map(({ name, url }) => isDatabase(url) && passwordFault(name, url)),
    ...(settings.ALLOW_UNENCRYPTED === 'yes'
      ? []
      : await Promise.all(named(connections).map(({ name, url }) => encryptionFault(name, url, addresses)))),
  ].filter((fault) => typeof fault === 'string')
  if (faults.length > 0) throw new Error(`${faults.join('; ')}.`)
}

/** Each with its position, where its setting is a list. */
function named(connections: readonly Connection[]): { name: string; url: string }[] {
  return connections.map(({ setting, url }, index) => {
    const first = connections.findIndex((other) => other.setting === setting)
    const isOne = connections.filter((other) => other.setting === setting).length === 1
    return { name: isOne ? setting : `${setting} (entry ${index - first + 1})`, url }
  })
}

const isDatabase = (url: string) => /^postgres(ql)?:/.test(url)

function passwordFault(name: string, url: string): string | undefined {
  const { user, password, host } = new pg.Client({ connectionString: url })
  if (isOfThisMachine(host) || !password || password !== user) return undefined
  return `${name} has the name of its user as the password: set another one with \\password in psql`
}

async function encryptionFault(name: string, url: string, addresses: Lookup): Promise<string | undefined> {
  const host = isDatabase(url) ? hostOfUnverified(url) : hostOfPlain(url)
  if (host === undefined || isOfThisMachine(host)) return undefined
  const found = await addresses(host).catch(() => [])
  if (!found.some(isPublicAddress)) return undefined
  const remedy = isDatabase(url) ? 'add sslmode=verify-full to it' : 'use https://'
  return `${name} leads to a public address over a connection that others can read and change: ${remedy}, use a private network, or set ALLOW_UNENCRYPTED=yes where the network is private all the same`
}

/**
 * The host of a database whose connection is not encrypted, or not to a server that is verified. The library decides:
 * variables of libpq count, too.
 */
function hostOfUnverified(url: string): string | undefined {
  const { host, ssl } = new pg.Client({ connectionString: url })
  return isVerified(ssl) ? undefined : withoutBrackets(host)
}

function isVerified(ssl: unknown): boolean {
  if (typeof ssl !== 'object' || ssl === null) return ssl === true
  return !('rejectUnauthorized' in ssl && ssl.rejectUnauthorized === false)
}

function hostOfPlain(url: string): string | undefined {
  const { protocol, hostname } = new URL(url)
  return protocol === 'http:' ? withoutBrackets(hostname) : undefined
}

const withoutBrackets = (host: string) => host.replace(/^\[|\]$/g, '')

/** A path is that of a socket. */
const isOfThisMachine = (host: string) =>
  host.startsWith('/') || host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host)
