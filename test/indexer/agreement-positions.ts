/** Positions of wallets in vaults: what the gateway computes, against the contract and against the logs. */
import type { Address } from 'viem'
import { expect, it } from 'vitest'
import { financingVaultAbi } from '../../abis/FinancingVault.ts'
import { iso } from '../graphql/calendar.ts'
import { ask, type Indexed } from './indexed.ts'

type Position = Record<string, string> & { vault: { address: Address }; owner: { address: Address } }

/** @param indexed what is there once the tests run */
export function describePositions(indexed: () => Indexed): void {
  const FIGURES =
    'shares assets withdrawableNow costBasis deposited withdrawn received sent realizedGain unrealizedGain returnBps since'
  const amount = (position: Position, figure: string) => BigInt(String(position[figure]))

  async function readPositions(): Promise<Position[]> {
    const query = `{ vaultPositions(first: 200, withoutShares: true) { nodes { vault { address } owner { address } ${FIGURES} } } }`
    const { vaultPositions } = await ask(indexed(), query)
    expect(vaultPositions.nodes).toHaveLength(indexed().truth.vault_position.length)
    return vaultPositions.nodes
  }

  it('has the assets and the withdrawable part that the contract states', async () => {
    const { world, block } = indexed()
    const positions = await readPositions()
    const values = positions.map(async ({ vault, owner, shares }) => {
      const read = { abi: financingVaultAbi, address: vault.address, blockNumber: block } as const
      const args = [BigInt(shares ?? '')] as const
      const of = [owner.address] as const
      return {
        assets: String(await world.chain.readContract({ ...read, functionName: 'convertToAssets', args })),
        withdrawableNow: String(
          await world.chain.readContract({ ...read, functionName: 'maxWithdraw', args: of }),
        ),
      }
    })
    expect(positions.map(({ assets, withdrawableNow }) => ({ assets, withdrawableNow }))).toEqual(
      await Promise.all(values),
    )
    expect(positions.some(({ assets, withdrawableNow }) => assets !== withdrawableNow)).toBe(true)
  })

  it('has gains that explain the assets to the unit, and those that the logs add up to', async () => {
    const { truth } = indexed()
    for (const position of await readPositions()) {
      const of = (figure: string) => amount(position, figure)
      const paid = of('deposited') + of('received')
      const gain = of('realizedGain') + of('unrealizedGain')
      expect(paid - of('withdrawn') - of('sent') + gain).toBe(of('assets'))
      expect(of('assets') - of('costBasis')).toBe(of('unrealizedGain'))
      const last = truth.position_change.findLast(
        ({ vault, owner }) => vault === position.vault.address && owner === position.owner.address,
      )
      expect(of('realizedGain')).toBe(last?.realized_gain_after)
      const row = truth.vault_position.find(
        ({ vault, owner }) => vault === position.vault.address && owner === position.owner.address,
      )
      expect(position.since).toBe(row?.since ? iso(row.since) : null)
      expect(position.returnBps).toBe(paid === 0n ? null : Number(floor(gain * 10_000n, paid)))
    }
  })
}

function floor(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator
  return numerator % denominator < 0n ? quotient - 1n : quotient
}
