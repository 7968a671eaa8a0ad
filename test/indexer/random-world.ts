/** A history of the protocol drawn at random: everything that emits an event happens, in any order and at any bound. */
import fc from 'fast-check'
import { blockingTokenAbi, blockingTokenBytecode } from '../../contracts/testing/generated/BlockingToken.ts'
import { deployForTest, type World } from '../support/protocol.ts'
import * as scenario from '../support/scenario.ts'
import { ContractReverted } from '../support/transactions.ts'
import { actions, type Draw, type Scene } from './random-actions.ts'

type Step = Draw & { action: keyof typeof actions }

const step = (action: Step['action'], which = 0, other = 0, percent = 50): Step => ({
  action,
  which,
  other,
  percent,
})

/** Each action once and each bound of its arguments, so that no draw leaves out any of them. */
const OPENING: readonly Step[] = [
  ...[0, 1, 2, 3, 4, 5].map((which) => step('register', which, which)),
  step('finance', 0, 0, 40),
  step('route', 1, 1, 60),
  step('route', 1, 0, 31),
  step('cancelRoutes', 1),
  step('route', 1, 0, 12),
  step('cancelRoutes', 0),
  step('revoke', 2, 1),
  step('reviseClaim', 1, 0, 70),
  step('reviseClaim', 1, 1, 70),
  step('reviseClaim', 0, 2, 70),
  step('cancelAttestation'),
  step('settle', 0),
  step('sliceThrice', 3),
  step('financeExtremes'),
  step('deposit', 0, 0, 11),
  step('deposit', 1, 1, 33),
  step('carryForward', 0, 2),
  step('lendUnearned'),
  step('issueShares', 0),
  step('atMidnight', 0),
  step('transferShares', 0, 0, 5),
  step('transferShares', 0, 1, 1),
  step('transferShares', 0, 2, 2),
  step('transferShares', 0, 3, 3),
  step('transferShares', 1, 2, 5),
  step('withdraw', 0, 0, 9),
  step('withdraw', 0, 1, 9),
  step('withdraw', 0, 2, 9),
  step('redeem', 0, 1),
  step('moveShares', 0, 0, 10),
  step('moveShares', 0, 1, 33),
  step('moveShares', 0, 2, 7),
  step('moveShares', 0, 3, 50),
  step('redeemAll', 0),
  step('moveShares', 0, 0, 1),
  step('moveShares', 3, 0, 20),
  step('moveShares', 3, 4, 100),
  step('changeTerms', 2),
  step('changeTerms', 2, 1),
  step('changeTerms', 2, 2),
  step('changeMandate', 3, 0, 20),
  step('changeMandate', 3, 5, 70),
  step('changePricing', 3, 3, 10),
  step('announceTerms', 0, 1),
  step('announceTerms', 0, 1, 40),
  step('endNotice', 0, 1),
  step('announceTerms', 1, 1),
  step('endNotice', 1, 0),
  step('announceTerms', 1, 4, 100),
  step('changeCurator', 3),
  step('abandonVault', 0),
  step('toggleVault', 2, 0, 1),
  step('toggleIssuer', 0, 0, 1),
  step('toggleIssuer', 0, 0, 99),
  step('toggleToken', 0),
  step('listToken', 0, 0),
  step('listToken', 1, 1),
  step('grantRoles'),
  step('changeAdmin'),
  step('sameBlock', 1),
  step('togglePause', 0, 0, 99),
  step('settleBlocked', 2, 0, 99),
  step('withdrawCredit'),
  step('releaseRepayment', 0, 0),
  step('settleBlocked', 1),
  step('settleBlocked', 0, 1),
  step('releaseRepayment', 2, 1),
  step('settleOnDueDay', 0, 0),
  step('settleOnDueDay', 0, 1),
  step('defaultOnClaim', 1, 1, 40),
  step('defaultOnClaim', 0, 9, 20),
  step('defaultOnClaim', 1, 4, 30),
  step('moveShares', 1, 0, 20),
  step('redeemAll', 1),
  // In the last minute of the write-down.
  step('defaultOnClaim', 0, 3, 6),
]

