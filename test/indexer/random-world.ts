/** A history of the protocol drawn at random: everything that emits an event happens, in any order. */
import fc from 'fast-check'
import { type Address, encodeFunctionData, type Hex } from 'viem'
import { financingVaultAbi } from '../../abis/FinancingVault.ts'
import type { Party } from '../support/parties.ts'
import type { World } from '../support/protocol.ts'
import * as scenario from '../support/scenario.ts'
import { ContractReverted, send } from '../support/transactions.ts'

type Step = { action: keyof typeof actions; which: number; other: number; percent: number }
type KnownClaim = { claimId: Hex; beneficiary: Party; token: Address; faceValue: bigint }
/** What the actions have made so far; `vaults` and `claims` grow. */
type Cast = {
  world: World
  vaults: { vault: Address; token: Address; curator: Party }[]
  claims: KnownClaim[]
}

/** Something of each kind, so that no draw leaves a table empty. */
const OPENING: readonly Step[] = [
  ...[0, 1, 2, 3, 4, 5].map((which) => ({ action: 'register' as const, which, other: which, percent: 50 })),
  { action: 'finance', which: 0, other: 0, percent: 40 },
  { action: 'route', which: 1, other: 1, percent: 60 },
  { action: 'revoke', which: 2, other: 1, percent: 1 },
  { action: 'settle', which: 0, other: 0, percent: 1 },
  { action: 'withdraw', which: 0, other: 0, percent: 9 },
  { action: 'togglePause', which: 0, other: 0, percent: 99 },
]

/** Gives each token two vaults, then plays the opening and `length` steps drawn by `seed`. */
export async function playRandomHistory(world: World, seed: number, length: number): Promise<void> {
  const cast: Cast = { world, vaults: [], claims: [] }
  // An earlier history may have ended in a pause or with an inactive issuer.
  await attempt(() => scenario.unpauseRouter(world))
  await attempt(() => actions.toggleIssuer(cast, { which: 0, other: 0, percent: 100 }))
  for (const token of [world.usd, world.eur, world.usd, world.eur]) {
    const vault = await scenario.createFundedVault(world, { token, capital: 5_000_000_000n })
    cast.vaults.push({ vault, token, curator: world.parties.curator })
  }
  for (const { action, ...draw } of OPENING) await actions[action](cast, draw)
  for (const { action, ...draw } of drawSteps(seed, length)) await attempt(() => actions[action](cast, draw))
}

function drawSteps(seed: number, length: number): Step[] {
  const step = fc.record({
    action: fc.constantFrom(...weightedActions),
    which: fc.nat(1000),
    other: fc.nat(1000),
    percent: fc.integer({ min: 1, max: 100 }),
  })
  const [steps] = fc.sample(fc.array(step, { minLength: length, maxLength: length, size: 'max' }), {
    seed,
    numRuns: 1,
  })
  return steps ?? []
}

/** The contracts may refuse a step drawn at random; nothing has happened then. */
async function attempt(step: () => Promise<unknown>): Promise<void> {
  try {
    await step()
  } catch (error) {
    if (!(error instanceof ContractReverted)) throw error
  }
}

type Draw = Omit<Step, 'action'>

