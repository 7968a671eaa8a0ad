/** Networks against whose limits the requests of a client address count. */
import fc from 'fast-check'
import { Hono } from 'hono'
import { expect, it } from 'vitest'
import { type ClientNetworks, clientAddress, clientNetworks } from '../../api/limits/client-address.ts'

async function networksOf(
  remoteAddress: string,
  trustedProxies = 0,
  headers: Record<string, string> = {},
): Promise<ClientNetworks> {
  let found: ClientNetworks | undefined
  const app = new Hono()
  app.get('/', (c) => {
    found = clientNetworks(c, trustedProxies)
    expect(clientAddress(c, trustedProxies)).toBe(found[0].name)
    return c.text('')
  })
  await app.request('/', { headers }, { incoming: { socket: { remoteAddress } } })
  if (!found) throw new Error('the request was not handled')
  return found
}

const groups = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 })
const write = (address: readonly number[]) => address.map((group) => group.toString(16)).join(':')
const bitsOf = (address: readonly number[]) =>
  address.map((group) => group.toString(2).padStart(16, '0')).join('')

it('an IPv4 address is alone, also as an IPv6 address', async () => {
  const alone = [{ name: '192.0.2.1', times: 1 }]
  expect(await networksOf('192.0.2.1')).toEqual(alone)
  expect(await networksOf('::ffff:192.0.2.1')).toEqual(alone)
})

it('an IPv6 address has three networks, and wider ones have a multiple of its limits', async () => {
  expect(await networksOf('2001:db8:0:12ab::1')).toEqual([
    { name: '2001:db8:0:12ab::/64', times: 1 },
    { name: '2001:db8:0:1200::/56', times: 2 },
    { name: '2001:db8:0::/48', times: 4 },
  ])
})

it('two IPv6 addresses share the networks whose bits are equal, and no others', async () => {
  const kept = fc.integer({ min: 40, max: 72 })
  await fc.assert(
    fc.asyncProperty(groups, groups, kept, async (one, other, bits) => {
      // The other one begins with bits of the first, so that most pairs share a network.
      const mixed = bitsOf(one).slice(0, bits) + bitsOf(other).slice(bits)
      const neighbour = Array.from({ length: 8 }, (_, i) =>
        Number.parseInt(mixed.slice(16 * i, 16 * i + 16), 2),
      )
      const [own, others] = [await networksOf(write(one)), await networksOf(write(neighbour))]
      const shared = [64, 56, 48].map((width) => bitsOf(one).slice(0, width) === mixed.slice(0, width))
      expect(own.map(({ name }, i) => name === others[i]?.name)).toEqual(shared)
    }),
    { numRuns: 300 },
  )
})

it.each<[trustedProxies: number, forwarded: string, client: string]>([
  [0, '192.0.2.1', '198.51.100.9'],
  [1, '192.0.2.1', '192.0.2.1'],
  // A client sends addresses of its own, which come first.
  [1, '203.0.113.7, 192.0.2.1', '192.0.2.1'],
  [2, '203.0.113.7, 192.0.2.1, 198.51.100.8', '192.0.2.1'],
  [1, '203.0.113.7, [2001:db8::1]:443', '2001:db8:0:0::/64'],
  [1, '203.0.113.7,192.0.2.1:8080', '192.0.2.1'],
  // Nothing that a trusted proxy wrote: the connection decides.
  [3, '203.0.113.7, 192.0.2.1', '198.51.100.9'],
  [1, '192.0.2.1, unknown', '198.51.100.9'],
])('behind %i proxies that write "%s", the client is %s', async (trustedProxies, forwarded, client) => {
  const headers = { 'X-Forwarded-For': forwarded }
  const [own] = await networksOf('198.51.100.9', trustedProxies, headers)
  expect(own.name).toBe(client)
})

it('half of the group of a /56 network is that of the address', async () => {
  expect(await networksOf('2001:db8:abcd:12ab::1')).toMatchObject([
    { name: '2001:db8:abcd:12ab::/64' },
    { name: '2001:db8:abcd:1200::/56' },
    { name: '2001:db8:abcd::/48' },
  ])
})
