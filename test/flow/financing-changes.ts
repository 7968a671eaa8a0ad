/** Everything that can come to stand against a financing, and what the gateway and the router each call it. */
import { concat, type Hex, keccak256, numberToHex, pad } from 'viem'
import type { LegReason } from '../../api/eligibility/leg.ts'
import type { ErrorCode } from '../../api/errors.ts'
import type { Party } from '../support/parties.ts'
import type { World } from '../support/protocol.ts'
import * as act from '../support/scenario.ts'

export const USD = 1_000_000n
export const CAPITAL = 500n * USD
export const CLAIM_FACE = 1_000n * USD
/** Face value that is financed of the claim, and the advance that the vault pays for it. */
export const FACE = 400n * USD
export const ADVANCE = 396n * USD

/** A claim of `user` in dollars, of which `vault` finances `FACE`; `openVault` makes another one. */
export type Scene = {
  world: World
  user: Party
  vault: Hex
  claimId: Hex
  dueDate: bigint
  openVault: (capital: bigint) => Promise<Hex>
}

export type Change = {
  when: string
  make: (scene: Scene) => Promise<unknown>
  undo?: (scene: Scene) => Promise<unknown>
  code: ErrorCode
  /** Null where it is the price. */
  reason: LegReason | null
  /** The router's error. */
  contract: string
  /** The two sides of the failed condition. */
  sides?: (scene: Scene) => { have?: string; need?: string }
  /** The claim can still be financed by the vault, with another face or for less: nothing for optimize to leave out. */
  stillOpen?: true
}

