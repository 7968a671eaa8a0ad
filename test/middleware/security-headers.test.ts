import { Hono } from 'hono'
import { secureHeaders } from 'hono/secure-headers'
import { describe, expect, it } from 'vitest'
import { SECURITY_HEADERS } from '../../api/middleware/security-headers.ts'

/** Headers whose values the gateway chooses. */
const OWN = [
  'content-security-policy',
  'cross-origin-resource-policy',
  'referrer-policy',
  'strict-transport-security',
  'x-frame-options',
]

describe('the security headers', () => {
  it('are those that the library sets by default, with its values where the gateway has none of its own', async () => {
    const library = new Hono().use(secureHeaders()).get('/', (c) => c.body(null))
    const theirs = Object.fromEntries((await library.request('/')).headers)
    const ours = Object.fromEntries(new Headers(SECURITY_HEADERS))
    const own = Object.fromEntries(OWN.map((name) => [name, ours[name]]))
    expect(ours).toEqual({ ...theirs, ...own })
  })
})
