/** Positions of wallets in vaults: what the gateway computes, against the contract and against the logs. */
import type { Address } from 'viem'
import { expect, it } from 'vitest'
import { financingVaultAbi } from '../../abis/FinancingVault.ts'
import { smaller } from '../../api/domain/bigint.ts'
import { iso, next } from '../graphql/calendar.ts'
import type { World } from '../support/protocol.ts'
import { sum } from '../support/sum.ts'
import { lastBlockBefore, nowOf, someOf, startOfSeries } from './agreement-series.ts'
import { ask, type Indexed } from './indexed.ts'
import { startsBetween } from './truth/series.ts'

type Position = Record<string, string> & { vault: { address: Address }; owner: { address: Address } }

/** Positions whose series are compared. */
const POSITIONS = 6

/** @param indexed what is there once the tests run */
export function describePositions(seed: number, indexed: () => Indexed): void {
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

  it('is a part of the holdings of its owner in the token of its vault', async () => {
    const { truth } = indexed()
    const positions = await readPositions()
    const SUMS = FIGURES.split(' ').filter((figure) => !['shares', 'returnBps', 'since'].includes(figure))
    for (const owner of new Set(positions.map((position) => position.owner.address))) {
      for (const { address: token } of truth.token) {
        const query = `{ account(address: "${owner}") { holdings(token: "${token}") { ${SUMS.join(' ')} } } }`
        const { account } = await ask(indexed(), query)
        const vaults = truth.vault.filter((vault) => vault.token === token).map(({ address }) => address)
        const own = positions.filter(
          (position) => position.owner.address === owner && vaults.includes(position.vault.address),
        )
        const totals = SUMS.map((figure) => [figure, String(sum(own.map((one) => amount(one, figure))))])
        expect([owner, token, account.holdings]).toEqual([owner, token, Object.fromEntries(totals)])
      }
    }
  })

  it('has in a series what its logs add up to, and the assets that the contract states at the end of each period', async () => {
    const { world, block, truth } = indexed()
    const now = await nowOf(indexed())
    const from = startOfSeries(truth.position_day, now)
    const lastBlock = lastBlockBefore(world, block)
    const busiest = truth.vault_position.toSorted((a, b) => changesOf(b).length - changesOf(a).length)
    function changesOf({ vault, owner }: { vault: string; owner: string }) {
      return truth.position_change.filter((row) => row.vault === vault && row.owner === owner)
    }
    const compared = new Set<bigint>()
    for (const [index, { vault, owner }] of busiest.slice(0, POSITIONS).entries()) {
      const id = Buffer.from(`VaultPosition:${vault}-${owner}`).toString('base64')
      const changes = changesOf({ vault, owner })
      for (const period of ['day', 'week', 'month'] as const) {
        const args = `period: ${period}, from: "${iso(from)}"`
        const fields =
          'start deposited withdrawn received sent shares costBasis assets realizedGainToDate unrealizedGain'
        const query = `{ node(id: "${id}") { ... on VaultPosition { series(${args}) { ${fields} } } } }`
        const { series } = (await ask(indexed(), query)).node
        expect(series.map(({ start }: { start: string }) => start)).toEqual(
          startsBetween(period, from, now).map(iso),
        )
        for (const point of someOf(series, seed + index)) {
          const start = BigInt(Date.parse(point.start) / 1000)
          const end = next(period, start)
          compared.add(smaller(end - 1n, now))
          const until = changes.filter(({ at }) => at < end)
          const last = until.at(-1)
          const moved = (kind: string) =>
            String(sum(until.filter((row) => row.kind === kind && row.at >= start).map((row) => row.assets)))
          const costBasis = last?.cost_basis_after ?? 0n
          const assets = await assetsAt(world, {
            vault,
            shares: last?.shares_after ?? 0n,
            blockNumber: await lastBlock(end),
            time: smaller(end - 1n, now),
          })
          expect(point).toEqual({
            start: point.start,
            deposited: moved('DEPOSIT'),
            withdrawn: moved('WITHDRAWAL'),
            received: moved('RECEIVED'),
            sent: moved('SENT'),
            shares: String(last?.shares_after ?? 0n),
            costBasis: String(costBasis),
            assets: String(assets),
            realizedGainToDate: String(last?.realized_gain_after ?? 0n),
            unrealizedGain: String(assets - costBasis),
          })
        }
      }
    }
    console.log(`positions were compared at ${compared.size} times`)
  })
}

/** The value of shares of a vault after a block, in a later second. */
async function assetsAt(
  { chain }: World,
  of: { vault: Address; shares: bigint; blockNumber: bigint; time: bigint },
): Promise<bigint> {
  const { vault: address, shares, blockNumber, time } = of
  if (shares === 0n) return 0n
  const read = { abi: financingVaultAbi, address, blockNumber, blockOverrides: { time } } as const
  return chain.readContract({ ...read, functionName: 'convertToAssets', args: [shares] })
}

function floor(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator
  return numerator % denominator < 0n ? quotient - 1n : quotient
}
