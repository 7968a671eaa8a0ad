/**
 * Actions of a random history. Each action takes three numbers, and is refused by the contracts where they do not fit.
 */
import { type Address, encodeFunctionData, type Hex, pad, toHex, zeroHash } from 'viem'
import { demoTokenAbi } from '../../abis/DemoToken.ts'
import { financingVaultAbi } from '../../abis/FinancingVault.ts'
import { issuerRegistryAbi } from '../../abis/IssuerRegistry.ts'
import { demoTokenBytecode } from '../../contracts/artifacts/DemoToken.ts'
import type { Party } from '../support/parties.ts'
import { ADMIN_DELAY, deployForTest, type World } from '../support/protocol.ts'
import * as scenario from '../support/scenario.ts'
import { type Call, send } from '../support/transactions.ts'

export type Draw = { which: number; other: number; percent: number }
type KnownVault = { vault: Address; token: Address; curator: Party }
type KnownClaim = { claimId: Hex; beneficiary: Party; token: Address; faceValue: bigint }
/** Results of the actions so far; `vaults` and `claims` grow. */
export type Scene = {
  world: World
  vaults: KnownVault[]
  claims: KnownClaim[]
  /** Vaults with a notice, which nobody uses. */
  announcing: Omit<KnownVault, 'token'>[]
  /** A token that blocks accounts. */
  blocking: Address
  /** Claims of it that were settled while it did. */
  settledBlocked: Hex[]
}

const LARGEST_FACE = 2n ** 128n - 1n
const LARGEST = 2n ** 256n - 1n
const ALL_DAYS = 2 ** 32 - 1
/** Any role: what matters is that granting it is an event. */
const MANAGER_ROLE = pad('0x1')
/** Every administered contract has these functions. */
const abi = issuerRegistryAbi
const ADMIN_CALLS = [
  'rollbackDefaultAdminDelay',
  'cancelDefaultAdminTransfer',
  'acceptDefaultAdminTransfer',
] as const
const administeredBy = (protocol: World['protocol']) => [
  protocol.issuerRegistry,
  protocol.tokenRegistry,
  protocol.vaultRegistry,
  protocol.financingRouter,
]

/** Mandates from none at all to all at once, and some between that add and drop types. */
const MANDATES: readonly Partial<scenario.Mandate>[] = [
  { supportedTypesBitmap: 0b101n },
  {
    supportedTypesBitmap: LARGEST,
    maxDurationDays: ALL_DAYS,
    minFace: 1n,
    maxFace: LARGEST,
    maxClaimFace: LARGEST,
    maxIssuerFace: LARGEST,
  },
  { supportedTypesBitmap: 0n },
  { supportedTypesBitmap: 1n << 255n, minDurationDays: 0, maxDurationDays: 0, maxFace: 1n },
  { supportedTypesBitmap: 0b1110n },
  {},
]

