/** Consequences of events that are not final: the table of api/head/obstacle.ts. */
import { describe, expect, it } from 'vitest'
import { contractClaimStates } from '../../api/domain/claim.ts'
import { findObstacle, type Needs } from '../../api/head/obstacle.ts'
import type { UnfinalizedEvent } from '../../api/head/unfinalized.ts'
import {
  BASE,
  claimId,
  eventOf,
  hashOf,
  other,
  otherClaim,
  otherVault,
  vault,
  viewOf,
  wallet,
} from './views.ts'

const executionId = hashOf(7)
const leg = { claimId, vault, faceAmount: 30n, faceValue: 100n }
const financing: Needs = { legs: [leg] }
const route: Needs = { route: { executionId, user: wallet, nonce: 5n } }

const argument = (name: string, type: string, value: unknown) => ({ name, type, value: `${value}` })
const pause = (block: bigint, logIndex = 0) => eventOf('Paused', block, { logIndex })
const unpause = (block: bigint, logIndex = 0) => eventOf('Unpaused', block, { logIndex })
const changed = (to: (typeof contractClaimStates)[number], of = claimId) =>
  eventOf('ClaimStateChanged', 105n, {
    claimId: of,
    arguments: [argument('to', 'uint8', contractClaimStates.indexOf(to))],
  })
const status = (active: boolean, of = vault) =>
  eventOf('VaultStatusChanged', 105n, { vault: of, arguments: [argument('active', 'bool', active)] })
const slice = (sliceIndex: number, financedFaceValue: bigint, of = claimId) =>
  eventOf('SliceReserved', 105n, {
    claimId: of,
    arguments: [
      argument('sliceIndex', 'uint8', sliceIndex),
      argument('financedFaceValue', 'uint256', financedFaceValue),
    ],
  })
const executed = (id = executionId) => eventOf('Executed', 105n, { wallets: [wallet], executionId: id })
const cancelled = (nonce: bigint, by = wallet) =>
  eventOf('RoutesCancelled', 105n, { wallets: [by], arguments: [argument('nonce', 'uint256', nonce)] })

const obstacles = (events: readonly UnfinalizedEvent[], needs: Needs, after = BASE) =>
  findObstacle({ latest: () => viewOf(events) }, after, needs)

type Case = readonly [string, Needs, readonly UnfinalizedEvent[]]

