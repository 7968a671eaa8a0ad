/** Rows of the projection that the watch of the head asks for. */
import type { Address, Hex } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { knownTo } from '../../api/head/known.ts'
import type { KnownToProjection } from '../../api/head/read-view.ts'
import { createPool, createProjectionDb } from '../../api/projection/session/database.ts'
import { openSnapshot } from '../../api/projection/session/snapshot.ts'
import { createEmptyProjection } from '../support/empty-projection.ts'

const addressOf = (digits: string): Address => `0x${digits.repeat(20)}`
const claimOf = (digits: string): Hex => `0x${digits.repeat(32)}`
const VAULTS = ['a1', 'a2', 'a3'].map(addressOf)

let projection: Awaited<ReturnType<typeof createEmptyProjection>>
let pool: ReturnType<typeof createPool>
let known: KnownToProjection
beforeAll(async () => {
  projection = await createEmptyProjection()
  const vaults = VAULTS.map((vault, place) => `('${vault}', ${place !== 1})`)
  const claims = ['c1', 'c2', 'c3'].map(
    (claim, place) => `('${claimOf(claim)}', '${addressOf(`1${place}`)}', '${addressOf(`b${place}`)}')`,
  )
  await projection.admin.query(`
    create table projection.vault (address text, active boolean);
    create table projection.claim (id text, issuer text, beneficiary text);
    insert into projection.vault values ${vaults};
    insert into projection.claim values ${claims};
    grant select on all tables in schema projection to public`)
  pool = createPool(projection.urls.gateway, 1)
  known = knownTo(() => openSnapshot(createProjectionDb(pool)))
})
afterAll(async () => {
  await pool?.end()
  await projection?.drop()
})

it('are all vaults, also those that are inactive', async () => {
  expect((await known.vaults()).toSorted()).toEqual(VAULTS)
})

it('are issuer and beneficiary of each claim that is asked for and known', async () => {
  expect(await known.parties(['c3', 'c9', 'c1'].map(claimOf))).toEqual(
    new Map([
      [claimOf('c3'), [addressOf('12'), addressOf('b2')]],
      [claimOf('c1'), [addressOf('10'), addressOf('b0')]],
    ]),
  )
})
