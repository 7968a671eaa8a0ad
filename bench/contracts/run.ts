/**
 * Bytecode sizes of the contracts, and the gas of the actions that users pay for: `node bench/contracts/run.ts`.
 * bench/contracts/README.md records the results.
 */
import type { Address, Hex, TransactionReceipt } from 'viem'
import { compileContracts } from '../../scripts/compile-contracts.ts'
import { startWorld, type World } from '../../test/support/protocol.ts'
import {
  createFundedVault,
  deposit,
  executeFinancing,
  inDays,
  mintAndSettle,
  registerClaim,
  travelTo,
  withdraw,
} from '../../test/support/scenario.ts'

const CONTRACTS = [
  'ClaimRegistry',
  'FinancingRouter',
  'FinancingVault',
  'IssuerRegistry',
  'TokenRegistry',
  'VaultRegistry',
]
const FACE = 1_000_000n

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

/** A claim that is financed by as many slices of the vault, and due in five days. */
async function financed(world: World, vault: Address, slices: number) {
  const { issuer, beneficiary } = world.parties
  const dueDate = await inDays(world, 5)
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
  return {
    'executeFinancing, second slice': claims[2]?.gas[1] ?? 0,
    'settle, one slice and a rest, first gain of the vault': first,
    'settle, one slice and a rest, further gain': second,
    'settle, eight slices of one vault and a rest': eight,
    'deposit, of a holder': gasOf(await deposit(world, { provider, vault, assets: FACE })),
    'withdraw, a part': gasOf(await withdraw(world, { provider, vault, assets: FACE })),
  }
}

printSizes()
const world = await startWorld()
try {
  console.table(await measureGas(world))
} finally {
  await world.stop()
}
