/**
 * Bytecode sizes of the contracts, and the gas of the actions that users pay for: `node bench/contracts/run.ts`.
 * bench/contracts/README.md records the results.
 */
import { type Address, encodeFunctionData, type Hex, type TransactionReceipt } from 'viem'
import { financingVaultAbi } from '../../abis/FinancingVault.ts'
import { compileContracts } from '../../scripts/compile-contracts.ts'
import { createPermitToken, signPermit } from '../../test/support/permits.ts'
import { startWorld, type World } from '../../test/support/protocol.ts'
import {
  acceptTerms,
  carryForward,
  chainTime,
  createFundedVault,
  createVault,
  DAY,
  deposit,
  executeFinancing,
  inDays,
  mint,
  mintAndSettle,
  OPEN_MANDATE,
  redeem,
  registerClaim,
  revokeTerms,
  submitTerms,
  travelDays,
  travelTo,
  withdraw,
} from '../../test/support/scenario.ts'
import { send } from '../../test/support/transactions.ts'

const CONTRACTS = [
  'ClaimRegistry',
  'FinancingRouter',
  'FinancingVault',
  'IssuerRegistry',
  'TokenRegistry',
  'VaultDeployer',
  'VaultRegistry',
]
const FACE = 1_000_000n
/** Seconds. */
const NOTICE = 172_800

const bytesOf = (code: Hex) => (code.length - 2) / 2
const gasOf = ({ gasUsed }: TransactionReceipt) => Number(gasUsed)

function printSizes(): void {
  const artifacts = compileContracts()
  const rows = CONTRACTS.map((name) => {
    const { runtime = '0x', bytecode = '0x' } = artifacts.get(name) ?? {}
    return { contract: name, runtime: bytesOf(runtime), creation: bytesOf(bytecode) }
  })
  console.table(rows)
}

/** A claim that is financed by a number of slices of the vault, and due in five days unless given. */
async function financed(world: World, vault: Address, slices: number, days = 5) {
  const { issuer, beneficiary } = world.parties
  const dueDate = await inDays(world, days)
  const terms = { issuer, beneficiary: beneficiary.address, token: world.usd, faceValue: FACE, dueDate }
  const { claimId } = await registerClaim(world, terms)
  const gas: number[] = []
  for (let slice = 0; slice < slices; slice++) {
    const leg = { claimId, vault, faceAmount: FACE / 10n }
    gas.push(gasOf((await executeFinancing(world, { user: beneficiary, ...leg })).receipt))
  }
  return { claimId, dueDate, gas }
}

async function measureGas(world: World): Promise<Record<string, number>> {
  const { provider, payer } = world.parties
  const vault = await createFundedVault(world, { token: world.usd, capital: 10n * FACE })
  const claims = [
    await financed(world, vault, 1),
    await financed(world, vault, 1),
    await financed(world, vault, 8),
  ]
  await travelTo(world, claims.at(-1)?.dueDate ?? 0n)
  const settled: number[] = []
  for (const { claimId } of claims) settled.push(gasOf(await mintAndSettle(world, { payer, claimId })))
  const [first = 0, second = 0, eight = 0] = settled
  const shares = 10n ** 12n
  return {
    'executeFinancing, first slice of a claim and of a due day': claims[0]?.gas[0] ?? 0,
    'executeFinancing, second slice': claims[2]?.gas[1] ?? 0,
    'executeFinancing, eighth slice': claims[2]?.gas[7] ?? 0,
    'settle, one slice and a rest, first of the vault': first,
    'settle, one slice and a rest': second,
    'settle, eight slices of one vault and a rest': eight,
    'deposit, of a holder': gasOf(await deposit(world, { provider, vault, assets: FACE })),
    'depositWithPermit, of a holder': await measurePermit(world),
    'withdraw, a part': gasOf(await withdraw(world, { provider, vault, assets: FACE })),
    'redeem, a part': gasOf(await redeem(world, { provider, vault, shares })),
    ...(await measureTerms(world)),
    ...(await measureIdle(world)),
  }
}

async function measurePermit(world: World): Promise<number> {
  const { provider } = world.parties
  const token = await createPermitToken(world)
  const vault = await createFundedVault(world, { token, capital: FACE })
  await mint(world, { token, to: provider.address, amount: 2n * FACE })
  const signed = { token, spender: vault, value: FACE, deadline: (await chainTime(world)) + 600n }
  const { deadline, v, r, s } = await signPermit(world, provider, signed)
  const args = [FACE, provider.address, 0n, deadline, v, r, s] as const
  const data = encodeFunctionData({ abi: financingVaultAbi, functionName: 'depositWithPermit', args })
  return gasOf(await send(world.chain, provider, { to: vault, data }))
}

/** Terms that wait for the notice, and tighter ones, which do not. */
async function measureTerms(world: World): Promise<Record<string, number>> {
  const { curator, stranger } = world.parties
  const pricing = { baseDiscountBps: 100, durationBpsPerDay: 2, premiumBps: [0, 50, 100] }
  const { vault } = await createVault(world, { token: world.usd, noticePeriod: NOTICE, pricing })
  const looser = { curator, vault, mandate: { ...OPEN_MANDATE, maxDurationDays: 400 }, pricing }
  const submitted = gasOf(await submitTerms(world, looser))
  await travelTo(world, (await chainTime(world)) + BigInt(NOTICE))
  const accepted = gasOf(await acceptTerms(world, { sender: stranger, vault }))
  const tightened = gasOf(await submitTerms(world, { ...looser, mandate: OPEN_MANDATE }))
  await submitTerms(world, looser)
  return {
    'submitTerms, pending': submitted,
    'submitTerms, at once': tightened,
    acceptTerms: accepted,
    revokeTerms: gasOf(await revokeTerms(world, { curator, vault })),
  }
}

/** A vault without an event for 400 days, in which 60 due days pass and their claims are written down. */
async function measureIdle(world: World): Promise<Record<string, number>> {
  const { provider, payer } = world.parties
  const vault = await createFundedVault(world, { token: world.usd, capital: 100n * FACE })
  const claims = []
  for (let days = 1; days <= 60; days++) claims.push(await financed(world, vault, 1, days * 5))
  await travelDays(world, 400)
  const { claimId = '0x' } = claims[0] ?? {}
  const actions = {
    redeem: () => redeem(world, { provider, vault, shares: 10n ** 12n }),
    withdraw: () => withdraw(world, { provider, vault, assets: FACE }),
    settle: () => mintAndSettle(world, { payer, claimId }),
    carryForward: async () => carryForward(world, { sender: payer, vault, day: await today(world) }),
  }
  const gas: Record<string, number> = {}
  for (const [name, act] of Object.entries(actions)) {
    const id = await world.chain.snapshot()
    gas[`${name}, 60 due days and write-downs since the last event`] = gasOf(await act())
    gas[`redeem, after that ${name}`] = gasOf(await actions.redeem())
    await world.chain.revert({ id })
  }
  return gas
}

async function today(world: World): Promise<bigint> {
  return (await chainTime(world)) / DAY
}

printSizes()
const world = await startWorld()
try {
  console.table(await measureGas(world))
} finally {
  await world.stop()
}
