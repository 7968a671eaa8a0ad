/** Rows that the examples of the API reference name: each request with them is one that succeeds. */
import { maxUint256 } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPool, createProjectionDb } from '../../api/projection/session/database.ts'
import { findFinanceable, findLatestExecution, findPayable } from '../../api/projection/tables/samples.ts'
import { createDatabase } from '../support/postgres.ts'
import { makeProjection } from './large.ts'

const NOW = 1_800_000_000n

type Claim = { id: string; due: bigint; state?: string; issuer?: string; slices?: number; financed?: number }
const claimOf = ({ id, due, state = 'ELIGIBLE', issuer = 'active', slices = 0, financed = 0 }: Claim) =>
  `('${id}', '${issuer}', 'holder', 'token', 5000, ${financed}, 0, ${due}, 0, ${slices}, '${state}', 'document', 1, 1, 'tx', 1, 1, 1, 1)`
const termsOf = (vault: string, bps: number, { active = true, ofIssuer = maxUint256 } = {}) =>
  `('${vault}', 0, 'token', ${active}, 0, 365, 1, 9000, 4000, ${ofIssuer}, 0, 1, ${bps}, 1)`
const executionOf = (id: string, block: number) =>
  `('${id}', 'user', 'token', 'ROUTE', 'user', 1, 1, 1, ${block}, 1, 'tx of ${id}', 1)`

const SHORT = NOW + 5n
const LONG = NOW + 9n
const claims: Claim[] = [
  { id: 'due soon', due: NOW + 1n },
  { id: 'open b', due: SHORT },
  { id: 'open a', due: SHORT, state: 'PARTIALLY_FUNDED', slices: 7, financed: 3999 },
  { id: 'of an inactive issuer', due: LONG, issuer: 'inactive' },
  { id: 'without slices', due: LONG, state: 'PARTIALLY_FUNDED', slices: 8 },
  { id: 'all that a vault may hold', due: LONG, state: 'PARTIALLY_FUNDED', slices: 1, financed: 4000 },
  { id: 'funded', due: LONG, state: 'FULLY_FUNDED' },
  { id: 'unpaid b', due: NOW },
  { id: 'unpaid a', due: NOW, state: 'CLOSED' },
  { id: 'paid', due: NOW, state: 'SETTLED' },
  { id: 'earlier', due: NOW - 1n },
]

let database: Awaited<ReturnType<typeof createDatabase>>
let pool: ReturnType<typeof createPool>
beforeAll(async () => {
  database = await createDatabase()
  pool = createPool(database.url, 1)
  await makeProjection(pool, async (query) => {
    await query(`insert into issuer values ('active', true, 1, 0, 0, 0), ('inactive', false, 1, 0, 0, 0)`)
    await query(`insert into claim values ${claims.map(claimOf).join()}`)
    const terms = [
      termsOf('an expensive one', 200),
      termsOf('cheap b', 100),
      termsOf('cheap a', 100),
      termsOf('inactive', 50, { active: false }),
      termsOf('with a limit for issuers', 50, { ofIssuer: 9000n }),
    ]
    await query(`insert into vault_terms values ${terms.join()}`)
    await query(
      `insert into execution values ${[executionOf('y', 7), executionOf('x', 7), executionOf('a', 6)]}`,
    )
  })
})
afterAll(async () => {
  await pool?.end()
  await database?.drop()
})

const snapshot = () => ({
  db: createProjectionDb(pool),
  finalizedThrough: { blockNumber: 9n, timestamp: NOW },
  publication: '',
})

it('are the open claim that is due last and the vault that finances it at the lowest discount', async () => {
  expect(await findFinanceable(snapshot())).toMatchObject({
    claimId: 'open a',
    vault: 'cheap a',
    financedFaceValue: 3999n,
  })
})

it('are the unpaid claim that became due last, also one that is closed', async () => {
  expect(await findPayable(snapshot())).toEqual({ id: 'unpaid a' })
})

it('are the execution of the last block', async () => {
  expect(await findLatestExecution(snapshot())).toEqual({ id: 'x', tx: 'tx of x' })
})
