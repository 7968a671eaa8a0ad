import { lowercaseAddress } from '../../api/domain/address.ts'
import { larger } from '../../api/domain/bigint.ts'
import { SECONDS_PER_DAY } from '../../api/domain/limits.ts'
import { VALUE_SCALE } from '../../api/domain/value.ts'
import type { ProjectionTables } from '../../api/projection/sql/source.ts'
import { stored } from '../chain/evidence.ts'
import { event, type ProtocolLog } from '../chain/logs.ts'
import { auditTable } from '../entity.ts'
import { LINES, type Lines } from './lines-after.ts'
import { readPartsOfVaults } from './parts-of-vaults.ts'
import { mandateOf, pricingOf } from './terms.ts'

type Vault = ProjectionTables['vault']
type ValueDay = ProjectionTables['valueDay']

/** The vault whose row an event changes. */
function vaultOf(log: ProtocolLog): string[] {
  if (log.eventName === 'VaultRegistered' || log.eventName === 'VaultStatusChanged') {
    return [lowercaseAddress(log.args.vault)]
  }
  return OF_A_VAULT.includes(log.eventName) ? [lowercaseAddress(log.address)] : []
}

const OF_A_VAULT: readonly string[] = [
  'MandateChanged',
  'PricingChanged',
  'OwnershipTransferred',
  'Transfer',
  'Deposit',
  'Withdraw',
  'Funded',
  'Repaid',
] satisfies readonly ProtocolLog['eventName'][]

/**
 * Most columns are in the vault's state; the registry lists all vaults. The gain is that of the repaid
 * allocations, each of which is proven as a row. The blocks of the registration and of the last change have an event of
 * the vault.
 */
export const vault = auditTable('vault', {
  key: ['address'],
  order: { column: 'registeredAt', of: 'time' },
  listed: ({ state }) => state.vaults(),
  implied: vaultOf,
  related: readPartsOfVaults,
  prove: async (row, parts, { state, find, logs, timestamp }) => {
    const { address, registeredBlock, changedBlock } = row
    const held = await state.vault(address)
    if (!held) return undefined
    const { mandate, pricing } = held
    const registered = await find(
      event('VaultRegistered', ({ args }) => lowercaseAddress(args.vault) === address),
      registeredBlock,
    )
    const changed = (await logs(changedBlock)).find((log) => vaultOf(log).includes(address))
    const [registration, change] = [registered?.blockNumber, changed?.blockNumber]
    return {
      address,
      token: stored(held.asset),
      curator: stored(held.owner),
      name: held.name,
      symbol: held.symbol,
      active: await state.isVaultActive(address),
      ...mandateOf(mandate),
      ...pricingOf(pricing),
      noticePeriod: held.noticePeriod,
      idleAssets: held.idleAssets,
      outstandingFace: held.outstandingFace,
      outstandingAdvance: held.outstandingAdvance,
      totalShares: held.totalSupply,
      ...proveLines(row, parts, held.lines),
      discountEarned: parts.discountEarned,
      registeredBlock: registration,
      registeredAt: registration && (await timestamp(registration)),
      changedBlock: change,
      changedAt: change && (await timestamp(change)),
    }
  },
  count: async (row, parts, { state, block, timestamp }) => {
    const { address, idleAssets, outstandingAdvance } = row
    const held = await state.vault(address)
    const value = valueAt(row, parts.values, await timestamp(block.number))
    const cost = (idleAssets + outstandingAdvance) * VALUE_SCALE
    const of = (entity: string) => ({ entity, column: 'vault', value: address })
    return [
      {
        field: 'count(vaultTerms)',
        projected: parts.terms,
        onChain: held && countBits(held.mandate.supportedTypesBitmap),
      },
      {
        field: 'count(pendingTerms)',
        projected: parts.pendingTerms,
        onChain: held?.pendingTerms === undefined ? undefined : held.pendingTerms ? 1n : 0n,
      },
      {
        field: 'sum(vaultPosition.shares)',
        projected: parts.shares,
        onChain: held?.totalSupply,
        parts: of('vaultPosition'),
      },
      {
        field: 'sum(allocation.faceAmount not repaid)',
        projected: parts.outstandingFace,
        onChain: held?.outstandingFace,
        parts: of('allocation'),
      },
      {
        field: 'sum(allocation.advanceAmount not repaid)',
        projected: parts.outstandingAdvance,
        onChain: held?.outstandingAdvance,
        parts: of('allocation'),
      },
      {
        field: 'entryAssets(valueDay)',
        projected: value && (cost + value.gains + VALUE_SCALE - 1n) / VALUE_SCALE,
        onChain: held?.entryAssets,
        parts: of('allocation'),
      },
      {
        field: 'totalAssets(valueDay)',
        projected: value && larger(cost + value.gains - value.losses, 0n) / VALUE_SCALE,
        onChain: held?.totalAssets,
        parts: of('allocation'),
      },
      {
        field: 'last(capitalChange.idleAssets)',
        projected: parts.lastIdleAssets,
        onChain: held?.idleAssets,
        parts: of('capitalChange'),
      },
    ]
  },
})

type Parts = { values: readonly ValueDay[]; lastChangeAt: bigint | undefined }

/**
 * The lines of the contract. Anyone may have carried those of the contract forward to a later day, so the row's are
 * right if they are the contract's when they are carried to its day.
 */
function proveLines(row: Vault, parts: Parts, held: (Lines & { throughDay: bigint }) | undefined) {
  const carried = held && carriedTo(row, parts.values, held.throughDay * SECONDS_PER_DAY)
  const isRight = carried && LINES.every((line) => carried[line] === held[line])
  const lines = isRight ? row : held
  const changed = parts.lastChangeAt ?? row.registeredAt
  return {
    gainPerSecond: lines?.gainPerSecond,
    gainOffset: lines?.gainOffset,
    lossPerSecond: lines?.lossPerSecond,
    lossOffset: lines?.lossOffset,
    throughDay: changed - (changed % SECONDS_PER_DAY),
  }
}

/** The lines of a vault on a later day. */
function carriedTo(vault: Vault, values: readonly ValueDay[], day: bigint): Lines {
  const lines = { ...vault }
  for (const value of values) {
    if (value.day <= vault.throughDay || value.day > day) continue
    for (const line of LINES) lines[line] += value[line]
  }
  return lines
}

/** Earned discounts and losses at a time, times `VALUE_SCALE`. */
function valueAt(vault: Vault, values: readonly ValueDay[], at: bigint | undefined) {
  if (at === undefined) return undefined
  const lines = carriedTo(vault, values, at)
  return {
    gains: lines.gainPerSecond * at + lines.gainOffset,
    losses: lines.lossPerSecond * at + lines.lossOffset,
  }
}

function countBits(bitmap: bigint): number {
  return bitmap.toString(2).replaceAll('0', '').length
}
