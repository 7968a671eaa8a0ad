import { isIP, isIPv6 } from 'node:net'
import { getConnInfo } from '@hono/node-server/conninfo'
import type { Context } from 'hono'

/**
 * Returns the address that anonymous requests count for. Each trusted proxy appends the address of its caller to
 * `X-Forwarded-For`, so with n proxies the outermost one wrote the n-th entry from the right. Entries left of it, and
 * all entries where no proxy is trusted, can be forged by the client.
 *
 * @returns an IPv4 address, or the /64 network of an IPv6 one: a household or a host has at least that many addresses
 */
export function clientAddress(c: Context, trustedProxies: number): string {
  const forwarded = trustedProxies > 0 ? forwardedAddress(c, trustedProxies) : undefined
  return toNetwork(forwarded ?? connectionAddress(c))
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

function toNetwork(address: string): string {
  if (!isIPv6(address)) return address
  const groups = groupsOf(address)
  const [high = '', low = ''] = groups.slice(6)
  if (groups.slice(0, 6).join(':') === IPV4_MAPPED) return [...octetsOf(high), ...octetsOf(low)].join('.')
  return `${groups.slice(0, 4).join(':')}::/64`
}

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

function octetsOf(group: string): number[] {
  const bits = Number.parseInt(group, 16)
  return [bits >> 8, bits & 0xff]
}
