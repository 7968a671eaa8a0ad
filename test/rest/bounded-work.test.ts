/**
 * Requests that are made to cost more than they look: each is refused after a bounded amount of work, with a short
 * answer.
 */
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signIn } from '../support/sign-in.ts'
import { sharedAccount } from '../support/world.ts'
import { type ReadGateway, startReadGateway } from './gateway.ts'

let gateway: ReadGateway
let authorization: string
beforeAll(async () => {
  gateway = await startReadGateway()
  authorization = `Bearer ${await signIn(gateway.app, privateKeyToAccount(sharedAccount('wallet-1').privateKey))}`
})
afterAll(() => gateway.stop())

/** Bytes of the longest refusal: 20 faults of 500 characters each, named twice. */
const REFUSAL_BYTES_MAX = 25_000

async function refusal(response: Response) {
  const text = await response.text()
  const { code, errors = [] } = JSON.parse(text)
  expect(text.length).toBeLessThan(REFUSAL_BYTES_MAX)
  expect(errors.length).toBeLessThanOrEqual(20)
  return { status: response.status, code, path: errors[0]?.path }
}

const object = (size: number, name: (i: number) => string) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: size }, (_, i) => [name(i), 1])))

const BODIES: [title: string, body: string, path: string][] = [
  ['a list of 40,000 entries', `{"claimIds":[${'1,'.repeat(39_999)}1]}`, 'claimIds'],
  ['8,000 unknown fields', object(8000, (i) => `f${i}`), 'body'],
  ['150 unknown fields', object(150, (i) => `f${i}`), 'claimIds'],
  ['150 wrong entries', `{"claimIds":[${'1,'.repeat(149)}1],"targetAdvance":"1"}`, 'claimIds'],
  ['40,000 empty objects', `[${'{},'.repeat(33_000)}{}]`, 'body'],
  ['lists nested 50,000 deep', `${'['.repeat(50_000)}${']'.repeat(50_000)}`, '0.0'],
  ['objects nested 15,000 deep', `${'{"a":'.repeat(15_000)}1${'}'.repeat(15_000)}`, 'a.a'],
  ['3,000 values over many lists', `[${`[${'1,'.repeat(29)}1],`.repeat(99)}[1]]`, 'body'],
  ['a text of 90,000 characters', `{"targetAdvance":"${'9'.repeat(90_000)}"}`, 'targetAdvance'],
  ['a name of 90,000 characters', `{"${'a'.repeat(90_000)}":1}`, 'body'],
  ['names of a prototype', '{"__proto__":{"constructor":{"prototype":1}}}', 'claimIds'],
]

describe('a body', () => {
  it.each(BODIES)('of %s is a 400 that names the place', async (_, body, path) => {
    const response = await gateway.app.request('/api/v1/routes/optimize', {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body,
    })
    const { path: named, ...answer } = await refusal(response)
    expect(answer).toEqual({ status: 400, code: 'VALIDATION_FAILED' })
    expect(named.startsWith(path), named).toBe(true)
  })

  it('that is not JSON is still refused as such', async () => {
    const response = await gateway.app.request('/api/v1/routes/optimize', {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: '['.repeat(50_000),
    })
    expect(await refusal(response)).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' })
  })
})

const nested = (deep: number) => encodeURIComponent(`${'{"AND":['.repeat(deep)}{}${']}'.repeat(deep)}`)

const QUERIES: [title: string, path: string, named: string][] = [
  ['a filter nested 1,500 deep', `/exports/claims.csv?filter=${nested(1500)}`, 'filter.AND'],
  [
    'a filter of 2,000 wrong entries',
    `/exports/claims.csv?filter={"claimId_in":[${'1,'.repeat(1999)}1]}`,
    'filter.claimId_in',
  ],
  [
    'a filter of 150 wrong entries',
    `/exports/claims.csv?filter={"claimId_in":[${'1,'.repeat(149)}1]}`,
    'filter.claimId_in.0',
  ],
  ['a filter of 150 unknown fields', `/exports/claims.csv?filter=${object(150, (i) => `f${i}`)}`, 'filter'],
  ['7,000 unknown columns', `/exports/claims.csv?columns=${'a,'.repeat(7000)}`, 'columns'],
  ['7,000 times the same column', `/exports/claims.csv?columns=${'state,'.repeat(2500)}`, 'columns'],
  ['7,000 groupings', `/exports/claimAggregates.csv?groupBy=${'a,'.repeat(7000)}`, 'groupBy'],
  ['4,000 unknown parameters', `/vaults?${Array.from({ length: 3000 }, (_, i) => `p${i}`).join('&')}`, 'p0'],
  ['a limit of 15,000 digits', `/vaults?limit=${'9'.repeat(15_000)}`, 'limit'],
  ['a cursor of 15,000 characters', `/vaults?cursor=${'W'.repeat(15_000)}`, 'cursor'],
  ['an address of 15,000 digits', `/account/0x${'a'.repeat(15_000)}`, 'wallet'],
]

describe('a query', () => {
  it.each(QUERIES)('of %s is a 400 that names the place', async (_, path, named) => {
    const { path: place, ...answer } = await refusal(await gateway.get(path))
    expect(answer).toEqual({ status: 400, code: 'VALIDATION_FAILED' })
    expect(place.startsWith(named), place).toBe(true)
  })
})

describe('an Accept header', () => {
  it.each(['/vaults', '/graphql?query={__typename}'])('of 14,000 characters is a 400: %s', async (path) => {
    const response = await gateway.get(path, { Accept: 'a/b,'.repeat(3500) })
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('"VALIDATION_FAILED"')
  })
})
