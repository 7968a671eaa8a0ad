import { afterAll, expect, test } from 'vitest'
import { createPool, createProjectionDb } from '../../api/projection/session/database.ts'
import { sharedPlan, sharedWorld } from '../support/world.ts'

const { claimIds, vaults, databaseUrl } = sharedWorld()
const db = createProjectionDb(createPool(databaseUrl, 2))
afterAll(() => db.destroy())

test('the shared world is projected as it was planned', async () => {
  const plan = sharedPlan()
  const claims = await db
    .selectFrom('claim')
    .select(['id', 'state', 'faceValue', 'financedFaceValue', 'sliceCount'])
    .execute()
  const planned = claimIds.map((id, index) => ({
    id,
    faceValue: plan.claims[index]?.faceValue,
    ...plan.outcomes[index],
  }))
  expect(new Set(claims)).toEqual(new Set(planned))
  const projectedVaults = await db.selectFrom('vault').select('address').execute()
  expect(projectedVaults.map(({ address }) => address).sort()).toEqual([...vaults].sort())
})
