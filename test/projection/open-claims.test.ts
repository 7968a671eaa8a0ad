/** Claims by which new terms of a vault are judged: those that can be financed, in the order of their due dates. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Mandate } from '../../api/chain/lens-types.ts'
import { OPEN_CLAIMS_READ, readTermsEffects } from '../../api/prepare/terms-effects.ts'
import { createPool, createProjectionDb } from '../../api/projection/session/database.ts'
import { readOpenClaims } from '../../api/projection/tables/open-claims.ts'
import { storePrepared } from '../../api/store/prepared-executions.ts'
import { createDatabase } from '../support/postgres.ts'
import { createTestStore } from '../support/store.ts'
import { makeProjection } from './large.ts'

const NOW = 1_800_000_000n
const vault = `0x${'aa'.repeat(20)}` as const
const other = `0x${'ab'.repeat(20)}` as const
const token = `0x${'ba'.repeat(20)}` as const
/** Tokens with as many open claims as an answer has, and with one more. */
const full = `0x${'bb'.repeat(20)}` as const
const beyond = `0x${'bc'.repeat(20)}` as const

/** Values of a claim whose id and due date are SQL. */
const claimOf = (
  id: string,
  dueAt: string,
  { issuer = 'active', of = token, slices = 0, state = 'ELIGIBLE' }: Partial<Record<string, unknown>> = {},
) =>
  `${id}, '${issuer}', 'beneficiary', '${of}', 5000, 0, 0, ${dueAt}, 0, ${slices}, '${state}', 'document', 1, 1, 'tx', 1, 1, 1, 1`
/** The router holds a payment of it. */
const sliceOf = (claim: string, index: number, holder: string, issuer: string, face: number) =>
  `('${claim}', ${index}, '${holder}', 'execution', '${token}', '${issuer}', 0, ${NOW}, false, ${face}, 1, 1, 0, 1, 1, 1, null, null)`

let database: Awaited<ReturnType<typeof createDatabase>>
let store: Awaited<ReturnType<typeof createTestStore>>
let pool: ReturnType<typeof createPool>
beforeAll(async () => {
  database = await createDatabase()
  store = await createTestStore()
  pool = createPool(database.url, 2)
  await makeProjection(pool, async (query) => {
    await query(`insert into issuer values
      ('active', true, 1, 0, 0, 0), ('another', true, 1, 0, 0, 0), ('inactive', false, 1, 0, 0, 0)`)
    const claims = [
      claimOf("'second'", `${NOW + 2n}`, { issuer: 'another' }),
      claimOf("'last b'", `${NOW + 9n}`),
      claimOf("'last a'", `${NOW + 9n}`, { slices: 7, state: 'PARTIALLY_FUNDED' }),
      claimOf("'first'", `${NOW + 1n}`),
      claimOf("'due'", `${NOW}`),
      claimOf("'without slices'", `${NOW + 1n}`, { slices: 8, state: 'PARTIALLY_FUNDED' }),
      claimOf("'funded'", `${NOW + 1n}`, { state: 'FULLY_FUNDED' }),
      claimOf("'closed'", `${NOW + 1n}`, { state: 'CLOSED' }),
      claimOf("'of an inactive issuer'", `${NOW + 1n}`, { issuer: 'inactive' }),
    ]
    await query(`insert into claim values ${claims.map((values) => `(${values})`).join()}`)
    for (const [of, count] of [
      [full, OPEN_CLAIMS_READ],
      [beyond, OPEN_CLAIMS_READ + 1],
    ] as const)
      await query(`insert into claim select ${claimOf(`'${of} ' || i`, `${NOW} + i`, { of })}
        from generate_series(1, ${count}) as i`)
    const slices = [
      sliceOf('last a', 0, vault, 'active', 100),
      sliceOf('last a', 1, other, 'active', 1000),
      sliceOf('last a', 2, vault, 'active', 20),
      sliceOf('second', 0, other, 'another', 1000),
      sliceOf('closed', 0, vault, 'active', 3),
    ]
    await query(`insert into allocation values ${slices.join()}`)
  })
})
afterAll(async () => {
  await pool.end()
  await store.stop()
  await database.drop()
})

