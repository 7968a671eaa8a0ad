import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld } from '../support/protocol.ts'
import {
  balanceOf,
  claimOf,
  createFundedVault,
  executeFinancing,
  executeRoute,
  mintAndSettle,
  registerClaim,
  travelTo,
  vaultCapital,
} from '../support/scenario.ts'
import { eventsOf } from '../support/transactions.ts'

let world: Awaited<ReturnType<typeof startWorld>>
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

test('a settlement pays every vault the face it financed and the beneficiary the rest', async () => {
  const { issuer, beneficiary, payer } = world.parties
  const first = await createFundedVault(world, { token: world.usd, capital: 10_000n })
  const second = await createFundedVault(world, { token: world.usd, capital: 10_000n })
  const { claimId, attestation } = await registerClaim(world, {
    issuer,
    beneficiary: beneficiary.address,
    token: world.usd,
    faceValue: 1_000n,
  })
  await executeRoute(world, { user: beneficiary, legs: [{ claimId, vault: first, faceAmount: 300n }] })
  await executeFinancing(world, { user: beneficiary, claimId, vault: second, faceAmount: 500n })
  await travelTo(world, attestation.dueDate)

  const receipt = await mintAndSettle(world, { payer, claimId })

  expect(eventsOf(receipt).map((event) => event.name)).toEqual([
    'ClaimStateChanged',
    'ClaimSettled',
    'Repaid',
    'Transfer',
    'Repaid',
    'Transfer',
    'Transfer',
  ])
  expect(await vaultCapital(world, first)).toMatchObject({ idleAssets: 10_003n, outstandingFace: 0n })
  expect(await vaultCapital(world, second)).toMatchObject({ idleAssets: 10_005n, outstandingFace: 0n })
  expect(await balanceOf(world, world.usd, beneficiary.address)).toBe(297n + 495n + 200n)
  expect(await balanceOf(world, world.usd, payer.address)).toBe(0n)
  expect(await claimOf(world, claimId)).toMatchObject({ state: 'SETTLED' })
})
