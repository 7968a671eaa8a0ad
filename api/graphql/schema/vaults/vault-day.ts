import { vaultDays } from '../../../projection/tables/day.ts'
import { vaults } from '../../../projection/tables/vault.ts'
import { builder } from '../../kit/builder.ts'
import { listOf, listOfEach, pageCost } from '../../kit/lists.ts'
import { refersTo } from '../../kit/reads.ts'
import { defineDayListArguments } from '../shared/day-list.ts'
import { Vault, VaultDay } from '../shared/refs.ts'
import { tokenInfo } from '../shared/token-info.ts'

VaultDay.implement({
  description: 'One vault on one UTC day. Days without events have no row.',
  fields: (t) => ({
    vault: t.field({ type: Vault, description: 'The vault.', ...refersTo('vault', vaults) }),
    day: t.expose('day', { type: 'DateTime', description: 'Start of the UTC day.' }),
    tokenInfo: t.field(tokenInfo('Token of the assets of the vault.')),
    allocations: t.exposeInt('allocations', { description: 'Number of allocations.' }),
    deposited: t.expose('deposited', { type: 'AmountSum', description: 'Assets deposited, base units.' }),
    withdrawn: t.expose('withdrawn', { type: 'AmountSum', description: 'Assets withdrawn, base units.' }),
    faceFinanced: t.expose('faceFinanced', { type: 'Amount', description: 'Face financed, base units.' }),
    advanced: t.expose('advanced', { type: 'Amount', description: 'Assets advanced, base units.' }),
    faceRepaid: t.expose('faceRepaid', { type: 'Amount', description: 'Face repaid, base units.' }),
    discountEarned: t.expose('discountEarned', {
      type: 'Amount',
      description: 'Discount booked as gain, base units.',
    }),
    idleAssets: t.expose('idleAssets', {
      type: 'Amount',
      description: 'Idle assets after the last event of the day, base units.',
    }),
    outstandingFace: t.expose('outstandingFace', {
      type: 'Amount',
      description: 'Outstanding face after the last event of the day, base units.',
    }),
    outstandingAdvance: t.expose('outstandingAdvance', {
      type: 'Amount',
      description: 'Outstanding advances after the last event of the day, base units.',
    }),
    totalShares: t.expose('totalShares', {
      type: 'Amount',
      extensions: { unit: 'share' },
      description: 'Number of all shares after the last event of the day, base units of the share.',
    }),
  }),
})

export const vaultDayList = defineDayListArguments(vaultDays, 'VaultDay', {
  vault: { column: 'vault', type: 'Address', compare: 'key', words: 'The vault' },
})

export const VaultDayConnection = builder.connectionObject(
  { type: VaultDay, name: 'VaultDayConnection', description: 'A page of days of vaults.' },
  { name: 'VaultDayEdge', description: 'A day and its cursor.' },
)

export const daysOfVault = listOfEach(vaultDays, 'vault', vaultDayList)

builder.queryField('vaultDays', (t) =>
  t.connection(
    {
      type: VaultDay,
      description: 'Vaults per UTC day. Default: earliest first.',
      args: vaultDayList.args,
      complexity: pageCost,
      ...listOf(vaultDays, vaultDayList),
    },
    VaultDayConnection,
  ),
)