const snapshot = () => ({
  db: createProjectionDb(pool),
  finalizedThrough: { blockNumber: 1n, timestamp: NOW },
  publication: '',
})

describe('open claims', () => {
  it('are those that can be financed after the block, the first due first, and then by id', async () => {
    const idsOf = async (limit: number) =>
      (await readOpenClaims(snapshot(), { vault, token }, limit)).map(({ claimId }) => claimId)
    expect(await idsOf(100)).toEqual(['first', 'second', 'last a', 'last b'])
    expect(await idsOf(3)).toEqual(['first', 'second', 'last a'])
  })

  it('have what the one vault holds of each, and what its issuer owes that vault', async () => {
    const facesFor = async (of: typeof vault | typeof other) =>
      (await readOpenClaims(snapshot(), { vault: of, token }, 100)).map(({ claimId, heldFace, owedFace }) => [
        claimId,
        heldFace,
        owedFace,
      ])
    expect(await facesFor(vault)).toEqual([
      ['first', 0n, 123n],
      ['second', 0n, 0n],
      ['last a', 120n, 123n],
      ['last b', 0n, 123n],
    ])
    expect(await facesFor(other)).toEqual([
      ['first', 0n, 1000n],
      ['second', 1000n, 1000n],
      ['last a', 1000n, 1000n],
      ['last b', 0n, 1000n],
    ])
  })
})

describe('effects of new terms', () => {
  const mandate: Mandate = {
    supportedTypesBitmap: 1n,
    minDurationDays: 0,
    maxDurationDays: 365,
    minFace: 1n,
    maxFace: 10_000n,
    maxClaimFace: 10_000n,
    maxIssuerFace: 2n ** 256n - 1n,
  }
  const pricing = { baseDiscountBps: 100, durationBpsPerDay: 0, premiumBps: [] }
  const present = { mandate, pricing }
  const next = { mandate: { ...mandate, minFace: 5_001n }, pricing }

  it.each([
    ['as many claims as are judged', full, false],
    ['one claim more than are judged', beyond, true],
  ])('of %s say whether claims are missing', async (_, of, truncated) => {
    const reads = { snapshot: snapshot(), store: store.store, now: new Date(0) }
    const effects = await readTermsEffects(reads, { vault, token: of, present, next })
    expect(effects).toMatchObject({ judged: 1000, truncated, accepted: 0, refused: 1000 })
    expect(effects.newlyRefused).toHaveLength(1000)
    expect(effects.newlyRefused.at(-1)?.claimId).toBe(`${of} 1000`)
  })

  it('count a prepared route as broken where its legs exceed the limit of an issuer only together', async () => {
    const legOf = (claimId: string, faceAmount: number, of = vault) => ({
      claimId,
      vault: of,
      faceAmount: `${faceAmount}`,
      minimumAdvanceAmount: '1',
    })
    const routes = [
      // The issuer owes the vault 123 before.
      [legOf('first', 100), legOf('last b', 200), legOf('second', 400), legOf('last a', 800, other)],
      [legOf('first', 299), legOf('second', 422)],
    ]
    const prepared = routes.map((legs, place) => ({
      executionId: `0x${`${place}`.padStart(64, '0')}` as const,
      routeId: null,
      userAddress: vault,
      preparedAt: new Date(0),
      deadline: new Date(1),
      nonce: 0n,
      claimId: null,
      sliceIndex: null,
      legs: JSON.stringify(legs),
    }))
    for (const row of prepared) await storePrepared(store.store, row)
    const reads = { snapshot: snapshot(), store: store.store, now: new Date(0) }
    const brokenBy = async (maxIssuerFace: bigint) => {
      const terms = { mandate: { ...mandate, maxIssuerFace }, pricing }
      const { openRoutes, brokenRoutes } = await readTermsEffects(reads, {
        ...{ vault, token, present },
        next: terms,
      })
      return [openRoutes, brokenRoutes]
    }
    expect([await brokenBy(423n), await brokenBy(422n), await brokenBy(421n)]).toEqual([
      [2, 0],
      [2, 1],
      [2, 2],
    ])
  })
})
