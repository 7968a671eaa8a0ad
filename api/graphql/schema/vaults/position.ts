import { positions } from '../../../projection/tables/position.ts'
import { vaults } from '../../../projection/tables/vault.ts'
import { builder } from '../../kit/builder.ts'
import { defineFilter } from '../../kit/filter.ts'
import { defineListArguments, listOf, listOfEach, pageCost } from '../../kit/lists.ts'
import { accountAt, refersTo } from '../../kit/reads.ts'
import { Account, Vault, VaultPosition } from '../shared/refs.ts'

VaultPosition.implement({
  description: 'The shares of a wallet in a vault; zero after a full withdrawal.',
  fields: (t) => ({
    vault: t.field({ type: Vault, description: 'The vault.', ...refersTo('vault', vaults) }),
    owner: t.field({ type: Account, description: 'The wallet.', ...accountAt('owner') }),
    shares: t.expose('shares', {
      type: 'Amount',
      extensions: { unit: 'share' },
      description: 'Shares, base units of the share.',
    }),
  }),
})

const VaultPositionFilter = defineFilter(positions, 'VaultPositionFilter', 'positions', {
  vault: { column: 'vault', type: 'Address', compare: 'key', words: 'The vault' },
  owner: { column: 'owner', type: 'Address', compare: 'key', words: 'The owner' },
  shares: { column: 'shares', type: 'Amount', compare: 'number', words: 'The number of shares' },
})

const list = defineListArguments<typeof positions>('VaultPosition', {
  noun: 'positions',
  filter: VaultPositionFilter,
  orders: {
    vault: { by: 'vault', words: 'Vault, then owner.' },
    owner: { by: 'owner', words: 'Owner, then vault.' },
    shares: {
      by: 'shares',
      words: 'Shares. Filter by one vault: shares of different vaults are not comparable.',
    },
  },
  defaults: { orderBy: 'vault', direction: 'asc' },
})

export const positionList = {
  args: {
    ...list.args,
    ...builder.args((t) => ({
      withoutShares: t.boolean({
        required: true,
        defaultValue: false,
        description: 'Whether the list includes positions with zero shares. Default: false.',
      }),
    })),
  },
  read: ({ withoutShares, ...args }: Parameters<typeof list.read>[0] & { withoutShares: boolean }) => {
    const { filter, ...order } = list.read(args)
    return { ...order, filter: withoutShares ? filter : { and: [held, ...(filter ? [filter] : [])] } }
  },
}

const held = { column: 'shares', is: 'gt', value: 0n } as const

export const PositionConnection = builder.connectionObject(
  { type: VaultPosition, name: 'VaultPositionConnection', description: 'A page of positions.' },
  { name: 'VaultPositionEdge', description: 'A position and its cursor.' },
)

export const positionsInVault = listOfEach(positions, 'vault', positionList)
export const positionsOfOwner = listOfEach(positions, 'owner', positionList)

builder.queryField('vaultPositions', (t) =>
  t.connection(
    {
      type: VaultPosition,
      description: 'Positions: the shares of each holder in each vault. Default: by vault.',
      args: positionList.args,
      complexity: pageCost,
      ...listOf(positions, positionList),
    },
    PositionConnection,
  ),
)