/** Gives each token two vaults, then plays the opening and `length` steps drawn by `seed`. */
export async function playRandomHistory(world: World, seed: number, length: number): Promise<Scene> {
  const blocking = await deployForTest(world, blockingTokenAbi, blockingTokenBytecode, [])
  await scenario.setTokenListed(world, { token: blocking, listed: true })
  const scene: Scene = { world, vaults: [], claims: [], announcing: [], blocking, settledBlocked: [] }
  for (const token of [world.usd, world.eur, world.usd, world.eur, blocking]) {
    const vault = await scenario.createFundedVault(world, { token, capital: 5_000_000_000n })
    scene.vaults.push({ vault, token, curator: world.parties.curator })
  }
  for (const noticePeriod of [1, 172_800]) {
    const { curator } = world.parties
    const { vault } = await scenario.createVault(world, { token: world.usd, noticePeriod })
    scene.announcing.push({ vault, curator })
  }
  for (const { action, ...draw } of OPENING) await actions[action](scene, draw)
  await playSteps(scene, seed, length)
  await end(scene)
  return scene
}

/**
 * On the day on which a claim is due that is settled already, with terms that are pending, with a wallet that holds
 * shares again, and one that holds none any more.
 */
async function end(scene: Scene): Promise<void> {
  const { world, vaults } = scene
  for (const [which, other, percent] of [
    [2, 0, 10],
    [2, 1, 100],
    [2, 0, 10],
    [3, 0, 10],
    [3, 4, 100],
  ] as const) {
    await scenario.travelTo(world, (await scenario.chainTime(world)) + 60n)
    await actions.moveShares(scene, { which, other, percent })
  }
  // The second terms replace the first, which are pending.
  for (const percent of [5, 0])
    for (const which of [0, 1]) await actions.announceTerms(scene, { which, other: 1, percent })
  const vault = await scenario.createFundedVault(world, { token: world.usd, capital: 5_000_000n })
  await attempt(() => scenario.unpauseRouter(world))
  const which = vaults.push({ vault, token: world.usd, curator: world.parties.curator }) - 1
  await actions.settleOnDueDay(scene, { which, other: 0, percent: 0 })
}

/** Goes on with `length` steps drawn by `seed`. */
export async function playSteps(scene: Scene, seed: number, length: number): Promise<void> {
  for (const { action, ...draw } of drawSteps(seed, length)) await attempt(() => actions[action](scene, draw))
}

function drawSteps(seed: number, length: number): Step[] {
  const drawn = fc.record({
    action: fc.constantFrom(...weightedActions),
    which: fc.nat(1000),
    other: fc.nat(1000),
    percent: fc.integer({ min: 1, max: 100 }),
  })
  const [steps] = fc.sample(fc.array(drawn, { minLength: length, maxLength: length }), {
    seed,
    numRuns: 1,
  })
  return steps ?? []
}

/** The contracts may refuse a step drawn at random; nothing has happened then. */
async function attempt(play: () => Promise<unknown>): Promise<void> {
  try {
    await play()
  } catch (error) {
    if (!(error instanceof ContractReverted)) throw error
  }
}

const weightedActions = [
  ...(['register', 'register', 'register', 'finance', 'finance', 'finance', 'route', 'route'] as const),
  ...([
    'reviseClaim',
    'settleOnDueDay',
    'settle',
    'deposit',
    'deposit',
    'withdraw',
    'redeem',
    'transferShares',
    'revoke',
  ] as const),
  ...(['changeMandate', 'changeMandate', 'changePricing', 'changeCurator', 'toggleVault'] as const),
  ...([
    'cancelRoutes',
    'toggleToken',
    'toggleIssuer',
    'togglePause',
    'sameBlock',
    'atMidnight',
    'issueShares',
  ] as const),
  ...(['defaultOnClaim', 'settleBlocked', 'withdrawCredit', 'releaseRepayment'] as const),
]
