/** Annualized returns of vaults, against the values of shares that the contracts state. */
import type { Address } from 'viem'
import { expect, it } from 'vitest'
import { financingVaultAbi } from '../../abis/FinancingVault.ts'
import type { World } from '../support/protocol.ts'
import { lastBlockBefore, nowOf } from './agreement-series.ts'
import { ask, DAY, type Indexed } from './indexed.ts'
import { by, dayOf } from './truth/history.ts'

/** Assets and number of all shares, with those of nobody. */
type Price = { assets: bigint; shares: bigint }

const VIRTUAL_SHARES = 1_000_000n
const YEAR = 365n * DAY

/** @param indexed what is there once the tests run */
export function describeReturns(indexed: () => Indexed): void {
  it('is the change of the price that the contract states, in a year', async () => {
    const { world, block, history, truth } = indexed()
    const now = await nowOf(indexed())
    const lastBlock = lastBlockBefore(world, block)
    const found: (number | null)[] = []
    for (const { address } of truth.vault) {
      const query = `{ vault(address: "${address}") { returns { last7DaysBps last30DaysBps last90DaysBps toDateBps } } }`
      const { returns } = (await ask(indexed(), query)).vault
      const present = await priceAt(world, address, block, now)
      const since = async (days: bigint) => {
        const midnight = dayOf(now) - days * DAY
        const then = await priceAt(world, address, await lastBlock(midnight), midnight - 1n)
        return then.shares === VIRTUAL_SHARES ? null : annualized(present, then, now - midnight + 1n)
      }
      const [first] = by(history.deposits, address)
      const none = { assets: 1n, shares: VIRTUAL_SHARES }
      const expected = {
        last7DaysBps: await since(7n),
        last30DaysBps: await since(30n),
        last90DaysBps: await since(90n),
        toDateBps: first && first.at < now ? annualized(present, none, now - first.at) : null,
      }
      expect([address, returns]).toEqual([address, expected])
      found.push(...Object.values(expected))
    }
    expect(found).toContain(null)
    expect(found.some((bps) => bps !== null && bps > 0)).toBe(true)
    expect(found.some((bps) => bps !== null && bps < 0)).toBe(true)
  })
}

/** After a block, in a later second. */
async function priceAt(
  { chain }: World,
  address: Address,
  blockNumber: bigint,
  time: bigint,
): Promise<Price> {
  if (!(await chain.getCode({ address, blockNumber }))) return { assets: 1n, shares: VIRTUAL_SHARES }
  const read = { abi: financingVaultAbi, address, blockNumber, blockOverrides: { time } } as const
  return {
    assets: (await chain.readContract({ ...read, functionName: 'totalAssets' })) + 1n,
    shares: (await chain.readContract({ ...read, functionName: 'totalSupply' })) + VIRTUAL_SHARES,
  }
}

/** Basis points, rounded down. */
function annualized(now: Price, then: Price, seconds: bigint): number {
  const [worth, paid] = [now.assets * then.shares, then.assets * now.shares]
  const [gain, unit] = [(worth - paid) * 10_000n * YEAR, paid * seconds]
  return Number(gain >= 0n ? gain / unit : -((unit - 1n - gain) / unit))
}