const actions = {
  async register({ world, claims }: Cast, { which, other, percent }: Draw) {
    const { issuer, otherIssuer, beneficiary: one, otherBeneficiary } = world.parties
    const beneficiary = which % 2 ? one : otherBeneficiary
    const token = other % 2 ? world.usd : world.eur
    const faceValue = BigInt(percent) * 10_000_019n
    const { claimId } = await scenario.registerClaim(world, {
      issuer: percent % 3 ? issuer : otherIssuer,
      beneficiary: beneficiary.address,
      token,
      faceValue,
      claimType: which % 4,
      dueDate: await scenario.inDays(world, 1 + (other % 20)),
    })
    claims.push({ claimId, beneficiary, token, faceValue })
  },
  async revoke({ world, claims }: Cast, { which, other }: Draw) {
    const { issuer, otherIssuer } = world.parties
    await scenario.revokeClaim(world, {
      issuer: other % 2 ? issuer : otherIssuer,
      claimId: pick(claims, which).claimId,
    })
  },
  async finance({ world, claims, vaults }: Cast, { which, other, percent }: Draw) {
    const claim = pick(claims, which)
    const { vault } = pick(vaultsOf(vaults, claim.token), other)
    const faceAmount = (claim.faceValue * BigInt(percent)) / 200n
    await scenario.executeFinancing(world, {
      user: claim.beneficiary,
      claimId: claim.claimId,
      vault,
      faceAmount,
    })
  },
  async route({ world, claims, vaults }: Cast, { which, other, percent }: Draw) {
    const { beneficiary, token } = pick(claims, which)
    const own = claims.filter((claim) => claim.beneficiary === beneficiary && claim.token === token)
    const legs = own.slice(-1 - (other % 3)).map(({ claimId, faceValue }, index) => ({
      claimId,
      vault: pick(vaultsOf(vaults, token), other + index).vault,
      faceAmount: (faceValue * BigInt(percent)) / 300n,
    }))
    const submitter = percent % 2 ? world.parties.relayer : beneficiary
    await scenario.executeRoute(world, { user: beneficiary, legs, submitter })
  },
  async settle({ world, claims }: Cast, { which, percent }: Draw) {
    const { claimId } = pick(claims, which)
    const { dueDate, state } = await scenario.claimOf(world, claimId)
    if (state === 'SETTLED' || state === 'REVOKED') return
    if (dueDate > (await scenario.chainTime(world))) await scenario.travelTo(world, dueDate)
    const payer = percent % 4 ? world.parties.payer : pick(claims, which).beneficiary
    await scenario.mintAndSettle(world, { payer, claimId })
  },
  async deposit({ world, vaults }: Cast, { which, other, percent }: Draw) {
    const { provider, stranger } = world.parties
    await scenario.deposit(world, {
      provider: other % 2 ? provider : stranger,
      receiver: percent % 3 ? provider : stranger,
      vault: pick(vaults, which).vault,
      assets: BigInt(percent % 10) * 1_000_003n,
    })
  },
  async withdraw({ world, vaults }: Cast, { which, percent }: Draw) {
    const { vault } = pick(vaults, which)
    const assets = BigInt(percent) * 1_000_033n
    await scenario.withdraw(world, { provider: world.parties.provider, vault, assets })
  },
  async transferShares({ world, vaults }: Cast, { which, other, percent }: Draw) {
    const { provider, stranger } = world.parties
    const to = pick([stranger, provider], other).address
    const args = [to, BigInt(percent % 5) * 777n] as const
    const data = encodeFunctionData({ abi: financingVaultAbi, functionName: 'transfer', args })
    await send(world.chain, provider, { to: pick(vaults, which).vault, data })
  },
  async changeMandate({ world, vaults }: Cast, { which, percent }: Draw) {
    const { vault, curator } = pick(vaults, which)
    const mandate = { minFace: BigInt(percent), maxDurationDays: 30 + percent }
    await scenario.setMandate(world, { curator, vault, mandate })
  },
  async changePricing({ world, vaults }: Cast, { which, other, percent }: Draw) {
    const { vault, curator } = pick(vaults, which)
    const premiumBps = [percent, 7, other % 90].slice(0, other % 4)
    await scenario.setPricing(world, { curator, vault, pricing: { baseDiscountBps: percent, premiumBps } })
  },
  async changeCurator({ world, vaults }: Cast, { which }: Draw) {
    const known = pick(vaults, which)
    const next = known.curator === world.parties.curator ? world.parties.stranger : world.parties.curator
    const args = [next.address] as const
    const data = encodeFunctionData({ abi: financingVaultAbi, functionName: 'transferOwnership', args })
    await send(world.chain, known.curator, { to: known.vault, data })
    known.curator = next
  },
  async toggleVault({ world, vaults }: Cast, { which, percent }: Draw) {
    await scenario.setVaultActive(world, { vault: pick(vaults, which).vault, active: percent > 25 })
  },
  async toggleIssuer({ world }: Cast, { percent }: Draw) {
    await scenario.setIssuerActive(world, { issuer: world.parties.otherIssuer.address, active: percent > 25 })
  },
  async togglePause({ world }: Cast, { percent }: Draw) {
    await attempt(() => scenario.pauseRouter(world))
    if (percent > 25) await scenario.unpauseRouter(world)
  },
}

const weightedActions = [
  ...(['register', 'register', 'register', 'finance', 'finance', 'finance', 'route', 'route'] as const),
  ...(['settle', 'deposit', 'deposit', 'withdraw', 'transferShares', 'revoke'] as const),
  ...(['changeMandate', 'changePricing', 'changeCurator', 'toggleVault', 'toggleIssuer'] as const),
  'togglePause' as const,
]

function vaultsOf(vaults: Cast['vaults'], token: Address) {
  return vaults.filter((vault) => vault.token === token)
}

function pick<Item>(items: readonly Item[], index: number): Item {
  const item = items[index % items.length]
  if (item === undefined) throw new Error('there is nothing to pick from')
  return item
}
