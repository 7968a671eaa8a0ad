/** Prepares the direct financing of one claim by one vault. */
import { type Address, encodeFunctionData, type Hex } from 'viem'
import { financingRouterAbi } from '../../abis/FinancingRouter.ts'
import type { Manifest } from '../../deployments/manifest.ts'
import type { ChainClaim } from '../chain/lens-types.ts'
import { readNextSlice } from '../chain/next-slice.ts'
import type { PinBlock, PinnedBlock } from '../chain/pin-block.ts'
import { directExecutionId } from '../domain/execution-id.ts'
import type { BaseUnits } from '../domain/money.ts'
import { formatTime, type UnixSeconds } from '../domain/time.ts'
import { latestOf } from '../domain/window.ts'
import type { Leg } from '../optimizer/index.ts'
import { storePrepared } from '../store/prepared-executions.ts'
import type { FinancingDeps } from './deps.ts'
import { type AskedLeg, judgeFinancing } from './judge-financing.ts'
import { type PreparedTransaction, toPrepared, unsigned } from './transaction.ts'
import { amountInWords } from './words.ts'

/** Without a `minimumAdvanceAmount` the fresh quote is bound. */
export type FinancingRequest = { asked: AskedLeg; deadlineSeconds: number }

export type PreparedFinancing = PreparedTransaction & {
  /** Holds unless another financing takes the claim's next slice first. */
  executionId: Hex
  /** Index of the slice of the claim. */
  sliceIndex: number
  /** Token of all amounts. */
  token: Address
  /** Face value of the claim. */
  faceValue: BaseUnits
  leg: Leg & { minimumAdvanceAmount: BaseUnits }
  /** Advance of the vault at the pinned block. */
  advanceAmount: BaseUnits
  deadline: UnixSeconds
}

/**
 * Stores the execution, so that it can be found before it is on chain.
 *
 * @throws `CLAIM_NOT_FOUND`, the re-validation codes but `ROUTE_DEADLINE_TOO_SOON`, `CHAIN_UNAVAILABLE`
 */
export async function prepareFinancing(
  deps: FinancingDeps,
  request: FinancingRequest,
  pinBlock: PinBlock,
): Promise<PreparedFinancing> {
  const prepared = await prepare(deps, request, pinBlock)
  await storePrepared(deps.store, {
    executionId: prepared.executionId,
    routeId: null,
    userAddress: request.asked.user,
    preparedAt: new Date(deps.clock()),
    deadline: new Date(Number(prepared.deadline) * 1000),
    nonce: null,
    claimId: prepared.leg.claimId,
    sliceIndex: prepared.sliceIndex,
  })
  return prepared
}

async function prepare(
  { chain, lens, clock, deployment }: FinancingDeps,
  { asked, deadlineSeconds }: FinancingRequest,
  pinBlock: PinBlock,
): Promise<PreparedFinancing> {
  const { claimRegistry, financingRouter } = deployment.contracts
  const { user, minimumAdvanceAmount, ...leg } = asked
  const block = await pinBlock()
  const [view, sliceIndex] = await Promise.all([
    lens.readRoute(block, [leg]),
    readNextSlice(chain, claimRegistry, leg.claimId),
  ])
  const deadline = latestOf(clock(), block) + BigInt(deadlineSeconds)
  const { claim, advanceAmount } = judgeFinancing(asked, view, block, {
    start: block.timestamp,
    end: deadline,
  })
  const bound = { ...leg, minimumAdvanceAmount: minimumAdvanceAmount ?? advanceAmount }
  const step = {
    transaction: unsigned(deployment, { from: user, to: financingRouter, data: calldata(bound, deadline) }),
    description: describe(deployment, block, claim, { leg: bound, advanceAmount, deadline }),
  }
  return {
    ...(await toPrepared(chain, block, step)),
    executionId: directExecutionId(deployment.chainId, financingRouter, { claimId: leg.claimId, sliceIndex }),
    sliceIndex,
    token: claim.token,
    faceValue: claim.faceValue,
    leg: bound,
    advanceAmount,
    deadline,
  }
}

type BoundLeg = PreparedFinancing['leg']

function calldata(
  { claimId, vault, faceAmount, minimumAdvanceAmount }: BoundLeg,
  deadline: UnixSeconds,
): Hex {
  return encodeFunctionData({
    abi: financingRouterAbi,
    functionName: 'executeFinancing',
    args: [claimId, vault, faceAmount, minimumAdvanceAmount, deadline],
  })
}

function describe(
  { tokens }: Manifest,
  block: PinnedBlock,
  { token, dueAt }: ChainClaim,
  { leg, advanceAmount, deadline }: Pick<PreparedFinancing, 'leg' | 'advanceAmount' | 'deadline'>,
): string {
  const inWords = (amount: BaseUnits) => amountInWords(tokens, token, amount)
  return [
    `Finance ${inWords(leg.faceAmount)} of the face of claim ${leg.claimId} with vault ${leg.vault}.`,
    `The vault pays this wallet ${inWords(advanceAmount)} by its quote at block ${block.number}, and at least ${inWords(leg.minimumAdvanceAmount)}; otherwise the transaction reverts.`,
    `The payer of the settlement, possible from ${formatTime(dueAt)}, pays that face to the vault.`,
    `It can be sent until ${formatTime(deadline)}.`,
  ].join(' ')
}