export const actions = {
  async register(scene: Scene, { which, other, percent }: Draw) {
    const { issuer, otherIssuer, beneficiary: one, otherBeneficiary } = scene.world.parties
    await register(scene, {
      issuer: percent % 3 ? issuer : otherIssuer,
      beneficiary: which % 2 ? one : otherBeneficiary,
      token: other % 2 ? scene.world.usd : scene.world.eur,
      faceValue: percent % 10 === 1 ? 1n : BigInt(percent) * 10_000_019n,
      claimType: which % 4,
      dueDate: await scenario.inDays(scene.world, 1 + (other % 20)),
    })
  },
  async revoke({ world, claims }: Scene, { which, other }: Draw) {
    const { issuer, otherIssuer } = world.parties
    const claimId = pick(claims, which).claimId
    await scenario.revokeClaim(world, { issuer: other % 2 ? issuer : otherIssuer, claimId })
  },
  async finance({ world, claims, vaults }: Scene, { which, other, percent }: Draw) {
    const claim = pick(claims, which)
    const { vault } = pick(vaultsOf(vaults, claim.token), other)
    await finance(world, claim, vault, (claim.faceValue * BigInt(percent)) / 200n)
  },
  /**
   * A claim of three slices with time between them, and nothing after. The third changes neither the state nor anything
   * but what is financed.
   */
  async sliceThrice({ world, vaults }: Scene, { which }: Draw) {
    const { issuer, beneficiary } = world.parties
    const { vault, token } = pick(vaults, which)
    const terms = { issuer, beneficiary, token, faceValue: 10_000_019n }
    const claim = await register({ world, claims: [] }, terms)
    for (const part of [10n, 9n, 8n]) {
      await scenario.travelTo(world, (await scenario.chainTime(world)) + 3600n)
      await finance(world, claim, vault, claim.faceValue / part)
    }
  },
  async route({ world, claims, vaults }: Scene, { which, other, percent }: Draw) {
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
  /** The issuer stops the financing of a claim, and has a corrected one of the same document registered if it can. */
  async reviseClaim(scene: Scene, { which, other, percent }: Draw) {
    const { world } = scene
    const { beneficiary, token } = pick(scene.claims, which)
    const { issuer, payer } = world.parties
    const terms = { issuer, beneficiary: beneficiary.address, token, faceValue: 10_000_019n }
    const { claimId, attestation } = await scenario.registerClaim(world, terms)
    const { vault } = pick(vaultsOf(scene.vaults, token), which)
    const isFinanced = other % 3 > 0
    const claim = { claimId, beneficiary, token, faceValue: terms.faceValue }
    if (isFinanced) await finance(world, claim, vault, BigInt(percent))
    await scenario.travelTo(world, (await scenario.chainTime(world)) + 60n)
    await scenario.revokeClaim(world, { issuer, claimId })
    if (other % 3 === 2) await scenario.mintAndSettle(world, { payer, claimId })
    if (isFinanced) return
    const { documentHash } = attestation
    await register(scene, { ...terms, beneficiary, documentHash, faceValue: 9_000_011n })
  },
  /** A financed claim that is settled on the day on which it is due: before it is, or after it was at midnight. */
  async settleOnDueDay(scene: Scene, { which, other }: Draw) {
    const { world, vaults } = scene
    const { issuer, beneficiary, payer } = world.parties
    const { vault, token } = pick(vaults, which)
    const midnight = ((await scenario.inDays(world, 2)) / scenario.DAY) * scenario.DAY
    const dueDate = other % 2 ? midnight : midnight + scenario.DAY - 1n
    const claim = await register(scene, { issuer, beneficiary, token, faceValue: 5_000_011n, dueDate })
    await finance(world, claim, vault, claim.faceValue / 3n)
    await scenario.travelTo(world, midnight)
    await scenario.mintAndSettle(world, { payer, claimId: claim.claimId })
  },
  /** Nothing that is projected changes. */
  async cancelAttestation({ world }: Scene) {
    const { issuer, beneficiary } = world.parties
    const terms = { issuer, beneficiary: beneficiary.address, token: world.usd, faceValue: 1n }
    const attestation = await scenario.attestationOf(world, terms)
    await scenario.cancelAttestation(world, { attestation, as: issuer })
  },
  async cancelRoutes({ world }: Scene, { which }: Draw) {
    const { beneficiary, otherBeneficiary } = world.parties
    await scenario.cancelRoutes(world, { user: which % 2 ? beneficiary : otherBeneficiary })
  },
  async settle({ world, claims }: Scene, { which, percent }: Draw) {
    const claim = pick(claims, which)
    const { dueDate, state } = await scenario.claimOf(world, claim.claimId)
    const now = await scenario.chainTime(world)
    if (state === 'SETTLED' || state === 'REVOKED' || dueDate > now + 40n * scenario.DAY) return
    if (dueDate > now) await scenario.travelTo(world, dueDate)
    const payer = percent % 4 ? world.parties.payer : claim.beneficiary
    await scenario.mintAndSettle(world, { payer, claimId: claim.claimId })
  },
  /** A claim that is not paid when it is due: it is paid in or after its write-down, whole or in part, or never. */
  async defaultOnClaim(scene: Scene, { which, other, percent }: Draw) {
    const { world, vaults } = scene
    const { issuer, otherIssuer, beneficiary, payer } = world.parties
    const { vault, token } = pick(vaults, which)
    const dueDate = await scenario.inDays(world, 2)
    const by = which % 2 ? issuer : otherIssuer
    const claim = await register(scene, { issuer: by, beneficiary, token, faceValue: 9_000_011n, dueDate })
    for (const part of [3n, 4n]) await finance(world, claim, vault, claim.faceValue / part)
    const daysAfter = [0n, 1n, 30n, 60n, 91n, 95n].map((days) => dueDate + days * scenario.DAY)
    const lastMinute = dueDate - (dueDate % scenario.DAY) + 91n * scenario.DAY - 60n
    await scenario.travelTo(world, pick([...daysAfter, lastMinute], percent))
    const { claimId } = claim
    if (other % 4 === 0) return
    if (other % 4 < 3) {
      await scenario.mintAndPay(world, { payer, claimId, faceAmount: claim.faceValue / BigInt(1 + percent) })
      await scenario.travelTo(world, (await scenario.chainTime(world)) + BigInt(percent) * scenario.DAY)
    }
    if (other % 4 < 2) await scenario.mintAndPay(world, { payer, claimId, faceAmount: 1n })
    else await scenario.mintAndSettle(world, { payer, claimId })
  },
  /** A settlement while the token pays some recipients only. */
  async settleBlocked(scene: Scene, { which }: Draw) {
    const { world, vaults, blocking: token } = scene
    const { issuer, beneficiary, payer } = world.parties
    const { vault } = pick(vaultsOf(vaults, token), 0)
    const dueDate = await scenario.inDays(world, 1)
    const claim = await register(scene, { issuer, beneficiary, token, faceValue: 7_000_001n, dueDate })
    for (const part of [2n, 5n]) await finance(world, claim, vault, claim.faceValue / part)
    await scenario.travelTo(world, dueDate)
    const blocked = pick([[vault], [beneficiary.address], [vault, beneficiary.address]], which)
    const set = async (isBlocked: boolean) => {
      for (const account of blocked) await scenario.setBlocked(world, { token, account, blocked: isBlocked })
    }
    const { claimId } = claim
    await scenario.mintAndPay(world, { payer, claimId, faceAmount: 2_000_003n })
    await set(true)
    await scenario.mintAndSettle(world, { payer, claimId })
    await set(false)
    scene.settledBlocked.push(claimId)
  },
  async withdrawCredit({ world, blocking: token }: Scene) {
    await scenario.withdrawCredit(world, { account: world.parties.beneficiary, token })
  },
  async releaseRepayment({ world, settledBlocked }: Scene, { which, other }: Draw) {
    const claimId = pick(settledBlocked, which)
    await scenario.releaseRepayment(world, { sender: world.parties.stranger, claimId, sliceIndex: other % 2 })
  },
  /**
   * A vault of all types and durations finances the largest and the smallest face, and the latest due date there can
   * be.
   */
  async financeExtremes(scene: Scene) {
    const { world } = scene
    const { issuer, beneficiary, payer, curator } = world.parties
    const token = world.usd
    const capital = 4n * LARGEST_FACE
    const vault = await scenario.createFundedVault(world, { token, capital, mandate: MANDATES[1] ?? {} })
    const terms = { issuer, beneficiary, token }
    const dueDate = await scenario.inDays(world, 3)
    const largest = await register(scene, { ...terms, faceValue: LARGEST_FACE, claimType: 255, dueDate })
    const smallest = await register(scene, { ...terms, faceValue: 1n, claimType: 0, dueDate })
    const late = await scenario.inDays(world, ALL_DAYS)
    const latest = await register(scene, { ...terms, faceValue: 10_000n, claimType: 7, dueDate: late })
    await register(scene, { ...terms, faceValue: 10_000n, claimType: 7, dueDate: 2n ** 64n - 1n })
    for (const claim of [largest, smallest, latest]) await finance(world, claim, vault, claim.faceValue)
    await scenario.travelTo(world, dueDate)
    for (const { claimId } of [largest, smallest]) await scenario.mintAndSettle(world, { payer, claimId })
    scene.vaults.push({ vault, token, curator })
  },
  /** A vault that lends a discount that it does not earn yet, and loses it: its shares have no value. */
  async lendUnearned(scene: Scene) {
    const { world } = scene
    const { issuer, beneficiary, payer } = world.parties
    const token = world.usd
    const pricing = { baseDiscountBps: 5_000 }
    const vault = await scenario.createFundedVault(world, { token, capital: 1_000n, pricing })
    for (const [faceValue, days] of [
      [1_000n, 300],
      [3_000n, 2],
    ] as const) {
      const dueDate = await scenario.inDays(world, days)
      const claim = await register(scene, { issuer, beneficiary, token, faceValue, dueDate })
      await finance(world, claim, vault, faceValue)
      if (faceValue === 1_000n) await scenario.mintAndSettle(world, { payer, claimId: claim.claimId })
    }
    await scenario.travelTo(world, await scenario.inDays(world, 95))
  },
  /** A vault that is carried forward some days after it was funded, and used then. */
  async carryForward({ world }: Scene, { other }: Draw) {
    const { payer, provider } = world.parties
    const vault = await scenario.createFundedVault(world, { token: world.usd, capital: 1_000n })
    await scenario.travelTo(world, (await scenario.chainTime(world)) + BigInt(other % 4) * scenario.DAY)
    const args = [(await scenario.chainTime(world)) / scenario.DAY - 1n] as const
    const data = encodeFunctionData({ abi: financingVaultAbi, functionName: 'carryForward', args })
    await send(world.chain, payer, { to: vault, data })
    await scenario.deposit(world, { provider, vault, assets: 1_000n })
  },
  async deposit({ world, vaults }: Scene, { which, other, percent }: Draw) {
    const { provider, stranger } = world.parties
    await scenario.deposit(world, {
      provider: other % 2 ? provider : stranger,
      receiver: percent % 3 ? provider : stranger,
      vault: pick(vaults, which).vault,
      assets: BigInt(percent % 10) * 1_000_003n,
    })
  },
  /** A deposit by the number of shares. */
  async issueShares({ world, vaults }: Scene, { which, percent }: Draw) {
    const { provider, relayer } = world.parties
    const { vault, token } = pick(vaults, which)
    await scenario.mint(world, { token, to: provider.address, amount: 2n ** 200n })
    await scenario.approve(world, { owner: provider, token, spender: vault, amount: 0n })
    await scenario.approve(world, { owner: provider, token, spender: vault, amount: 2n ** 200n })
    const args = [BigInt(percent) * 31n, relayer.address] as const
    const data = encodeFunctionData({ abi: financingVaultAbi, functionName: 'mint', args })
    await send(world.chain, provider, { to: vault, data })
    await scenario.approve(world, { owner: provider, token, spender: vault, amount: 0n })
  },
  /** The provider's assets go to the provider, or to another wallet, or are taken out by one that the provider lets. */
  async withdraw({ world, vaults }: Scene, { which, other, percent }: Draw) {
    const { provider } = world.parties
    const { vault } = pick(vaults, which)
    const { caller, receiver } = await leave(world, vault, other)
    const args = [BigInt(percent) * 1_000_033n, receiver, provider.address] as const
    const data = encodeFunctionData({ abi: financingVaultAbi, functionName: 'withdraw', args })
    await send(world.chain, caller, { to: vault, data })
  },
  async redeem(scene: Scene, draw: Draw) {
    const { world, vaults } = scene
    const { which, other, percent } = draw
    if (percent > 80) return redeemAll(scene, draw)
    const { provider } = world.parties
    const { vault } = pick(vaults, which)
    const { caller, receiver } = await leave(world, vault, other)
    const args = [BigInt(percent) * 1_013n, receiver, provider.address] as const
    const data = encodeFunctionData({ abi: financingVaultAbi, functionName: 'redeem', args })
    await send(world.chain, caller, { to: vault, data })
  },
  /**
   * Some shares or none, to a holder, to oneself or to a wallet that has none, by the holder or by one that the holder
   * lets.
   */
  async transferShares(scene: Scene, draw: Draw) {
    const { world, vaults } = scene
    const { which, other, percent } = draw
    if (percent > 40) return moveShares(scene, draw)
    const { provider, stranger } = world.parties
    const { vault } = pick(vaults, which)
    const nobody = pad(toHex(0xdead_0000 + which), { size: 20 })
    const to = pick([stranger.address, provider.address, nobody], other)
    const value = BigInt(percent % 5) * 777n
    if (other % 4 < 3) {
      const data = encodeFunctionData({ abi: financingVaultAbi, functionName: 'transfer', args: [to, value] })
      return send(world.chain, provider, { to: vault, data })
    }
    await allow(world, vault, provider, stranger, value)
    const args = [provider.address, to, value] as const
    const data = encodeFunctionData({ abi: financingVaultAbi, functionName: 'transferFrom', args })
    return send(world.chain, stranger, { to: vault, data })
  },
  moveShares,
  redeemAll,
  async changeMandate({ world, vaults }: Scene, { which, other, percent }: Draw) {
    const { vault, curator } = pick(vaults, which)
    const durations = { minDurationDays: percent % 3, maxDurationDays: 30 + percent }
    const maxClaimFace = BigInt(percent) * 500_000_000n
    const faces = { minFace: BigInt(percent), maxClaimFace, maxIssuerFace: 2n * maxClaimFace }
    const drawn = { ...faces, ...durations }
    await scenario.setMandate(world, { curator, vault, mandate: { ...drawn, ...pick(MANDATES, other) } })
  },
  async changePricing({ world, vaults }: Scene, { which, other, percent }: Draw) {
    const { vault, curator } = pick(vaults, which)
    const premiumBps = [percent, 7, other % 90].slice(0, other % 4)
    await scenario.setPricing(world, { curator, vault, pricing: { baseDiscountBps: percent, premiumBps } })
  },
  /** Terms of the vaults with a notice. They replace those that are pending, and some take effect at once. */
  async announceTerms({ world, announcing }: Scene, { which, other, percent }: Draw) {
    const { vault, curator } = pick(announcing, which)
    const mandate = { ...scenario.OPEN_MANDATE, ...pick(MANDATES, other) }
    const pricing = { baseDiscountBps: percent, durationBpsPerDay: 0, premiumBps: [other % 90] }
    await scenario.submitTerms(world, { curator, vault, mandate, pricing })
  },
  /** Pending terms are revoked, or put into effect once they can be. */
  async endNotice({ world, announcing }: Scene, { which, other }: Draw) {
    const { vault, curator } = pick(announcing, which)
    if (other % 3 === 0) return scenario.revokeTerms(world, { curator, vault })
    const [, , effectiveAt] = await world.chain.readContract({
      abi: financingVaultAbi,
      address: vault,
      functionName: 'pendingTerms',
    })
    if (effectiveAt > (await scenario.chainTime(world))) await scenario.travelTo(world, effectiveAt)
    return scenario.acceptTerms(world, { sender: world.parties.stranger, vault })
  },
  /** The largest numbers that the contract lets terms have, one after the other, and back to terms that finance. */
  async changeTerms({ world, vaults }: Scene, { which, other }: Draw) {
    const { vault, curator } = pick(vaults, which)
    const faces = { minFace: LARGEST, maxFace: LARGEST, maxClaimFace: LARGEST, maxIssuerFace: LARGEST }
    const all = { supportedTypesBitmap: LARGEST, ...faces }
    const none = { baseDiscountBps: 0 }
    const [mandate, pricing] = pick(
      [
        [
          { ...all, maxDurationDays: 0 },
          { baseDiscountBps: 0, durationBpsPerDay: 65_535, premiumBps: [9_999] },
        ],
        [
          { ...all, minDurationDays: ALL_DAYS, maxDurationDays: ALL_DAYS },
          { premiumBps: Array.from({ length: 256 }, (_, type) => 9_000 + type) },
        ],
        [{}, { baseDiscountBps: 9_000, premiumBps: [] }],
      ] as const,
      other,
    )
    await scenario.setPricing(world, { curator, vault, pricing: none })
    await scenario.setMandate(world, { curator, vault, mandate })
    await scenario.setPricing(world, { curator, vault, pricing })
  },
  async changeCurator({ world, vaults }: Scene, { which }: Draw) {
    const known = pick(vaults, which)
    const next = known.curator === world.parties.curator ? world.parties.stranger : world.parties.curator
    const args = [next.address] as const
    const data = encodeFunctionData({ abi: financingVaultAbi, functionName: 'transferOwnership', args })
    await send(world.chain, known.curator, { to: known.vault, data })
    const acceptance = encodeFunctionData({ abi: financingVaultAbi, functionName: 'acceptOwnership' })
    await send(world.chain, next, { to: known.vault, data: acceptance })
    known.curator = next
  },
  /** A new vault whose curator leaves it for good. */
  async abandonVault({ world }: Scene) {
    const { vault } = await scenario.createVault(world, { token: world.eur, name: '', symbol: "Ω'\\\t" })
    const data = encodeFunctionData({ abi: financingVaultAbi, functionName: 'renounceOwnership' })
    await send(world.chain, world.parties.curator, { to: vault, data })
  },
  async toggleVault({ world, vaults }: Scene, { which, percent }: Draw) {
    await scenario.setVaultActive(world, { vault: pick(vaults, which).vault, active: percent > 25 })
  },
  async toggleIssuer({ world }: Scene, { percent }: Draw) {
    await scenario.setIssuerActive(world, { issuer: world.parties.otherIssuer.address, active: percent > 25 })
  },
  /** Claims and vaults of the token are made again afterwards. */
  async toggleToken({ world }: Scene, { which }: Draw) {
    const token = which % 2 ? world.usd : world.eur
    await scenario.setTokenListed(world, { token, listed: false })
    await scenario.setTokenListed(world, { token, listed: true })
  },
  /** A token of the least metadata, of the most, or one that is not listed in the end. */
  async listToken({ world }: Scene, { which, other }: Draw) {
    const [name, symbol, decimals] = pick(
      [
        ['', '', 0],
        ['N'.repeat(90), 'Ω'.repeat(40), 36],
      ] as const,
      which,
    )
    const args = [name, symbol, decimals] as const
    const token = await deployForTest(world, demoTokenAbi, demoTokenBytecode, args)
    await scenario.setTokenListed(world, { token, listed: true })
    if (other % 2) await scenario.setTokenListed(world, { token, listed: false })
  },
  async togglePause({ world }: Scene, { percent }: Draw) {
    await scenario.pauseRouter(world)
    if (percent > 25) await scenario.unpauseRouter(world)
  },
  /** Roles change nothing that is projected. */
  async grantRoles({ world: { chain, protocol, parties } }: Scene) {
    const args = [MANAGER_ROLE, parties.stranger.address] as const
    const grant = encodeFunctionData({ abi, functionName: 'grantRole', args })
    const revoke = encodeFunctionData({ abi, functionName: 'revokeRole', args })
    const renounce = encodeFunctionData({ abi, functionName: 'renounceRole', args })
    for (const to of administeredBy(protocol)) {
      for (const data of [grant, revoke, grant]) await send(chain, parties.admin, { to, data })
      await send(chain, parties.stranger, { to, data: renounce })
    }
  },
  /** The administrator of each contract changes and comes back; a change of the delay is taken back. */
  async changeAdmin({ world }: Scene) {
    const { chain, protocol, parties } = world
    const { admin, stranger } = parties
    const call = (functionName: (typeof ADMIN_CALLS)[number]) => encodeFunctionData({ abi, functionName })
    const begin = (to: Party) =>
      encodeFunctionData({ abi, functionName: 'beginDefaultAdminTransfer', args: [to.address] })
    const delay = encodeFunctionData({
      abi,
      functionName: 'changeDefaultAdminDelay',
      args: [ADMIN_DELAY + 1],
    })
    for (const to of administeredBy(protocol)) {
      const before = [
        delay,
        call('rollbackDefaultAdminDelay'),
        begin(admin),
        call('cancelDefaultAdminTransfer'),
      ]
      for (const data of before) await send(chain, admin, { to, data })
      for (const [from, next] of [
        [admin, stranger],
        [stranger, admin],
      ] as const) {
        await send(chain, from, { to, data: begin(next) })
        await scenario.travelTo(world, (await scenario.chainTime(world)) + BigInt(ADMIN_DELAY) + 1n)
        await send(chain, next, { to, data: call('acceptDefaultAdminTransfer') })
      }
    }
  },
  /** Terms change twice, shares move and a deposit comes in, all in one block. */
  async sameBlock({ world, vaults }: Scene, { which, other, percent }: Draw) {
    const { vault, token, curator } = pick(vaults, which)
    const { provider } = world.parties
    const abi = financingVaultAbi
    const assets = BigInt(percent)
    await scenario.mint(world, { token, to: provider.address, amount: assets })
    await scenario.approve(world, { owner: provider, token, spender: vault, amount: assets })
    const mandates = [other, other + 1].map((index) => ({
      ...scenario.OPEN_MANDATE,
      ...pick(MANDATES, index),
    }))
    const ofCurator = mandates.map((mandate) =>
      encodeFunctionData({ abi, functionName: 'submitTerms', args: [mandate, scenario.FLAT_PRICING] }),
    )
    // The token has no permits, so the allowance decides.
    const permit = [0n, 27, zeroHash, zeroHash] as const
    const ofProvider = [
      encodeFunctionData({
        abi,
        functionName: 'depositWithPermit',
        args: [assets, provider.address, 0n, ...permit],
      }),
      encodeFunctionData({ abi, functionName: 'transfer', args: [curator.address, assets] }),
    ]
    await inOneBlock(world, [
      ...ofCurator.map((data) => [curator, { to: vault, data }] as const),
      ...ofProvider.map((data) => [provider, { to: vault, data }] as const),
    ])
  },
  /** A deposit in the last second of a day, and one in the first of the next. */
  async atMidnight({ world, vaults }: Scene, { which, percent }: Draw) {
    const { provider } = world.parties
    const { vault, token } = pick(vaults, which)
    // At least a minute away: earlier actions end in the last second of a day.
    const midnight = (((await scenario.inDays(world, 1)) + 60n) / scenario.DAY) * scenario.DAY
    const assets = BigInt(percent)
    await scenario.mint(world, { token, to: provider.address, amount: 2n * assets })
    await scenario.approve(world, { owner: provider, token, spender: vault, amount: 2n * assets })
    await scenario.travelTo(world, midnight - 2n)
    for (const timestamp of [midnight - 1n, midnight]) {
      await world.chain.setNextBlockTimestamp({ timestamp })
      await scenario.depositOwned(world, { provider, vault, assets })
    }
  },
}

async function register(
  { world, claims }: Pick<Scene, 'world' | 'claims'>,
  { beneficiary, ...terms }: Omit<scenario.ClaimTerms, 'beneficiary'> & { beneficiary: Party },
): Promise<KnownClaim> {
  const { claimId } = await scenario.registerClaim(world, { ...terms, beneficiary: beneficiary.address })
  const claim = { claimId, beneficiary, token: terms.token, faceValue: terms.faceValue }
  claims.push(claim)
  return claim
}

async function finance(world: World, claim: KnownClaim, vault: Address, faceAmount: bigint): Promise<void> {
  const { beneficiary: user, claimId } = claim
  await scenario.executeFinancing(world, { user, claimId, vault, faceAmount })
}

/** Who takes assets of the provider out of a vault, and for whom. */
async function leave(world: World, vault: Address, other: number) {
  const { provider, stranger, payer } = world.parties
  if (other % 3 === 0) return { caller: provider, receiver: provider.address }
  if (other % 3 === 1) return { caller: provider, receiver: payer.address }
  await allow(world, vault, provider, stranger, LARGEST)
  return { caller: stranger, receiver: payer.address }
}

/** A part or all of the shares of a holder, to another wallet, to oneself, or to the vault itself. */
async function moveShares({ world, vaults }: Scene, { which, other, percent }: Draw) {
  const { provider, stranger, relayer } = world.parties
  const { vault } = pick(vaults, which)
  const [from, to] = pick(
    [
      [provider, stranger.address],
      [stranger, provider.address],
      [stranger, vault],
      [provider, provider.address],
      [stranger, relayer.address],
    ] as const,
    other,
  )
  const value = ((await sharesOf(world, vault, from)) * BigInt(percent)) / 100n
  const data = encodeFunctionData({ abi: financingVaultAbi, functionName: 'transfer', args: [to, value] })
  await send(world.chain, from, { to: vault, data })
}

/** A withdrawal of all shares. */
async function redeemAll({ world, vaults }: Scene, { which }: Draw) {
  const { stranger } = world.parties
  const { vault } = pick(vaults, which)
  const args = [await sharesOf(world, vault, stranger), stranger.address, stranger.address] as const
  const data = encodeFunctionData({ abi: financingVaultAbi, functionName: 'redeem', args })
  await send(world.chain, stranger, { to: vault, data })
}

async function sharesOf({ chain }: World, vault: Address, { address }: Party): Promise<bigint> {
  const args = [address] as const
  return chain.readContract({ abi: financingVaultAbi, address: vault, functionName: 'balanceOf', args })
}

async function allow(world: World, vault: Address, owner: Party, spender: Party, value: bigint) {
  const args = [spender.address, value] as const
  const data = encodeFunctionData({ abi: financingVaultAbi, functionName: 'approve', args })
  await send(world.chain, owner, { to: vault, data })
}

/** Small enough for several in a block. */
const GAS = 1_500_000n

/** @param calls by their senders; a call may state its gas */
export async function inOneBlock(
  { chain }: World,
  calls: readonly (readonly [Party, Call & { gas?: bigint }])[],
): Promise<void> {
  await chain.setAutomine(false)
  try {
    for (const [{ address: account }, call] of calls) {
      const nonce = await chain.getTransactionCount({ address: account, blockTag: 'pending' })
      await chain.sendTransaction({ account, chain: null, gas: GAS, ...call, nonce })
    }
    await chain.mine({ blocks: 1 })
  } finally {
    await chain.setAutomine(true)
  }
}

function vaultsOf(vaults: readonly KnownVault[], token: Address) {
  return vaults.filter((vault) => vault.token === token)
}

export function pick<Item>(items: readonly Item[], index: number): Item {
  const item = items[index % items.length]
  if (item === undefined) throw new Error('there is nothing to pick from')
  return item
}