describe('is impossible, with the reason', () => {
  it.each<readonly [...Case, string]>([
    ['a financing after a pause', financing, [pause(105n)], 'The router is paused since block 105.'],
    [
      'a financing after a pause in the block that ended another one',
      financing,
      [unpause(105n, 3), pause(105n, 12)],
      'paused since block 105',
    ],
    [
      'a financing after a pause in a later block than the end of another one',
      financing,
      [unpause(104n, 12), pause(105n, 3)],
      'paused since block 105',
    ],
    [
      'a financing for the pause, before all that concerns its claims and vaults',
      financing,
      [status(false), changed('CLOSED'), slice(7, 100n), pause(105n)],
      'paused since block 105',
    ],
    [
      'a financing for its vault, before what concerns its claim',
      financing,
      [changed('CLOSED'), status(false)],
      'is inactive since block 105',
    ],
    [
      'a financing for the state of its claim, before the face that is left',
      financing,
      [slice(7, 100n), changed('FULLY_FUNDED')],
      'is FULLY_FUNDED since block 105',
    ],
    [
      'a financing by a vault that became inactive',
      financing,
      [status(true), status(false)],
      `Vault ${vault} is inactive since block 105.`,
    ],
    [
      'a financing by the second of two vaults that became inactive',
      { legs: [leg, { ...leg, vault: otherVault }] },
      [status(false, otherVault)],
      `Vault ${otherVault} is inactive`,
    ],
    [
      'a financing of a claim that is closed',
      financing,
      [changed('CLOSED')],
      `Claim ${claimId} is CLOSED since block 105.`,
    ],
    [
      'a financing of a claim that is fully funded',
      financing,
      [changed('FULLY_FUNDED')],
      'is FULLY_FUNDED since',
    ],
    [
      'a financing of a claim whose last slice is taken',
      financing,
      [slice(7, 10n)],
      `Block 105 took the last slice of claim ${claimId}.`,
    ],
    [
      'a financing of more face than is left',
      financing,
      [slice(1, 71n)],
      `Since block 105, 29 of the face of claim ${claimId} is left, less than 30.`,
    ],
    [
      'a settlement of a claim that is settled',
      { settles: claimId },
      [changed('SETTLED')],
      'is SETTLED since block 105',
    ],
    [
      'a settlement of a claim that is revoked',
      { settles: claimId },
      [changed('REVOKED')],
      'is REVOKED since block 105',
    ],
    [
      'a revocation of a claim that is paid in part',
      { revokes: claimId },
      [eventOf('ClaimPaid', 105n, { claimId })],
      `Block 105 paid a part of claim ${claimId}.`,
    ],
    [
      'a revocation of a claim that is fully funded',
      { revokes: claimId },
      [changed('FULLY_FUNDED')],
      'is FULLY_FUNDED since block 105',
    ],
    [
      'a registration of a claim that is registered',
      { registers: claimId },
      [eventOf('ClaimRegistered', 105n, { claimId })],
      `Claim ${claimId} is registered in block 105.`,
    ],
    ['a route that is executed', route, [executed()], 'Block 105 executed this route.'],
    [
      'a route whose nonce is cancelled',
      route,
      [cancelled(5n)],
      `Block 105 cancelled the routes of ${wallet} with nonce 5.`,
    ],
    ['a route before a nonce that is cancelled', route, [cancelled(6n)], 'cancelled the routes'],
  ])('%s', (_, needs, events, reason) => {
    const message = expect.stringContaining(reason)
    expect(obstacles(events, needs)).toEqual([{ code: 'CHANGE_NOT_FINAL', message }])
    // An answer of that block knows the event.
    expect(obstacles(events, needs, 105n)).toEqual([])
  })
})

describe('is left to the simulation', () => {
  it.each<Case>([
    ['a financing after a pause that has ended', financing, [pause(105n), unpause(106n)]],
    ['a financing after a pause that has ended in its block', financing, [pause(105n, 3), unpause(105n, 12)]],
    ['a financing by a vault that is active again', financing, [status(false), status(true)]],
    ['a financing beside a vault that became inactive', financing, [status(false, otherVault)]],
    ['a financing of a claim that is partially funded', financing, [changed('PARTIALLY_FUNDED')]],
    ['a financing beside a claim that is closed', financing, [changed('CLOSED', otherClaim)]],
    ['a financing of all the face that is left', financing, [slice(6, 70n)]],
    [
      'a financing of a face that is not known',
      { legs: [{ ...leg, faceValue: undefined }] },
      [slice(1, 71n)],
    ],
    ['a settlement while the router is paused', { settles: claimId }, [pause(105n)]],
    ['a settlement of a claim that is closed', { settles: claimId }, [changed('CLOSED')]],
    ['a revocation of a claim that is partially funded', { revokes: claimId }, [changed('PARTIALLY_FUNDED')]],
    [
      'a revocation beside a claim that is paid',
      { revokes: claimId },
      [eventOf('ClaimPaid', 105n, { claimId: otherClaim })],
    ],
    [
      'a registration beside another one',
      { registers: claimId },
      [eventOf('ClaimRegistered', 105n, { claimId: otherClaim })],
    ],
    ['a route after another one of its wallet', route, [executed(hashOf(8))]],
    ['a route after a nonce that is cancelled', route, [cancelled(4n)]],
    ['a route whose nonce another wallet cancels', route, [cancelled(5n, other)]],
  ])('%s', (_, needs, events) => {
    expect(obstacles(events, needs)).toEqual([])
  })

  it('whatever it is, without a view of the latest block', () => {
    expect(findObstacle({ latest: () => undefined }, BASE, { ...financing, ...route })).toEqual([])
  })
})
