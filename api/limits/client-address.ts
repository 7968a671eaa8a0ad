import { isIP, isIPv6 } from 'node:net'
import { getConnInfo } from '@hono/node-server/conninfo'
import type { Context } from 'hono'
import type { Bound } from './concurrency-limit.ts'

/** Bits of the IPv6 networks that one client can have, and how often a network may have the limits of one client. */
export const NETWORKS = [
  { bits: 64, times: 1 },
  { bits: 56, times: 2 },
  { bits: 48, times: 4 },
] as const

/** An address or a network that one client can have. */
export type ClientNetwork = {
  readonly name: string
  /** How often the network may have the limits of one client. */
  readonly times: number
}

/** An IPv4 address, or the networks of an IPv6 address, the narrowest first. */
export type ClientNetworks = readonly [ClientNetwork, ...ClientNetwork[]]

/**
 * Returns what requests of a client count for. Each trusted proxy appends the address of its caller to
 * `X-Forwarded-For`, so with n proxies the outermost one wrote the n-th entry from the right. Entries left of it, and
 * all entries where no proxy is trusted, can be forged by the client.
 */
export function clientNetworks(c: Context, trustedProxies: number): ClientNetworks {
  const forwarded = trustedProxies > 0 ? forwardedAddress(c, trustedProxies) : undefined
  return toNetworks(forwarded ?? connectionAddress(c))
}

/** @returns an IPv4 address, or the /64 network of an IPv6 one: a host has at least that many addresses */
export function clientAddress(c: Context, trustedProxies: number): string {
  return clientNetworks(c, trustedProxies)[0].name
}

/** Bounds the concurrent work of a client address, and of the networks around it. @param bound that of one address */
export function boundNetworks<Of extends Bound>(networks: ClientNetworks, bound: Of): Of[] {
  return networks.map(({ name, times }) => ({
    ...bound,
    key: `${bound.key} ${name}`,
    max: bound.max * times,
  }))
}

/** An amount that the requests of one key may use in a window. */
export type Quota = { readonly name: string; readonly quota: number; readonly key: string }

/**
 * Returns the quotas of a client address and of the networks around it.
 *
 * @param quota that of one address
 * @param isOfWallets whether the requests have tokens: they have quotas of their own
 */
export function quotasOf(
  networks: ClientNetworks,
  policy: string,
  quota: number,
  isOfWallets: boolean,
): readonly Quota[] {
  const [suffix, prefix] = isOfWallets ? ['-address', 'all '] : ['', '']
  return networks.map(({ name, times }) => ({
    name: `${policy}${times > 1 ? '-network' : suffix}`,
    quota: quota * times,
    key: `${prefix}${policy} ${name}`,
  }))
}

function forwardedAddress(c: Context, trustedProxies: number): string | undefined {
  const entry = c.req.header('X-Forwarded-For')?.split(',').at(-trustedProxies)
  const address = entry && withoutPort(entry.trim())
  return address && isIP(address) !== 0 ? address : undefined
}

/** Without a connection, as in a test that calls the app itself, all callers are one. */
function connectionAddress(c: Context): string {
  return c.env?.incoming ? (getConnInfo(c).remote.address ?? '') : ''
}

/** Some proxies write `1.2.3.4:5678` or `[2001:db8::1]:5678`. */
function withoutPort(entry: string): string {
  return /^\[([^\]]+)\](?::\d+)?$/.exec(entry)?.[1] ?? /^([\d.]+):\d+$/.exec(entry)?.[1] ?? entry
}

function toNetworks(address: string): ClientNetworks {
  if (!isIPv6(address)) return [{ name: address, times: 1 }]
  const groups = groupsOf(address)
  const [high = '', low = ''] = groups.slice(6)
  if (groups.slice(0, 6).join(':') === IPV4_MAPPED)
    return [{ name: [...octetsOf(high), ...octetsOf(low)].join('.'), times: 1 }]
  const [narrowest, ...wider] = NETWORKS
  const toNetwork = ({ bits, times }: (typeof NETWORKS)[number]) => ({ name: prefixOf(groups, bits), times })
  return [toNetwork(narrowest), ...wider.map(toNetwork)]
}

/** @param bits a multiple of eight, at most 64 */
function prefixOf(groups: readonly string[], bits: number): string {
  const whole = groups.slice(0, Math.floor(bits / 16))
  const half = bits % 16 > 0 ? [hexOf(octetsOf(groups[whole.length] ?? '')[0] << 8)] : []
  return `${[...whole, ...half].join(':')}::/${bits}`
}

const hexOf = (group: number) => group.toString(16)

/** The first 96 bits of an IPv4-mapped address (RFC 4291, section 2.5.5.2). */
const IPV4_MAPPED = '0:0:0:0:0:ffff'

/** The eight groups of an IPv6 address, in lower-case hexadecimal digits without leading zeros. */
function groupsOf(address: string): string[] {
  const [bare = ''] = address.split('%')
  const [head = '', tail = ''] = new URL(`http://[${bare}]`).hostname.slice(1, -1).split('::')
  const left = head.split(':').filter(Boolean)
  const right = tail.split(':').filter(Boolean)
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0')
  return [...left, ...zeros, ...right]
}

function octetsOf(group: string): [number, number] {
  const bits = Number.parseInt(group, 16)
  return [bits >> 8, bits & 0xff]
}
