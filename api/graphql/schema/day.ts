import { tokenDays, vaultDays } from '../../projection/day.ts'
import { builder } from '../builder.ts'
import { pageCost } from '../connection.ts'
import { defineFilter } from '../filter.ts'
import { type ListArgs, listAll, listOfParent } from '../lists.ts'
import { OrderDirection } from './enums.ts'
import { TokenDay, Vault, VaultDay } from './refs.ts'

TokenDay.implement({
  description: 'The market in one token on one UTC day on which anything happened.',
  fields: (t) => ({
    token: t.expose('token', { type: 'Address', description: 'The token.' }),
    day: t.expose('day', { type: 'DateTime', description: 'Midnight that the day begins with.' }),
    claimsRegistered: t.exposeInt('claimsRegistered', { description: 'Claims registered.' }),
    faceRegistered: t.expose('faceRegistered', { type: 'Amount', description: 'Their face.' }),
    executions: t.exposeInt('executions', { description: 'Executions.' }),
    faceFinanced: t.expose('faceFinanced', { type: 'Amount', description: 'Face that vaults financed.' }),
    advanced: t.expose('advanced', { type: 'Amount', description: 'What they advanced on it.' }),
    settlements: t.exposeInt('settlements', { description: 'Claims settled.' }),
    faceSettled: t.expose('faceSettled', { type: 'Amount', description: 'Their face.' }),
    deposited: t.expose('deposited', { type: 'Amount', description: 'Assets deposited in vaults.' }),
    withdrawn: t.expose('withdrawn', { type: 'Amount', description: 'Assets withdrawn from vaults.' }),
    faceRepaid: t.expose('faceRepaid', { type: 'Amount', description: 'Face repaid to vaults.' }),
    discountEarned: t.expose('discountEarned', {
      type: 'Amount',
      description: 'Discount that vaults booked as gain.',
    }),
  }),
})

VaultDay.implement({
  description: 'One vault on one UTC day on which anything happened to it.',
  fields: (t) => ({
    vault: t.field({ type: Vault, description: 'The vault.', resolve: (row) => row.vault }),
    day: t.expose('day', { type: 'DateTime', description: 'Midnight that the day begins with.' }),
    token: t.expose('token', { type: 'Address', description: 'The token of its assets.' }),
    allocations: t.exposeInt('allocations', { description: 'Parts of claims financed.' }),
    deposited: t.expose('deposited', { type: 'Amount', description: 'Assets deposited.' }),
    withdrawn: t.expose('withdrawn', { type: 'Amount', description: 'Assets withdrawn.' }),
    faceFinanced: t.expose('faceFinanced', { type: 'Amount', description: 'Face financed.' }),
    advanced: t.expose('advanced', { type: 'Amount', description: 'Assets advanced.' }),
    faceRepaid: t.expose('faceRepaid', { type: 'Amount', description: 'Face repaid.' }),
    discountEarned: t.expose('discountEarned', { type: 'Amount', description: 'Discount booked as gain.' }),
    idleAssets: t.expose('idleAssets', {
      type: 'Amount',
      description: "Assets at hand after the day's last event.",
    }),
    outstandingFace: t.expose('outstandingFace', {
      type: 'Amount',
      description: "Face still to be repaid after the day's last event.",
    }),
    outstandingAdvance: t.expose('outstandingAdvance', {
      type: 'Amount',
      description: "Advances still to be repaid after the day's last event.",
    }),
  }),
})

const TokenDayFilter = defineFilter<keyof typeof tokenDays.columns>('TokenDayFilter', 'days', {
  token: { column: 'token', type: 'Address', compare: 'key', words: 'The token' },
  day: { column: 'day', type: 'DateTime', compare: 'number', words: 'The midnight of the day' },
})

const VaultDayFilter = defineFilter<keyof typeof vaultDays.columns>('VaultDayFilter', 'days', {
  vault: { column: 'vault', type: 'Address', compare: 'key', words: 'The vault' },
  day: { column: 'day', type: 'DateTime', compare: 'number', words: 'The midnight of the day' },
})

const direction = { type: OrderDirection, required: true, defaultValue: 'asc' } as const
const tokenDayArgs = builder.args((t) => ({
  filter: t.field({ type: TokenDayFilter.ref, description: 'Which days; all of them without.' }),
  orderDirection: t.field({ ...direction, description: 'Earliest or latest day first.' }),
}))

export const vaultDayArgs = builder.args((t) => ({
  filter: t.field({ type: VaultDayFilter.ref, description: 'Which days; all of them without.' }),
  orderDirection: t.field({ ...direction, description: 'Earliest or latest day first.' }),
}))

type VaultDayArgs = { filter?: Parameters<typeof VaultDayFilter.toFilter>[0]; orderDirection: 'asc' | 'desc' }

export function toVaultDayList({ filter, orderDirection }: VaultDayArgs): ListArgs<typeof vaultDays> {
  return { filter: VaultDayFilter.toFilter(filter), orderBy: 'day', direction: orderDirection }
}

const TokenDayConnection = builder.connectionObject(
  { type: TokenDay, name: 'TokenDayConnection', description: 'A page of days of tokens.' },
  { name: 'TokenDayEdge', description: 'A day and where it stands in the list.' },
)

export const VaultDayConnection = builder.connectionObject(
  { type: VaultDay, name: 'VaultDayConnection', description: 'A page of days of vaults.' },
  { name: 'VaultDayEdge', description: 'A day and where it stands in the list.' },
)

export const daysOfVault = listOfParent(vaultDays, 'vault')

builder.queryFields((t) => ({
  tokenDays: t.connection(
    {
      type: TokenDay,
      description: 'The market per token and UTC day, earliest first unless told otherwise.',
      args: tokenDayArgs,
      complexity: pageCost,
      resolve: (_, args, { operation }) =>
        listAll(operation, tokenDays, args, {
          filter: TokenDayFilter.toFilter(args.filter),
          orderBy: 'day',
          direction: args.orderDirection,
        }),
    },
    TokenDayConnection,
  ),
  vaultDays: t.connection(
    {
      type: VaultDay,
      description: 'Vaults per UTC day, earliest first unless told otherwise.',
      args: vaultDayArgs,
      complexity: pageCost,
      resolve: (_, args, { operation }) => listAll(operation, vaultDays, args, toVaultDayList(args)),
    },
    VaultDayConnection,
  ),
}))