export const CHANGES: readonly Change[] = [
  {
    when: 'the router was paused',
    make: ({ world }) => act.pauseRouter(world),
    undo: ({ world }) => act.unpauseRouter(world),
    code: 'ROUTER_PAUSED',
    reason: 'ROUTER_PAUSED',
    contract: 'EnforcedPause',
  },
  {
    when: 'the issuer revoked the claim',
    make: ({ world, claimId }) => act.revokeClaim(world, { issuer: world.parties.issuer, claimId }),
    code: 'LEG_NOT_FINANCEABLE',
    reason: 'CLAIM_NOT_FINANCEABLE',
    contract: 'ClaimNotFinanceable',
    sides: () => ({ have: 'REVOKED', need: 'ELIGIBLE or PARTIALLY_FUNDED' }),
  },
  {
    when: 'the issuer revoked the claim after a part was financed',
    make: async (scene) => {
      const { world, claimId } = scene
      await financeElsewhere(scene, USD)
      await act.revokeClaim(world, { issuer: world.parties.issuer, claimId })
    },
    code: 'LEG_NOT_FINANCEABLE',
    reason: 'CLAIM_NOT_FINANCEABLE',
    contract: 'ClaimNotFinanceable',
    sides: () => ({ have: 'CLOSED', need: 'ELIGIBLE or PARTIALLY_FUNDED' }),
  },
  {
    when: 'all of the face was financed',
    make: (scene) => financeElsewhere(scene, CLAIM_FACE),
    code: 'LEG_NOT_FINANCEABLE',
    reason: 'CLAIM_NOT_FINANCEABLE',
    contract: 'ClaimNotFinanceable',
    sides: () => ({ have: 'FULLY_FUNDED' }),
  },
  {
    when: 'the claim fell due and was settled',
    make: async ({ world, claimId, dueDate }) => {
      await act.travelTo(world, dueDate)
      await act.mintAndSettle(world, { payer: world.parties.payer, claimId })
    },
    code: 'LEG_NOT_FINANCEABLE',
    reason: 'CLAIM_NOT_FINANCEABLE',
    contract: 'ClaimNotFinanceable',
    sides: () => ({ have: 'SETTLED' }),
  },
  {
    when: 'the claim fell due',
    make: ({ world, dueDate }) => act.travelTo(world, dueDate),
    code: 'LEG_NOT_FINANCEABLE',
    reason: 'CLAIM_PAST_DUE',
    contract: 'ClaimPastDue',
    sides: ({ dueDate }) => ({ have: String(dueDate) }),
  },
  {
    when: 'the last slice was taken',
    make: (scene) => financeElsewhere(scene, USD, 8),
    code: 'LEG_NOT_FINANCEABLE',
    reason: 'NO_SLICES_REMAINING',
    contract: 'NoSlicesRemaining',
    sides: () => ({ have: '0', need: '1' }),
  },
  {
    when: 'another financing took face that is needed',
    make: (scene) => financeElsewhere(scene, CLAIM_FACE - FACE + 1n),
    code: 'LEG_NOT_FINANCEABLE',
    reason: 'FACE_EXCEEDS_REMAINING',
    contract: 'FaceExceedsRemaining',
    sides: () => ({ have: String(FACE - 1n), need: String(FACE) }),
    stillOpen: true,
  },
  {
    when: 'the issuer was deactivated',
    make: ({ world }) => setIssuer(world, false),
    undo: ({ world }) => setIssuer(world, true),
    code: 'ISSUER_INACTIVE',
    reason: 'ISSUER_INACTIVE',
    contract: 'IssuerInactive',
    sides: ({ world }) => ({ have: world.parties.issuer.address }),
  },
  {
    when: 'the vault was deactivated',
    make: ({ world, vault }) => act.setVaultActive(world, { vault, active: false }),
    code: 'VAULT_INACTIVE',
    reason: 'VAULT_INACTIVE',
    contract: 'VaultInactive',
  },
  {
    when: 'the claim is in another token',
    make: ({ world, claimId }) => writeClaimToken(world, claimId, world.eur),
    code: 'TOKEN_MISMATCH',
    reason: 'TOKEN_MISMATCH',
    contract: 'TokenMismatch',
    sides: ({ world }) => ({ have: world.usd, need: world.eur }),
  },
  {
    when: 'the curator no longer takes its type',
    make: (scene) => setMandate(scene, { supportedTypesBitmap: 0b1110n }),
    code: 'MANDATE_REJECTED',
    reason: 'TYPE_NOT_SUPPORTED',
    contract: 'TypeNotSupported',
    sides: () => ({ have: '1, 2, 3', need: '0' }),
  },
  {
    when: 'the curator shortened the longest duration',
    make: (scene) => setMandate(scene, { maxDurationDays: 19 }),
    code: 'MANDATE_REJECTED',
    reason: 'DURATION_EXCEEDED',
    contract: 'DurationExceeded',
    sides: () => ({ have: '20', need: '19' }),
  },
  {
    when: 'the curator raised the shortest duration',
    make: (scene) => setMandate(scene, { minDurationDays: 21 }),
    code: 'MANDATE_REJECTED',
    reason: 'DURATION_BELOW_MINIMUM',
    contract: 'DurationBelowMinimum',
    sides: () => ({ have: '20', need: '21' }),
  },
  {
    when: 'the curator raised the smallest lot',
    make: (scene) => setMandate(scene, { minFace: FACE + 1n }),
    code: 'MANDATE_REJECTED',
    reason: 'BELOW_MINIMUM_LOT',
    contract: 'BelowMinimumLot',
    sides: () => ({ have: String(FACE), need: String(FACE + 1n) }),
    stillOpen: true,
  },
  {
    when: 'the curator lowered the largest lot',
    make: (scene) => setMandate(scene, { maxFace: FACE - 1n }),
    code: 'MANDATE_REJECTED',
    reason: 'ABOVE_MAXIMUM_LOT',
    contract: 'AboveMaximumLot',
    sides: () => ({ have: String(FACE), need: String(FACE - 1n) }),
    stillOpen: true,
  },
  {
    when: 'the vault took so much of the claim that its largest face of one claim does not allow the rest',
    make: async (scene) => {
      const { world, user, claimId, vault } = scene
      await act.executeFinancing(world, { user, claimId, vault, faceAmount: USD })
      await setMandate(scene, { maxClaimFace: FACE + USD - 1n })
    },
    code: 'MANDATE_REJECTED',
    reason: 'ABOVE_MAXIMUM_CLAIM_FACE',
    contract: 'AboveMaximumClaimFace',
    sides: () => ({ have: String(FACE + USD), need: String(FACE + USD - 1n) }),
    stillOpen: true,
  },
  {
    when: 'the issuer owes the vault so much that the most face of one issuer does not allow the rest',
    make: async (scene) => {
      const { world, user, claimId, vault } = scene
      await act.executeFinancing(world, { user, claimId, vault, faceAmount: USD })
      await setMandate(scene, { maxIssuerFace: FACE + USD - 1n })
    },
    code: 'MANDATE_REJECTED',
    reason: 'ABOVE_MAXIMUM_ISSUER_FACE',
    contract: 'AboveMaximumIssuerFace',
    sides: () => ({ have: String(FACE + USD), need: String(FACE + USD - 1n) }),
    stillOpen: true,
  },
  {
    when: 'the provider left one unit less than the advance',
    make: ({ world, vault }) => {
      const { provider } = world.parties
      return act.withdraw(world, { provider, vault, assets: CAPITAL - ADVANCE + 1n })
    },
    code: 'INSUFFICIENT_LIQUIDITY',
    reason: 'NO_LIQUIDITY',
    contract: 'InsufficientLiquidity',
    sides: () => ({ have: String(ADVANCE - 1n), need: String(ADVANCE) }),
    stillOpen: true,
  },
  {
    when: 'the curator raised the price by a basis point',
    make: ({ world, vault }) => {
      const pricing = { baseDiscountBps: 101 }
      return act.setPricing(world, { curator: world.parties.curator, vault, pricing })
    },
    code: 'TARGET_NO_LONGER_MET',
    reason: null,
    contract: 'AdvanceBelowMinimum',
    sides: () => ({ have: String(ADVANCE - FACE / 10_000n), need: String(ADVANCE) }),
    stillOpen: true,
  },
]

async function financeElsewhere({ world, user, claimId, openVault }: Scene, faceAmount: bigint, times = 1) {
  const vault = await openVault(CLAIM_FACE)
  for (let slice = 0; slice < times; slice++) {
    await act.executeFinancing(world, { user, claimId, vault, faceAmount })
  }
}

function setIssuer(world: World, active: boolean) {
  return act.setIssuerActive(world, { issuer: world.parties.issuer.address, active })
}

function setMandate({ world, vault }: Scene, mandate: Partial<act.Mandate>) {
  return act.setMandate(world, { curator: world.parties.curator, vault, mandate })
}

/** Nothing in the contracts changes a claim's token: its storage is overwritten. */
async function writeClaimToken({ chain, protocol, usd }: World, claimId: Hex, token: Hex): Promise<void> {
  const address = protocol.claimRegistry
  for (let mapping = 0n; mapping < 8n; mapping++) {
    const record = keccak256(concat([claimId, numberToHex(mapping, { size: 32 })]))
    const slot = numberToHex(BigInt(record) + 2n, { size: 32 })
    if ((await chain.getStorageAt({ address, slot })) !== pad(usd)) continue
    await chain.setStorageAt({ address, index: slot, value: pad(token) })
    return
  }
  throw new Error('no slot of the registry holds the token of the claim')
}
