/** Addresses of the internet, as distinguished from those of one machine or one private network. */
import { BlockList, isIP } from 'node:net'

/**
 * Ranges that no router of the internet forwards (RFC 6890, and RFC 4291 for multicast). Those for documentation are
 * left out: no connection leads there.
 */
const PRIVATE = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const) {
  PRIVATE.addSubnet(network, bits, 'ipv4')
}
for (const [network, bits] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const) {
  PRIVATE.addSubnet(network, bits, 'ipv6')
}

/**
 * Whether the text is an address of the internet; false for a name. An IPv4 address in IPv6 notation is judged as the
 * former.
 */
export function isPublicAddress(text: string): boolean {
  const family = isIP(text)
  return family !== 0 && !PRIVATE.check(text, family === 4 ? 'ipv4' : 'ipv6')
}

/** Whether the text stands for every address of a machine. */
export const isEveryAddress = (text: string) => text === '0.0.0.0' || text === '::'
