import { termsOfVault } from '../../../projection/tables/terms.ts'
import { vaults } from '../../../projection/tables/vault.ts'
import { asOfArgs } from '../../kit/as-of.ts'
import { builder } from '../../kit/builder.ts'
import { defineFilter } from '../../kit/filter.ts'
import { byAmount, defineListArguments, listOf, listOfEach, pageCost } from '../../kit/lists.ts'
import { accountAt, computed, rowAt, rowsOf, samePart } from '../../kit/reads.ts'
import { ActivityConnection, activityInVault, activityList } from '../accounts/activity.ts'
import { AllocationConnection, allocationList, allocationsOfVault } from '../claims/allocation.ts'
import { ExecutionLegConnection, legList, legsOfVault } from '../executions/leg.ts'
import {
  Account,
  Activity,
  Allocation,
  CapitalChange,
  ExecutionLeg,
  Vault,
  VaultDay,
  VaultPosition,
  VaultTerms,
} from '../shared/refs.ts'
import { tokenInfo } from '../shared/token-info.ts'
import { CapitalChangeConnection, capitalList, capitalOfVault } from './capital.ts'
import { PendingTerms, pendingTermsOfVault } from './pending-terms.ts'
import { PositionConnection, positionList, positionsInVault } from './position.ts'
import { daysOfVault, VaultDayConnection, vaultDayList } from './vault-day.ts'
import {
  Capital,
  Mandate,
  mandateFilter,
  mandateWith,
  Pricing,
  typesOfVault,
  withValue,
} from './vault-parts.ts'
import { returnsOfVault, VaultReturns } from './vault-returns.ts'
import { shareDecimalsSql } from './vault-sql.ts'

/** Claim types assumed for the cost of a vault's terms. Few mandates have more; the maximum is 256. */
const TYPICAL_TYPES = 16

Vault.implement({
  description: 'A vault that finances claims in one token (ERC-4626).',
  fields: (t) => ({
    address: t.expose('address', { type: 'Address', description: 'Address.' }),
    tokenInfo: t.field(tokenInfo('Token of the assets of the vault and of the claims that it finances.')),
    name: t.exposeString('name', { description: 'Name of the shares of the vault.' }),
    symbol: t.exposeString('symbol', { description: 'Symbol of the shares of the vault.' }),
    shareDecimals: t.int({
      description: 'Decimals of the shares, 6 more than those of the token.',
      ...computed(shareDecimalsSql),
    }),
    curator: t.field({
      type: Account,
      description: 'Curator, who submits mandate and pricing.',
      ...accountAt('curator'),
    }),
    active: t.exposeBoolean('active', {
      description: 'Whether the registry allows the vault to finance claims.',
    }),
    mandate: t.field({
      type: Mandate,
      description: 'Mandate of the vault.',
      ...mandateWith(typesOfVault),
    }),
    pricing: t.field({ type: Pricing, description: 'Pricing of the vault.', ...samePart }),
    noticePeriod: t.expose('noticePeriod', {
      type: 'SafeInt',
      description:
        'Seconds between the submission of terms and the time from which they can take effect. Terms with no wider limit and no lower rate take effect at once.',
    }),
    pendingTerms: t.field({
      type: PendingTerms,
      nullable: true,
      description: 'Terms that the curator has submitted and that are not in effect; null if there are none.',
      ...pendingTermsOfVault,
    }),
    capital: t.field({ type: Capital, description: 'Capital of the vault.', ...withValue }),
    returns: t.field({
      type: VaultReturns,
      description: 'Annualized returns of a share of the vault.',
      ...returnsOfVault,
    }),
    terms: t.field({
      type: [VaultTerms],
      description: 'Terms of the vault for each claim type that it finances.',
      complexity: { field: 1, multiplier: TYPICAL_TYPES },
      ...rowsOf(termsOfVault, 'address'),
    }),
    registeredAt: t.expose('registeredAt', { type: 'DateTime', description: 'Time of registration.' }),
    registeredBlock: t.expose('registeredBlock', {
      type: 'SafeInt',
      description: 'Block number of the registration.',
    }),
    changedAt: t.expose('changedAt', {
      type: 'DateTime',
      description: 'Time of the last change of the vault.',
    }),
    allocations: t.connection(
      {
        type: Allocation,
        description: 'Allocations of the vault. Default: newest first.',
        args: allocationList.args,
        complexity: pageCost,
        ...allocationsOfVault,
      },
      AllocationConnection,
    ),
    legs: t.connection(
      {
        type: ExecutionLeg,
        description: 'Legs of executions that the vault financed. Default: newest first.',
        args: legList.args,
        complexity: pageCost,
        ...legsOfVault,
      },
      ExecutionLegConnection,
    ),
    activity: t.connection(
      {
        type: Activity,
        description: 'Deposits and withdrawals. Default: newest first.',
        args: activityList.args,
        complexity: pageCost,
        ...activityInVault,
      },
      ActivityConnection,
    ),
    capitalHistory: t.connection(
      {
        type: CapitalChange,
        description: 'Movements of the capital of the vault. Default: newest first.',
        args: capitalList.args,
        complexity: pageCost,
        ...capitalOfVault,
      },
      CapitalChangeConnection,
    ),
    days: t.connection(
      {
        type: VaultDay,
        description: 'Daily figures, in UTC. Default: earliest first.',
        args: vaultDayList.args,
        complexity: pageCost,
        ...daysOfVault,
      },
      VaultDayConnection,
    ),
    positions: t.connection(
      {
        type: VaultPosition,
        description: 'Holders of shares of the vault, ordered by owner.',
        args: positionList.args,
        complexity: pageCost,
        ...positionsInVault,
      },
      PositionConnection,
    ),
  }),
})

