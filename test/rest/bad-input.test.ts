/** Whatever a caller sends to a read is answered with a documented status, and never with a 500. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { assertProperty } from '../support/property.ts'
import { sharedAccount, sharedWorld } from '../support/world.ts'
import { type ReadGateway, startReadGateway } from './gateway.ts'

let gateway: ReadGateway
beforeAll(async () => {
  gateway = await startReadGateway()
})
afterAll(() => gateway.stop())

const { address } = sharedAccount('wallet-1')
const [claimId] = sharedWorld().claimIds

async function refusal(path: string) {
  const response = await gateway.get(path)
  const problem = await response.json()
  return {
    status: response.status,
    code: problem.code,
    paths: problem.errors?.map((error: { path: string }) => error.path),
  }
}

describe('bad input to a read', () => {
  it.each([
    ['an address that is too short', `/account/${address.slice(0, 41)}`, ['wallet']],
    ['an address that is not hex', `/account/0x${'g'.repeat(40)}`, ['wallet']],
    ['a name instead of an address', '/activity/alice.eth', ['wallet']],
    ['an address with a wrong checksum', '/activity/0xF39Fd6e51aad88F6F4ce6aB8827279cffFb92266', ['wallet']],
    ['an id without 0x', `/claims/${claimId?.slice(2)}`, ['claimId']],
    ['an id that is too long', `/executions/${claimId}00`, ['executionId']],
    ['an encoded NUL in an id', `/claims/${claimId?.slice(0, 64)}%00%00`, ['claimId']],
    ['a limit of zero', '/vaults?limit=0', ['limit']],
    ['a limit above the largest', '/vaults?limit=201', ['limit']],
    ['a negative limit', '/vaults?limit=-1', ['limit']],
    ['a limit in other digits', `/vaults?limit=${encodeURIComponent('٣')}`, ['limit']],
    ['a limit with an exponent', '/vaults?limit=1e1', ['limit']],
    ['a limit given twice', '/vaults?limit=1&limit=2', ['limit']],
    ['a cursor of nobody', '/vaults?cursor=abc', ['cursor']],
    [
      'a cursor of another list',
      `/vaults?cursor=${Buffer.from('["id","0"]').toString('base64url')}`,
      ['cursor'],
    ],
    ['an unknown parameter', '/vaults?limt=3', ['limt']],
    ['a query with two faults, both named', '/vaults?limit=0&active=perhaps', ['limit', 'active']],
    ['an unknown choice', '/vaults?active=perhaps', ['active']],
  ])('%s: a 400 that names the field', async (_, path, paths) => {
    const answer = await refusal(path)
    expect(answer).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' })
    expect(answer.paths).toEqual(paths)
  })

  it('is never a 500, whatever it is', async () => {
    const noise = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 80 }).map(encode),
      fc.string({ maxLength: 80 }).map(encode),
      fc.constantFrom('%', '%00', '%zz', '..', '%2e%2e%2f', '%F0%28', '\u0000', 'null', '1e9', '-1', '0x'),
      fc.constantFrom(address, claimId ?? ''),
    )
    const path = fc.oneof(
      fc
        .tuple(fc.constantFrom('account', 'activity', 'claims', 'executions'), noise)
        .map((parts) => `/${parts.join('/')}`),
      fc.constant('/vaults'),
    )
    const query = fc.array(fc.tuple(fc.constantFrom('limit', 'cursor', 'active', 'token', 'x'), noise), {
      maxLength: 3,
    })
    const documented = new Set([200, 400, 404])
    await assertProperty(
      fc.asyncProperty(path, query, async (place, parameters) => {
        const search = parameters.map(([name, value]) => `${name}=${value}`).join('&')
        const response = await gateway.get(`${place}?${search}`)
        expect(documented, `${place}?${search} → ${response.status}`).toContain(response.status)
        if (!response.ok) expect((await response.json()).code).toMatch(/^[A-Z_]+$/)
      }),
      { numRuns: 500 },
    )
  })
})

/** As a client would, except for the lone surrogates that no URL can carry. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}
