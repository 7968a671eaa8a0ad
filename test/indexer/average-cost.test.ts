/** Positions at average cost over random histories of one vault, whose token calls back between burn and withdrawal. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  NO_POSITION,
  type Position,
  realizedGainOf,
  withDeposit,
  withoutShares,
  withReceived,
  withSent,
  withShares,
  withWithdrawal,
} from '../../indexer/average-cost.ts'
import { sum } from '../support/sum.ts'

const WALLETS = 3

/** Parts of shares are thousandths. `inner` happens after the shares are burnt, and before the withdrawal is booked. */
type Step =
  | { kind: 'deposit'; wallet: number; assets: bigint; shares: bigint }
  | { kind: 'transfer'; from: number; to: number; part: bigint }
  | { kind: 'withdrawal'; wallet: number; part: bigint; assets: bigint; inner: readonly Step[] }

const wallet = fc.nat(WALLETS - 1)
const part = fc.oneof(fc.bigInt(1n, 999n), fc.constant(1000n))
const assets = fc.oneof(fc.bigInt(0n, 20n), fc.bigInt(0n, 2n ** 192n))
const { step } = fc.letrec<{ step: Step; steps: Step[] }>((tie) => ({
  step: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({
      kind: fc.constant('deposit' as const),
      wallet,
      assets,
      shares: fc.oneof(fc.bigInt(1n, 20n), fc.bigInt(1n, 2n ** 192n)),
    }),
    fc.record({ kind: fc.constant('transfer' as const), from: wallet, to: wallet, part }),
    fc.record({ kind: fc.constant('withdrawal' as const), wallet, part, assets, inner: tie('steps') }),
  ),
  steps: fc.array(tie('step'), { maxLength: 3 }),
}))
const steps = fc.array(step, { minLength: 1, maxLength: 30 })

/** Plays the steps. Each cost that leaves is given to `check`, with the position that it leaves. */
function play(
  all: readonly Step[],
  check: (before: Position, shares: bigint, cost: bigint) => void = () => {},
) {
  const positions = Array.from({ length: WALLETS }, () => NO_POSITION)
  const burnt = Array.from({ length: WALLETS }, () => 0n)
  let at = 0n
  const of = (owner: number) => positions[owner] ?? NO_POSITION
  const take = (owner: number, thousandths: bigint) => {
    const before = of(owner)
    const shares = (before.shares * thousandths) / 1000n
    if (shares === 0n) return undefined
    const { position, cost } = withoutShares(before, shares)
    check(before, shares, cost)
    positions[owner] = position
    return { shares, cost }
  }
  const run = (one: Step): void => {
    at += 1n
    if (one.kind === 'deposit') {
      positions[one.wallet] = withDeposit(withShares(of(one.wallet), one.shares, at), one.assets)
    } else if (one.kind === 'transfer') {
      const moved = one.from === one.to ? undefined : take(one.from, one.part)
      if (!moved) return
      positions[one.from] = withSent(of(one.from), moved.cost)
      positions[one.to] = withReceived(withShares(of(one.to), moved.shares, at), moved.cost)
    } else {
      const moved = take(one.wallet, one.part)
      burnt[one.wallet] = (burnt[one.wallet] ?? 0n) + (moved?.cost ?? 0n)
      one.inner.forEach(run)
      if (moved) positions[one.wallet] = withWithdrawal(of(one.wallet), one.assets)
    }
  }
  all.forEach(run)
  return { positions, burnt }
}

/** The steps one after the other: each withdrawal is booked right after its shares are burnt. */
function flat(all: readonly Step[]): Step[] {
  return all.flatMap((one) =>
    one.kind === 'withdrawal' ? [{ ...one, inner: [] }, ...flat(one.inner)] : [one],
  )
}

describe('a position at average cost', () => {
  it('gives away the cost of a part of the shares rounded down, and all of it with all shares', () => {
    fc.assert(
      fc.property(steps, (all) => {
        play(all, ({ shares: held, costBasis }, shares, cost) => {
          expect(cost * held <= costBasis * shares && costBasis * shares < (cost + 1n) * held).toBe(true)
          if (shares === held) expect(cost).toBe(costBasis)
        })
      }),
    )
  })

  it('realizes the assets of withdrawals less the cost of the shares that were burnt', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const { positions, burnt } = play(all)
        for (const [owner, position] of positions.entries()) {
          expect(realizedGainOf(position)).toBe(position.withdrawn - (burnt[owner] ?? 0n))
        }
      }),
    )
  })

  it('neither makes nor loses cost by transfers', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const { positions, burnt } = play(all)
        const total = (figure: 'costBasis' | 'deposited' | 'sent' | 'received') =>
          sum(positions.map((position) => position[figure]))
        expect(total('sent')).toBe(total('received'))
        expect(total('costBasis')).toBe(total('deposited') - sum(burnt))
        for (const { shares, costBasis, since } of positions) {
          expect(costBasis >= 0n).toBe(true)
          if (shares === 0n) expect([costBasis, since]).toEqual([0n, null])
          else expect(since).not.toBeNull()
        }
      }),
    )
  })

  it('does not depend on what happens between the burn of shares and the event of the withdrawal', () => {
    fc.assert(
      fc.property(steps, (all) => {
        expect(play(flat(all))).toEqual(play(all))
      }),
    )
  })
})
