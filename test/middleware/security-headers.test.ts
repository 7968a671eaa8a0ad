import { Hono } from 'hono'
import { secureHeaders } from 'hono/secure-headers'
import { describe, expect, it } from 'vitest'
import { securityHeaders } from '../../api/http/security-headers.ts'

/** Headers whose values the gateway chooses. */
const OWN = {
  'content-security-policy':
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'cross-origin-resource-policy': 'same-site',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-frame-options': 'DENY',
}

const headersOf = async (app: Hono) => Object.fromEntries((await app.request('/')).headers)

describe('the security headers', () => {
  it('are those that the library sets by default, with its values where the gateway has none of its own', async () => {
    const library = new Hono().use(secureHeaders()).get('/', (c) => c.body(null))
    const gateway = new Hono().use(securityHeaders()).get('/', (c) => c.body(null))
    expect(await headersOf(gateway)).toEqual({ ...(await headersOf(library)), ...OWN })
  })

  it('are not set on an answer that has its own', async () => {
    const own = { 'Content-Security-Policy': "default-src 'self'" }
    const page = new Hono().use(securityHeaders()).get('/', (c) => c.html('page', 200, own))
    expect(await headersOf(page)).toMatchObject({ 'content-security-policy': "default-src 'self'" })
  })
})
