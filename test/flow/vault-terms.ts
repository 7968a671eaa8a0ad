/** Compares the promise of a change of terms with the effect of its transaction. */
import type { Hex } from 'viem'
import { expect } from 'vitest'
import { z } from 'zod'
import { financingVaultAbi as abi } from '../../abis/FinancingVault.ts'
import * as act from '../support/scenario.ts'
import { eventsOf } from '../support/transactions.ts'
import type { Sent } from './vault-exchanges.ts'
import { type Scene, termsOf } from './vault-moves.ts'

const amount = z.string().transform(BigInt)
const seconds = z.iso.datetime().transform((text) => BigInt(Date.parse(text) / 1000))
const named = z.object({ count: z.int() })

const termsAnswer = z.object({
  action: z.enum(['submit', 'accept', 'revoke']),
  mandate: z.object({
    supportedTypesBitmap: amount,
    minDurationDays: z.int(),
    maxDurationDays: z.int(),
    minFace: amount,
    maxFace: amount,
    maxClaimFace: amount,
    maxIssuerFace: amount,
  }),
  pricing: z.object({ baseDiscountBps: z.int(), durationBpsPerDay: z.int(), premiumBps: z.array(z.int()) }),
  atOnce: z.boolean(),
  effectiveAt: seconds.nullable(),
  effects: z
    .object({
      finalizedThrough: z.object({ blockNumber: z.int(), timestamp: seconds }),
      judged: z.int(),
      accepted: z.int(),
      refused: z.int(),
      newlyAccepted: named.extend({ claimIds: z.array(z.string()) }),
      newlyRefused: named.extend({ claims: z.array(z.object({ claimId: z.string(), reason: z.string() })) }),
    })
    .nullable(),
})
export type TermsAnswer = z.output<typeof termsAnswer>
export const toTerms = (answer: unknown): TermsAnswer => termsAnswer.parse(answer)

/** By claim that can be financed: why the vault refuses its smallest lot; `NONE` where it takes it. */
type Acceptance = ReadonlyMap<Hex, string | undefined>

/** Reads the contract's own answers for all open claims, at the time of the effects. */
export async function readAcceptance(
  { world, vault, open }: Scene,
  { effects }: Pick<TermsAnswer, 'effects'>,
  blockNumber: bigint,
): Promise<Acceptance> {
  const time = effects?.finalizedThrough.timestamp ?? 0n
  const found = new Map<Hex, string | undefined>()
  const { minFace } = (await termsOf(world, vault)).mandate
  for (const claimId of [...open]) {
    const { state, dueDate, sliceCount } = await act.claimOf(world, claimId)
    if (dueDate <= time) open.splice(open.indexOf(claimId), 1)
    const isOpen = state === 'ELIGIBLE' || state === 'PARTIALLY_FUNDED'
    if (!isOpen || dueDate <= time || sliceCount >= 8) continue
    const [, reason] = await world.chain.readContract({
      abi,
      address: vault,
      functionName: 'quote',
      args: [claimId, minFace],
      blockNumber,
      blockOverrides: { time },
    })
    found.set(claimId, act.QUOTE_REASONS[reason])
  }
  return found
}

/** @param was acceptance before, if effects were compared with the latest block */
export async function checkTerms(
  scene: Scene,
  answer: TermsAnswer,
  { receipt, before }: Sent,
  was: Acceptance | undefined,
): Promise<void> {
  const { world, vault } = scene
  const { mandate, pricing, action, atOnce, effectiveAt } = answer
  const names = eventsOf(receipt).map(({ name }) => name)
  const [nextMandate, nextPricing, pendingUntil] = await world.chain.readContract({
    abi,
    address: vault,
    functionName: 'pendingTerms',
  })
  if (action === 'revoke') expect([names, pendingUntil]).toEqual([['TermsRevoked'], 0n])
  else if (names.includes('TermsSubmitted')) {
    expect({ mandate: nextMandate, pricing: nextPricing }).toEqual({ mandate, pricing })
    expect(pendingUntil).toBeGreaterThanOrEqual(effectiveAt ?? 0n)
  } else {
    // An acceptance takes the terms that are pending, which others may have replaced since.
    const [pendingMandate, pendingPricing] = await world.chain.readContract({
      abi,
      address: vault,
      functionName: 'pendingTerms',
      blockNumber: before.blockNumber,
    })
    const accepted = { mandate: pendingMandate, pricing: pendingPricing }
    if (action === 'accept') expect(await termsOf(world, vault)).toEqual(accepted)
    if (action === 'submit' || was) expect(await termsOf(world, vault)).toEqual({ mandate, pricing })
    expect(before.timestamp).toBeGreaterThanOrEqual(effectiveAt ?? 0n)
  }
  if (!was) return
  expect(names).toEqual(
    action === 'revoke'
      ? ['TermsRevoked']
      : atOnce
        ? ['MandateChanged', 'PricingChanged']
        : ['TermsSubmitted'],
  )
  if (atOnce) compare(answer, was, await readAcceptance(scene, answer, receipt.blockNumber))
}

function compare({ effects }: TermsAnswer, was: Acceptance, is: Acceptance): void {
  const ids = [...is.keys()]
  const takes = (found: Acceptance) => (claimId: Hex) => found.get(claimId) === 'NONE'
  const accepted = ids.filter(takes(is))
  const newlyAccepted = accepted.filter((claimId) => !takes(was)(claimId))
  const newlyRefused = ids.filter((claimId) => takes(was)(claimId) && !takes(is)(claimId))
  expect(effects).toMatchObject({
    judged: ids.length,
    accepted: accepted.length,
    refused: ids.length - accepted.length,
    newlyAccepted: { count: newlyAccepted.length },
    newlyRefused: { count: newlyRefused.length },
  })
  for (const claimId of effects?.newlyAccepted.claimIds ?? []) expect(newlyAccepted).toContain(claimId)
  for (const { claimId, reason } of effects?.newlyRefused.claims ?? []) {
    const found = ids.find((id) => id === claimId)
    // The largest lot, by which the service judges, is below the smallest one.
    const byContract = found && is.get(found)
    expect(reason).toBe(byContract === 'FACE_EXCEEDS_REMAINING' ? 'BELOW_MINIMUM_LOT' : byContract)
  }
}
