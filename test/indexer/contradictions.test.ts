/** Events that contradict the protocol stop the indexer, each by its own rule: no contract emits them. */
import { zeroAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { claimStates } from '../../indexer/codes.ts'
import { router as routers } from '../../ponder.schema.ts'
import { createHandled, type PlayedEvent } from '../support/handlers.ts'

const wallet = `0x${'c1'.repeat(20)}` as const
const other = `0x${'c2'.repeat(20)}` as const
const issuer = `0x${'d1'.repeat(20)}` as const
const token = `0x${'b1'.repeat(20)}` as const
const vault = `0x${'a1'.repeat(20)}` as const
const router = `0x${'f1'.repeat(20)}` as const
const claimId = `0x${'01'.repeat(32)}` as const
const executionId = `0x${'02'.repeat(32)}` as const
/** Weeks after the events, which are seconds apart. */
const dueDate = 40n * 86_400n

type State = (typeof claimStates)[number]
const mandate = {
  supportedTypesBitmap: 1n,
  minDurationDays: 0,
  maxDurationDays: 9,
  minFace: 1n,
  maxFace: 1n,
  maxClaimFace: 1n,
  maxIssuerFace: 1n,
}
const pricing = { baseDiscountBps: 0, durationBpsPerDay: 0, premiumBps: [] }

const issuerIs = (active: boolean): PlayedEvent => ['IssuerRegistry:IssuerStatusChanged', { issuer, active }]
const added: PlayedEvent = ['TokenRegistry:TokenAdded', { token, symbol: 'T', name: 'Token', decimals: 6 }]
const listed = (listed: boolean): PlayedEvent => ['TokenRegistry:TokenStatusChanged', { token, listed }]
const created: PlayedEvent = [
  'VaultRegistry:VaultRegistered',
  { vault, token, curator: wallet, name: 'V', symbol: 'v', noticePeriod: 0, mandate, pricing },
]
const vaultIs = (active: boolean): PlayedEvent => ['VaultRegistry:VaultStatusChanged', { vault, active }]
const registered: PlayedEvent = [
  'ClaimRegistry:ClaimRegistered',
  {
    claimId,
    issuer,
    beneficiary: wallet,
    token,
    faceValue: 100n,
    dueDate,
    claimType: 0,
    documentHash: claimId,
  },
]
const moved = (from: State, to: State): PlayedEvent => [
  'ClaimRegistry:ClaimStateChanged',
  { claimId, from: claimStates.indexOf(from), to: claimStates.indexOf(to) },
]
const reserved = (sliceIndex: number, faceAmount: bigint, financedFaceValue: bigint): PlayedEvent => [
  'ClaimRegistry:SliceReserved',
  { claimId, sliceIndex, faceAmount, financedFaceValue },
]
const part = { claimId, sliceIndex: 0, faceAmount: 60n, advanceAmount: 50n }
const allocated: PlayedEvent = ['ClaimRegistry:AllocationRegistered', { ...part, vault, executionId }]
const executed = (change: object = {}): PlayedEvent => [
  'FinancingRouter:Executed',
  {
    ...{ executionId, user: wallet, token, submitter: wallet, kind: 0 },
    ...{ legCount: 1n, totalFace: 60n, totalAdvance: 50n, ...change },
  },
]
const leg = (change: object = {}): PlayedEvent => [
  'FinancingRouter:LegExecuted',
  { ...part, executionId, vault, legIndex: 0n, ...change },
]
const funded = (change: object = {}, place: PlayedEvent[2] = { by: vault }): PlayedEvent => [
  'FinancingVault:Funded',
  { ...part, recipient: wallet, ...change },
  place,
]
const repaid = (faceAmount: bigint, by: typeof vault = vault): PlayedEvent => [
  'FinancingVault:Repaid',
  { claimId, sliceIndex: 0, faceAmount, advanceAmount: 0n },
  { by },
]
const paid = (amounts: {
  faceAmount: bigint
  paidFaceValue: bigint
  sliceAmounts: bigint[]
  beneficiaryAmount: bigint
}): PlayedEvent => ['FinancingRouter:ClaimPaid', { claimId, payer: other, token, ...amounts }]
const credited: PlayedEvent = ['FinancingRouter:Credited', { claimId, account: wallet, token, amount: 5n }]
const withdrawn = (amount: bigint): PlayedEvent => [
  'FinancingRouter:CreditWithdrawn',
  { account: wallet, token, amount },
]
const cancelled: PlayedEvent = ['FinancingRouter:RoutesCancelled', { user: wallet, nonce: 7n }]
const shares = (from: typeof wallet, to: typeof wallet, value: bigint): PlayedEvent => [
  'FinancingVault:Transfer',
  { from, to, value },
  { by: vault },
]
const deposited = (assets: bigint): PlayedEvent => [
  'FinancingVault:Deposit',
  { sender: wallet, owner: wallet, assets, shares: assets },
  { by: vault },
]
const left = (assets: bigint, burnt = assets): PlayedEvent => [
  'FinancingVault:Withdraw',
  { sender: wallet, receiver: wallet, owner: wallet, assets, shares: burnt },
  { by: vault },
]
const owned = (previousOwner: typeof wallet): PlayedEvent => [
  'FinancingVault:OwnershipTransferred',
  { previousOwner, newOwner: other },
  { by: vault },
]

const CLAIM = [issuerIs(true), registered, moved('NONE', 'ELIGIBLE')]
const VAULT = [created, vaultIs(true), shares(zeroAddress, wallet, 100n), deposited(100n)]
const SLICE = [...CLAIM, ...VAULT, reserved(0, 60n, 60n), moved('ELIGIBLE', 'PARTIALLY_FUNDED'), allocated]
const LEG = [...SLICE, executed(), leg()]
const FUNDED = [...LEG, funded()]
const half = { faceAmount: 50n, paidFaceValue: 50n, sliceAmounts: [30n], beneficiaryAmount: 20n }
const PAID = [...FUNDED, paid(half)]

/** A title, the history, the event that contradicts it, and the rule that the event breaks. */
const CONTRADICTIONS: readonly (readonly [string, readonly PlayedEvent[], PlayedEvent, string])[] = [
  ['an issuer that is activated twice', CLAIM, issuerIs(true), 'already has active = true'],
  ['an issuer that is deactivated before it is active', [], issuerIs(false), 'already has active = false'],
  ['a token that is added twice', [added], added, 'was added before'],
  ['a token that is delisted twice', [added], listed(false), 'already has listed = false'],
  ['a token that is listed twice', [added, listed(true)], listed(true), 'already has listed = true'],
  ['the listing of a token that nobody added', [], listed(true), 'is unknown'],
  ['a vault that is registered twice', VAULT, created, 'is registered already'],
  ['a vault that is activated twice', VAULT, vaultIs(true), 'already has active = true'],
  ['the status of a vault that nobody registered', [], vaultIs(true), 'is unknown'],
  [
    'a claim of an issuer that is not active any more',
    [issuerIs(true), issuerIs(false)],
    registered,
    'inactive issuer',
  ],
  ['a claim of an unknown issuer', [], registered, `issuer ${issuer} is unknown`],
  ['a claim that is registered twice', CLAIM, registered, 'is registered already'],
  [
    'a claim that begins as financed',
    [issuerIs(true), registered],
    moved('NONE', 'PARTIALLY_FUNDED'),
    'began as',
  ],
  [
    'a claim that leaves a state in which it is not',
    CLAIM,
    moved('PARTIALLY_FUNDED', 'FULLY_FUNDED'),
    'but it was ELIGIBLE',
  ],
  ['a claim that becomes unregistered', CLAIM, moved('ELIGIBLE', 'NONE'), 'has no state 0'],
  [
    'a state after the last one',
    CLAIM,
    ['ClaimRegistry:ClaimStateChanged', { claimId, from: 1, to: 7 }],
    'has no state 7',
  ],
  ['the state of an unknown claim', [], moved('ELIGIBLE', 'REVOKED'), 'is unknown'],
  ['a slice after one that nobody reserved', CLAIM, reserved(1, 60n, 60n), 'has 0 slices'],
  ['a slice that is reserved twice', SLICE, reserved(0, 1n, 61n), 'has 1 slices'],
  ['financed face that is not the sum of the slices', CLAIM, reserved(0, 60n, 61n), '60 more makes 61'],
  ['more financed face than the claim has', CLAIM, reserved(0, 101n, 101n), '101 more makes 101'],
  ['an allocation of an unknown claim', [], allocated, 'is unknown'],
  ['a slice that is allocated twice', SLICE, allocated, 'is allocated already'],
  ['an execution of a kind that there is not', [], executed({ kind: 2 }), 'of unknown kind 2'],
  ['an execution that happens twice', [executed()], executed(), 'happened already'],
  ['a leg after the last one', [...SLICE, executed()], leg({ legIndex: 1n }), 'has no leg 1'],
  ['a leg of an unknown execution', SLICE, leg(), 'has no leg 0'],
  ["a leg of another wallet's claim", [...SLICE, executed({ user: other })], leg(), 'is not one of'],
  ['a leg of a claim in another token', [...SLICE, executed({ token: other })], leg(), 'is not one of'],
  [
    'a leg of another vault than the slice',
    [...SLICE, executed()],
    leg({ vault: other }),
    'is not allocated',
  ],
  [
    'a leg of another face than the slice',
    [...SLICE, executed()],
    leg({ faceAmount: 61n }),
    'is not allocated',
  ],
  [
    'a leg of another advance than the slice',
    [...SLICE, executed()],
    leg({ advanceAmount: 49n }),
    'is not allocated',
  ],
  [
    'a leg of a slice of another execution',
    [...SLICE, executed({ executionId: claimId })],
    leg({ executionId: claimId }),
    'is not allocated',
  ],
  ['a nonce that is used up twice', [cancelled], cancelled, 'is used up already'],
  ['the funding of a slice by another vault', LEG, funded({}, { by: other }), 'is not allocated to vault'],
  [
    'the funding of another face than the slice',
    LEG,
    funded({ faceAmount: 61n }),
    'is not allocated to vault',
  ],
  [
    'the funding of another advance than the slice',
    LEG,
    funded({ advanceAmount: 49n }),
    'is not allocated to vault',
  ],
  [
    'the funding of a claim that is due',
    LEG,
    funded({}, { by: vault, at: dueDate }),
    'is not allocated to vault',
  ],
  [
    'more funding than the vault has',
    [...SLICE.filter((event) => event !== VAULT[3]), deposited(49n), executed(), leg()],
    funded(),
    'would have idleAssets = -1',
  ],
  [
    'a payment that is not the sum of its parts',
    FUNDED,
    paid({ ...half, beneficiaryAmount: 21n }),
    '50 of claim',
  ],
  ['a payment that does not add up with those before', PAID, paid(half), '50 more makes 50'],
  [
    'more payment than the claim has face',
    FUNDED,
    paid({ faceAmount: 101n, paidFaceValue: 101n, sliceAmounts: [60n], beneficiaryAmount: 41n }),
    '101 more makes 101',
  ],
  [
    'a claim that is paid and not settled',
    FUNDED,
    paid({ faceAmount: 100n, paidFaceValue: 100n, sliceAmounts: [60n], beneficiaryAmount: 40n }),
    'is PARTIALLY_FUNDED, and 100 of it is paid',
  ],
  [
    'a claim that is settled and not paid',
    [...FUNDED, moved('PARTIALLY_FUNDED', 'SETTLED')],
    paid(half),
    'is SETTLED, and 50 of it is paid',
  ],
  [
    'more payment of a slice than it has face',
    FUNDED,
    paid({ faceAmount: 61n, paidFaceValue: 61n, sliceAmounts: [61n], beneficiaryAmount: 0n }),
    'has a face of 60, and 61 of it is paid',
  ],
  [
    'the payment of a slice that nobody reserved',
    FUNDED,
    paid({ ...half, sliceAmounts: [0n, 30n] }),
    'is unknown',
  ],
  ['the payment of an unknown claim', [], paid(half), 'is unknown'],
  ['more repayment than is paid', PAID, repaid(31n), '31 was repaid'],
  ['the repayment of another vault', PAID, repaid(30n, other), `was repaid to ${other}`],
  [
    'the repayment of nothing after that of all',
    [
      ...FUNDED,
      moved('PARTIALLY_FUNDED', 'SETTLED'),
      paid({ faceAmount: 100n, paidFaceValue: 100n, sliceAmounts: [60n], beneficiaryAmount: 40n }),
      repaid(60n),
    ],
    repaid(0n),
    '60 was repaid',
  ],
  ['the repayment of an unknown slice', VAULT, repaid(1n), 'is unknown'],
  ['the withdrawal of more than a credit', [credited], withdrawn(6n), 'withdrew 6 of a credit of 5'],
  [
    'the withdrawal of more than a withdrawal has left of several credits',
    [credited, credited, withdrawn(3n)],
    withdrawn(8n),
    'withdrew 8 of a credit of 7',
  ],
  ['the withdrawal of a credit of nobody', [], withdrawn(1n), 'withdrew 1 of a credit of 0'],
  ['more shares than a wallet has', VAULT, shares(wallet, other, 101n), 'holds 100 shares'],
  ['the burn of more shares than a wallet has', VAULT, shares(wallet, zeroAddress, 101n), 'holds 100 shares'],
  ['the withdrawal of more than the vault has', VAULT, left(101n, 100n), 'would have idleAssets = -1'],
  ['the withdrawal of more shares than there are', VAULT, left(100n, 101n), 'would have totalShares = -1'],
  ['the curator of a vault that another one gives away', VAULT, owned(other), 'was not the curator'],
  ['the curator of an unknown vault', [], owned(wallet), 'is unknown'],
  [
    'the revocation of terms that nobody submitted',
    VAULT,
    ['FinancingVault:TermsRevoked', {}, { by: vault }],
    'no pending terms',
  ],
  [
    'the mandate of an unknown vault',
    [],
    ['FinancingVault:MandateChanged', { mandate }, { by: vault }],
    'is unknown',
  ],
  [
    'the pricing of an unknown vault',
    [],
    ['FinancingVault:PricingChanged', { pricing }, { by: vault }],
    'is unknown',
  ],
  ['a deposit in an unknown vault', [], deposited(1n), 'is unknown'],
]

const paused: PlayedEvent = ['FinancingRouter:Paused', {}, { by: router }]
const unpaused: PlayedEvent = ['FinancingRouter:Unpaused', {}, { by: router }]

describe('the indexer stops at', () => {
  it.each([
    ...CONTRADICTIONS,
    ['a pause of the router that is paused', [paused], paused, 'is paused already'],
    ['the end of a pause that never began', [], unpaused, 'is not paused'],
    ['the second end of a pause', [paused, unpaused], unpaused, 'is not paused'],
  ] satisfies typeof CONTRADICTIONS)('%s', async (_, history, event, rule) => {
    const { db, play } = createHandled()
    await db.insert(routers).values({ id: router, paused: false, changedBlock: 0n, changedAt: 0n })
    await play(...history)
    const { message } = await play(event).then(
      () => new Error('no handler stopped'),
      (error: Error) => error,
    )
    expect(message).toContain(`Invariant(${event[0]}): `)
    expect(message).toContain(rule)
  })
})