export const VaultFilter = defineFilter(vaults, 'VaultFilter', 'vaults', {
  address: { column: 'address', type: 'Address', compare: 'key', words: 'The address' },
  token: { column: 'token', type: 'Address', compare: 'key', words: 'The token' },
  curator: { column: 'curator', type: 'Address', compare: 'key', words: 'The curator' },
  active: { column: 'active', type: 'Boolean', compare: 'flag', words: 'Whether the vault is active' },
  ...mandateFilter,
  baseDiscountBps: { column: 'baseDiscountBps', type: 'Int', compare: 'number', words: 'The base discount' },
  durationBpsPerDay: {
    column: 'durationBpsPerDay',
    type: 'Int',
    compare: 'number',
    words: 'The discount per day',
  },
  fundableLiquidity: {
    column: 'idleAssets',
    type: 'Amount',
    compare: 'number',
    words: 'The fundable liquidity',
  },
  outstandingFace: {
    column: 'outstandingFace',
    type: 'Amount',
    compare: 'number',
    words: 'The outstanding face',
  },
  registeredAt: {
    column: 'registeredAt',
    type: 'DateTime',
    compare: 'number',
    words: 'The time of registration',
  },
})

export const vaultList = defineListArguments(vaults, 'Vault', {
  noun: 'vaults',
  filter: VaultFilter,
  orders: {
    registeredAt: { by: 'registeredAt', words: 'Time of registration.' },
    baseDiscountBps: {
      by: 'baseDiscountBps',
      words: 'Base discount. `vaultTerms` orders by the whole discount.',
    },
    fundableLiquidity: byAmount('idleAssets', 'Fundable liquidity'),
    outstandingFace: byAmount('outstandingFace', 'Outstanding face'),
  },
  defaults: { orderBy: 'registeredAt', direction: 'asc' },
})

export const vaultsOfCurator = listOfEach(vaults, 'curator', vaultList)

export const VaultConnection = builder.connectionObject(
  { type: Vault, name: 'VaultConnection', description: 'A page of vaults.' },
  { name: 'VaultEdge', description: 'A vault and its cursor.' },
)

builder.queryFields((t) => ({
  vault: t.field({
    type: Vault,
    nullable: true,
    description: 'The vault at this address; null if there is none.',
    args: { address: t.arg({ type: 'Address', required: true, description: 'Address.' }), ...asOfArgs },
    ...rowAt(vaults, 'address'),
  }),
  vaults: t.connection(
    {
      type: Vault,
      description:
        'Vaults, inactive ones included; filter by `active`. Default: in the order of registration.',
      args: { ...vaultList.args, ...asOfArgs },
      complexity: pageCost,
      ...listOf(vaults, vaultList),
    },
    VaultConnection,
  ),
}))
