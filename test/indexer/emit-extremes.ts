/** Logs that the protocol's ABI allows and its code does not: every integer at its least and at its largest value. */
import {
  type Abi,
  type Address,
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionData,
  getAbiItem,
  type Hex,
  pad,
  toHex,
  zeroAddress,
} from 'viem'
import { claimRegistryAbi } from '../../abis/ClaimRegistry.ts'
import { financingRouterAbi } from '../../abis/FinancingRouter.ts'
import { financingVaultAbi } from '../../abis/FinancingVault.ts'
import { issuerRegistryAbi } from '../../abis/IssuerRegistry.ts'
import { tokenRegistryAbi } from '../../abis/TokenRegistry.ts'
import { vaultRegistryAbi } from '../../abis/VaultRegistry.ts'
import { logEmitterAbi, logEmitterBytecode } from '../../contracts/testing/generated/LogEmitter.ts'
import { deployForTest, type World } from '../support/protocol.ts'
import { ClaimState, DAY, inDays, travelTo } from '../support/scenario.ts'
import { send } from '../support/transactions.ts'

export const protocolAbis: Readonly<Record<string, Abi>> = {
  ClaimRegistry: claimRegistryAbi,
  FinancingRouter: financingRouterAbi,
  FinancingVault: financingVaultAbi,
  IssuerRegistry: issuerRegistryAbi,
  TokenRegistry: tokenRegistryAbi,
  VaultRegistry: vaultRegistryAbi,
}

type Args = Readonly<Record<string, unknown>>

const LARGEST = 2n ** 256n - 1n
const id = (number: number) => pad(toHex(number), { size: 32 })
const address = (number: number): Address => pad(toHex(number), { size: 20 })

const LEAST_MANDATE = {
  supportedTypesBitmap: 0n,
  minDurationDays: 0,
  maxDurationDays: 0,
  minFace: 0n,
  maxFace: 0n,
  maxClaimFace: 0n,
  maxIssuerFace: 0n,
}
const LARGEST_MANDATE = {
  supportedTypesBitmap: LARGEST,
  minDurationDays: 2 ** 32 - 1,
  maxDurationDays: 2 ** 32 - 1,
  minFace: LARGEST,
  maxFace: LARGEST,
  maxClaimFace: LARGEST,
  maxIssuerFace: LARGEST,
}
const LEAST_PRICING = { baseDiscountBps: 0, durationBpsPerDay: 0, premiumBps: [0] }
const LARGEST_PRICING = {
  baseDiscountBps: 65_535,
  durationBpsPerDay: 65_535,
  premiumBps: Array.from({ length: 256 }, () => 65_535),
}

/** Claims, executions, vaults and wallets of the logs. */
export const EXTREMES = {
  least: { claim: id(1), execution: id(11), vault: address(0xa1) },
  largest: { claim: id(2), execution: id(12), vault: address(0xa2) },
  /** The largest claim that nobody finances. */
  unfinanced: id(3),
  /** An execution of no legs. */
  empty: id(13),
  token: address(0xb1),
  wallet: address(0xc1),
  /** A vault of a token that calls other functions while it moves, and a second wallet. */
  hostile: { vault: address(0xa3), token: address(0xb2), wallet: address(0xc2) },
} as const

