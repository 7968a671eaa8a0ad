/** Whether a direct financing is refused: which reason counts, and the borders of the advance. */
import { describe, expect, it } from 'vitest'
import type { LensClaim, RouteView } from '../../api/chain/lens-types.ts'
import { discountAmount } from '../../api/domain/discount.ts'
import { bpsAt } from '../../api/eligibility/pricing.ts'
import { judgeFinancing } from '../../api/prepare/judge-financing.ts'
import * as seen from '../routing/seen.ts'
import { coded } from '../support/coded.ts'

const { claim, vault, window, START } = seen
const block = { number: 7n }
const faceAmount = 1_000_000n
const bps = bpsAt(vault.pricing, claim, START)
const advance = faceAmount - discountAmount(faceAmount, bps)
const quote = { status: 'ANSWERED', reason: 'NONE', discountAmount: faceAmount - advance } as const
const asked = {
  user: claim.beneficiary,
  claimId: claim.claimId,
  vault: vault.vault,
  faceAmount,
  minimumAdvanceAmount: undefined,
}

type Scene = Partial<{
  claim: Partial<LensClaim>
  vault: RouteView['legs'][number]['vault']
  paused: boolean
  minimumAdvanceAmount: bigint
}>

const judge = ({ claim: change = {}, vault: of = vault, paused = false, minimumAdvanceAmount }: Scene = {}) =>
  judgeFinancing(
    { ...asked, minimumAdvanceAmount },
    { paused, legs: [{ claim: { ...claim, ...change }, vault: of, quote }] },
    block,
    window,
  )
const refusal = (scene: Scene) => {
  const { code, facts } = coded(() => judge(scene))
  return [code, facts.reason]
}

describe('a direct financing', () => {
  it('advances what the vault quotes at the block, and may ask for exactly that', () => {
    expect(judge()).toEqual({ claim, advanceAmount: advance })
    expect(judge({ minimumAdvanceAmount: advance }).advanceAmount).toBe(advance)
    expect(refusal({ minimumAdvanceAmount: advance + 1n })).toEqual(['TARGET_NO_LONGER_MET', undefined])
  })

  it('may take all of the liquidity that its largest advance until the deadline needs', () => {
    const most = faceAmount - discountAmount(faceAmount, bpsAt(vault.pricing, claim, window.end))
    expect(most).toBeGreaterThan(advance)
    expect(judge({ vault: { ...vault, fundableLiquidity: most } }).advanceAmount).toBe(advance)
    expect(refusal({ vault: { ...vault, fundableLiquidity: most - 1n } })).toEqual([
      'INSUFFICIENT_LIQUIDITY',
      'NO_LIQUIDITY',
    ])
  })

  it('of a claim that does not exist is a 404 whatever else is wrong; then a pause counts, then the vault', () => {
    const unreadable = { vault: vault.vault, readable: false } as const
    const foreign = { beneficiary: seen.address('09') }
    const scenes: readonly (readonly [Scene, string, string | undefined])[] = [
      [{ claim: { state: 'NONE' }, paused: true, vault: unreadable }, 'CLAIM_NOT_FOUND', undefined],
      [{ claim: foreign, paused: true, vault: unreadable }, 'ROUTER_PAUSED', 'ROUTER_PAUSED'],
      [{ claim: foreign, vault: unreadable }, 'VAULT_INACTIVE', 'VAULT_INACTIVE'],
      [{ claim: foreign, vault: { ...vault, active: false } }, 'LEG_NOT_FINANCEABLE', 'NOT_BENEFICIARY'],
      [{ vault: { ...vault, active: false, fundableLiquidity: 0n } }, 'VAULT_INACTIVE', 'VAULT_INACTIVE'],
    ]
    for (const [scene, code, reason] of scenes) expect(refusal(scene)).toEqual([code, reason])
  })
})
