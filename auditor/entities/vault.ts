import { lowercaseAddress } from '../../api/domain/address.ts'
import { stored } from '../chain/evidence.ts'
import { event, type ProtocolLog } from '../chain/logs.ts'
import { auditTable } from '../entity.ts'
import { readPartsOfVaults } from './parts-of-vaults.ts'

/** Events of a vault that change no column of its row. */
const WITHOUT_CHANGE: readonly string[] = ['Approval'] satisfies readonly ProtocolLog['eventName'][]

/** The vault that an event is of. */
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
  'AllocationImpaired',
  'AllocationRecovered',
  'ProfitLocked',
] satisfies readonly ProtocolLog['eventName'][]

/**
 * Most columns are in the vault's state; the registry lists all vaults. The gain is that of the repaid allocations, and
 * the impaired face that of the impaired ones, each of which is proven as a row. The blocks of the registration and of
 * the last change have an event of the vault.
 */
export const vault = auditTable('vault', {
  key: ['address'],
  order: { column: 'registeredAt', of: 'time' },
  listed: ({ state }) => state.vaults(),
  implied: vaultOf,
  related: readPartsOfVaults,
  prove: async ({ address, registeredBlock, changedBlock }, parts, { state, find, logs, timestamp }) => {
    const held = await state.vault(address)
    if (!held) return undefined
    const { mandate, pricing } = held
    const registered = await find(
      event('VaultRegistered', ({ args }) => lowercaseAddress(args.vault) === address),
      registeredBlock,
    )
    const isChange = (log: ProtocolLog) =>
      !WITHOUT_CHANGE.includes(log.eventName) && vaultOf(log).includes(address)
    const changed = (await logs(changedBlock)).find(isChange)
    const [registration, change] = [registered?.blockNumber, changed?.blockNumber]
    return {
      address,
      token: stored(held.asset),
      curator: stored(held.owner),
      name: held.name,
      symbol: held.symbol,
      active: await state.isVaultActive(address),
      supportedTypesBitmap: mandate.supportedTypesBitmap,
      maxDurationDays: mandate.maxDurationDays,
      minFace: mandate.minFace,
      maxFace: mandate.maxFace,
      baseDiscountBps: pricing.baseDiscountBps,
      durationBpsPerDay: pricing.durationBpsPerDay,
      premiumBps: pricing.premiumBps,
      idleAssets: held.idleAssets,
      outstandingFace: held.outstandingFace,
      outstandingAdvance: held.outstandingAdvance,
      outstandingImpairment: held.outstandingImpairment,
      impairedFace: parts.impairedFace,
      totalShares: held.totalSupply,
      unlockingAmount: held.unlockingAmount,
      unlockingSince: asBigint(held.unlockingSince),
      unlockingUntil: asBigint(held.unlockingUntil),
      discountEarned: parts.discountEarned,
      registeredBlock: registration,
      registeredAt: registration && (await timestamp(registration)),
      changedBlock: change,
      changedAt: change && (await timestamp(change)),
    }
  },
  count: async ({ address }, parts, { state }) => {
    const held = await state.vault(address)
    const of = (entity: string) => ({ entity, column: 'vault', value: address })
    return [
      {
        field: 'count(vaultTerms)',
        projected: parts.terms,
        onChain: held && countBits(held.mandate.supportedTypesBitmap),
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
        field: 'sum(allocation.impairment)',
        projected: parts.outstandingImpairment,
        onChain: held?.outstandingImpairment,
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

function asBigint(number: number | undefined): bigint | undefined {
  return number === undefined ? undefined : BigInt(number)
}

function countBits(bitmap: bigint): number {
  return bitmap.toString(2).replaceAll('0', '').length
}