/** Puts an emitter at the addresses of the protocol and of three vaults, and lets each emit its part. */
export async function emitExtremes(world: World) {
  // At noon, so that no midnight comes between the logs.
  const tomorrow = (await inDays(world, 1)) / DAY
  await travelTo(world, tomorrow * DAY + DAY / 2n)
  const emitter = await deployForTest(world, logEmitterAbi, logEmitterBytecode, [])
  const code = await world.chain.getCode({ address: emitter })
  if (!code) throw new Error('the emitter has no code')
  const { least, largest, unfinanced, empty, token, wallet, hostile } = EXTREMES
  const { tokenRegistry, claimRegistry, financingRouter, vaultRegistry } = world.protocol
  for (const at of [
    tokenRegistry,
    claimRegistry,
    financingRouter,
    vaultRegistry,
    least.vault,
    largest.vault,
    hostile.vault,
  ]) {
    await world.chain.setCode({ address: at, bytecode: code })
  }

  const values = new Map<string, unknown[]>()
  const emit = async (contract: string, at: Address, ...events: readonly [name: string, args: Args][]) => {
    for (const [name, args] of events) note(values, `${contract}:${name}`, args)
    const logs = events.map(([name, args]) => encodeLog(protocolAbis[contract] ?? [], name, args))
    const data = encodeFunctionData({ abi: logEmitterAbi, functionName: 'emitAll', args: [logs] })
    await send(world.chain, world.parties.admin, { to: at, data })
  }
  const claims = (...events: readonly [string, Args][]) => emit('ClaimRegistry', claimRegistry, ...events)
  const router = (...events: readonly [string, Args][]) => emit('FinancingRouter', financingRouter, ...events)
  const registry = (...events: readonly [string, Args][]) => emit('VaultRegistry', vaultRegistry, ...events)
  const vault = (at: Address, ...events: readonly [string, Args][]) => emit('FinancingVault', at, ...events)

  await emit(
    'TokenRegistry',
    tokenRegistry,
    ['TokenAdded', { token, symbol: '', name: '', decimals: 0 }],
    ['TokenAdded', { token: wallet, symbol: 'X', name: 'Extreme', decimals: 255 }],
    ['TokenAdded', { token: hostile.token, symbol: 'H', name: 'Hostile', decimals: 6 }],
  )

  // Vaults: terms of one bound first, of the other then.
  const names = { token, curator: wallet, name: 'Extreme', symbol: 'X' }
  const active = true
  await registry(
    [
      'VaultRegistered',
      { ...names, vault: least.vault, noticePeriod: 0, mandate: LEAST_MANDATE, pricing: LEAST_PRICING },
    ],
    ['VaultStatusChanged', { vault: least.vault, active }],
    [
      'VaultRegistered',
      {
        ...names,
        vault: largest.vault,
        noticePeriod: 2 ** 32 - 1,
        mandate: LARGEST_MANDATE,
        pricing: LARGEST_PRICING,
      },
    ],
    ['VaultStatusChanged', { vault: largest.vault, active }],
    [
      'VaultRegistered',
      {
        ...names,
        token: hostile.token,
        vault: hostile.vault,
        noticePeriod: 0,
        mandate: LEAST_MANDATE,
        pricing: LEAST_PRICING,
      },
    ],
    ['VaultStatusChanged', { vault: hostile.vault, active }],
  )
  await vault(
    least.vault,
    ['MandateChanged', { mandate: LARGEST_MANDATE }],
    ['PricingChanged', { pricing: LARGEST_PRICING }],
  )
  await vault(
    largest.vault,
    ['MandateChanged', { mandate: LEAST_MANDATE }],
    ['PricingChanged', { pricing: LEAST_PRICING }],
  )
  await vault(least.vault, [
    'TermsSubmitted',
    { mandate: LEAST_MANDATE, pricing: LEAST_PRICING, effectiveAt: 0n },
  ])
  await vault(largest.vault, [
    'TermsSubmitted',
    { mandate: LARGEST_MANDATE, pricing: LARGEST_PRICING, effectiveAt: LARGEST },
  ])

  // Capital: nothing, and the largest amount in and out often enough for the sum of a day to leave 78 digits.
  const moved = (amount: bigint) => ({
    sender: wallet,
    receiver: wallet,
    owner: wallet,
    assets: amount,
    shares: amount,
  })
  const issued = (value: bigint) => ({ from: zeroAddress, to: wallet, value })
  const burnt = (value: bigint) => ({ from: wallet, to: zeroAddress, value })
  await vault(least.vault, ['Transfer', issued(0n)], ['Deposit', moved(0n)], ['Withdraw', moved(0n)])
  for (let round = 0; round < 10; round += 1) {
    await vault(largest.vault, ['Transfer', issued(LARGEST)], ['Deposit', moved(LARGEST)])
    if (round < 9) await vault(largest.vault, ['Transfer', burnt(LARGEST)], ['Withdraw', moved(LARGEST)])
  }

  await vault(hostile.vault, ...nestedWithdrawals(wallet, hostile.wallet, hostile.vault))

  // Claims: registered, financed in one slice, settled.
  const parties = { issuer: world.parties.issuer.address, beneficiary: wallet, token }
  const register = (claimId: Hex, faceValue: bigint, dueDate: bigint, claimType: number) =>
    claims(
      ['ClaimRegistered', { ...parties, claimId, faceValue, dueDate, claimType, documentHash: claimId }],
      ['ClaimStateChanged', { claimId, from: ClaimState.NONE, to: ClaimState.ELIGIBLE }],
    )
  // A claim that is financed is not due yet.
  await register(least.claim, 0n, 2n ** 40n, 0)
  await register(largest.claim, LARGEST, 2n ** 64n - 1n, 255)
  await register(unfinanced, LARGEST, 0n, 0)
  await claims(
    ...Array.from({ length: 255 }, (_, sliceIndex): [string, Args] => [
      'SliceReserved',
      { claimId: largest.claim, sliceIndex, faceAmount: 0n, financedFaceValue: 0n },
    ]),
  )
  await router(
    ['RoutesCancelled', { nonce: 0n, user: wallet }],
    ['RoutesCancelled', { nonce: LARGEST, user: wallet }],
  )
  const totals = { user: wallet, token, kind: 0, submitter: wallet }
  await router(['Executed', { ...totals, executionId: empty, legCount: 0n, totalFace: 0n, totalAdvance: 0n }])
  const settle = async (
    of: typeof least | typeof largest,
    amount: bigint,
    sliceIndex: number,
    legs: bigint,
  ) => {
    const { claim: claimId, execution: executionId } = of
    const part = { claimId, sliceIndex, faceAmount: amount, advanceAmount: amount }
    await router([
      'Executed',
      { ...totals, executionId, legCount: legs, totalFace: amount, totalAdvance: amount },
    ])
    await claims(
      ['SliceReserved', { claimId, sliceIndex, faceAmount: amount, financedFaceValue: amount }],
      ['ClaimStateChanged', { claimId, from: ClaimState.ELIGIBLE, to: ClaimState.FULLY_FUNDED }],
      ['AllocationRegistered', { ...part, vault: of.vault, executionId }],
    )
    await router(['LegExecuted', { ...part, executionId, vault: of.vault, legIndex: legs - 1n }])
    await vault(of.vault, ['Funded', { ...part, recipient: wallet }])
    await claims(['ClaimStateChanged', { claimId, from: ClaimState.FULLY_FUNDED, to: ClaimState.SETTLED }])
    const credit = { account: wallet, token, amount }
    await router(
      [
        'ClaimPaid',
        {
          claimId,
          payer: wallet,
          token,
          faceAmount: amount,
          paidFaceValue: amount,
          sliceAmounts: [...Array.from({ length: sliceIndex }, () => 0n), amount],
          beneficiaryAmount: 0n,
        },
      ],
      ['Credited', { ...credit, claimId }],
      ['CreditWithdrawn', { ...credit, receiver: wallet }],
    )
    await vault(of.vault, ['Repaid', part])
  }
  await settle(least, 0n, 0, 1n)
  await settle(largest, LARGEST, 255, LARGEST)
  await claims([
    'ClaimStateChanged',
    { claimId: unfinanced, from: ClaimState.ELIGIBLE, to: ClaimState.SETTLED },
  ])
  const paid = { faceAmount: LARGEST, paidFaceValue: LARGEST, sliceAmounts: [], beneficiaryAmount: LARGEST }
  await router(['ClaimPaid', { ...paid, payer: wallet, token, claimId: unfinanced }])

  return { valuesOf: (path: string) => values.get(path) ?? [] }
}

/**
 * Events of a vault whose token calls back while it pays a withdrawal: transfers, a deposit and two further withdrawals
 * come between the burn of the shares and the event of the withdrawal. The second one burns all shares that are left.
 */
function nestedWithdrawals(one: Address, other: Address, vault: Address): [name: string, args: Args][] {
  const moved = (from: Address, to: Address, value: bigint): [string, Args] => [
    'Transfer',
    { from, to, value },
  ]
  const amounts = (assets: bigint, shares: bigint) => ({ assets, shares })
  const deposit = (assets: bigint, shares: bigint): [string, Args][] => [
    moved(zeroAddress, one, shares),
    ['Deposit', { sender: one, owner: one, ...amounts(assets, shares) }],
  ]
  const withdrawal = (assets: bigint, shares: bigint, ...between: [string, Args][]): [string, Args][] => [
    moved(one, zeroAddress, shares),
    ...between,
    ['Withdraw', { sender: one, receiver: one, owner: one, ...amounts(assets, shares) }],
  ]
  return [
    ...deposit(70n, 100n),
    ...withdrawal(
      21n,
      30n,
      moved(one, other, 17n),
      ...withdrawal(9n, 53n, moved(other, vault, 7n)),
      ...deposit(50n, 40n),
      moved(one, one, 30n),
      ...withdrawal(80n, 11n),
    ),
  ]
}

/** Notes every number of an event by its path. */
function note(values: Map<string, unknown[]>, path: string, value: unknown): void {
  if (typeof value === 'number' || typeof value === 'bigint') {
    values.set(path, [...(values.get(path) ?? []), BigInt(value)])
  } else if (Array.isArray(value)) {
    for (const item of new Set(value)) note(values, path, item)
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, part] of Object.entries(value)) note(values, `${path}.${name}`, part)
  }
}

function encodeLog(abi: Abi, eventName: string, args: Args): { topics: Hex[]; data: Hex } {
  const event = getAbiItem({ abi, name: eventName })
  if (event?.type !== 'event') throw new Error(`no event ${eventName}`)
  const plain = event.inputs.filter(({ indexed }) => !indexed)
  const topics = encodeEventTopics({ abi, eventName, args })
  return {
    topics: topics.flatMap((topic) => topic ?? []),
    data: encodeAbiParameters(
      plain,
      plain.map(({ name }) => args[name ?? '']),
    ),
  }
}
