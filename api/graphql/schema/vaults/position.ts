import { positions } from '../../../projection/tables/position.ts'
import { vaults } from '../../../projection/tables/vault.ts'
import { asOfArgs } from '../../kit/as-of.ts'
import { builder } from '../../kit/builder.ts'
import { defineFilter } from '../../kit/filter.ts'
import { defineListArguments, listOf, listOfEach, pageCost } from '../../kit/lists.ts'
import { accountAt, computed, refersTo } from '../../kit/reads.ts'
import { Account, PositionChange, Vault, VaultPosition } from '../shared/refs.ts'
import { changesOfPosition, PositionChangeConnection, positionChangeList } from './position-change.ts'
import {
  positionAssetsSql,
  positionReturnSql,
  realizedGainSql,
  unrealizedGainSql,
  withdrawableSql,
} from './position-sql.ts'
import { NOW, VALUE_COST } from './vault-parts.ts'

VaultPosition.implement({
  description:
    'The shares of a wallet in a vault, at average cost; zero after a full withdrawal. `deposited` + `received` - `withdrawn` - `sent` + `realizedGain` + `unrealizedGain` = `assets`, exactly.',
  fields: (t) => ({
    vault: t.field({ type: Vault, description: 'The vault.', ...refersTo('vault', vaults) }),
    owner: t.field({ type: Account, description: 'The wallet.', ...accountAt('owner') }),
    shares: t.expose('shares', {
      type: 'Amount',
      extensions: { unit: 'share' },
      description: 'Shares, base units of the share.',
    }),
    assets: t.field({
      type: 'Amount',
      description: `Value of the shares, base units, ${NOW}: \`convertToAssets\` of the contract.`,
      complexity: VALUE_COST,
      ...computed(positionAssetsSql),
    }),
    withdrawableNow: t.field({
      type: 'Amount',
      description: `Part of \`assets\` that the idle assets of the vault cover, base units, ${NOW}: \`maxWithdraw\` of the contract.`,
      complexity: VALUE_COST,
      ...computed(withdrawableSql),
    }),
    costBasis: t.expose('costBasis', {
      type: 'AmountSum',
      description:
        'Cost of the shares, base units: the assets deposited for them. With a part of the shares, the same part of the cost leaves, rounded down. A transfer moves the cost to the other wallet.',
    }),
    deposited: t.expose('deposited', {
      type: 'AmountSum',
      description: 'Assets deposited for the wallet so far, base units.',
    }),
    withdrawn: t.expose('withdrawn', {
      type: 'AmountSum',
      description: 'Assets withdrawn from the position so far, base units.',
    }),
    received: t.expose('received', {
      type: 'AmountSum',
      description: 'Cost of all shares that other wallets transferred to this one, base units.',
    }),
    sent: t.expose('sent', {
      type: 'AmountSum',
      description: 'Cost of all shares that the wallet transferred to others, base units.',
    }),
    realizedGain: t.field({
      type: 'SignedAmount',
      description:
        'Assets withdrawn less the cost of the shares that were redeemed for them, base units: `withdrawn` + `sent` + `costBasis` - `deposited` - `received`. Negative after losses.',
      ...computed(realizedGainSql),
    }),
    unrealizedGain: t.field({
      type: 'SignedAmount',
      description: `\`assets\` less \`costBasis\`, base units, ${NOW}. Negative after losses.`,
      complexity: VALUE_COST,
      ...computed(unrealizedGainSql),
    }),
    returnBps: t.field({
      type: 'SafeInt',
      nullable: true,
      description: `\`realizedGain\` plus \`unrealizedGain\`, over \`deposited\` plus \`received\`, basis points, rounded down, ${NOW}; -10000 or more. Null if both are 0.`,
      complexity: VALUE_COST,
      ...computed(positionReturnSql),
    }),
    since: t.expose('since', {
      type: 'DateTime',
      nullable: true,
      description: 'Block time from which the wallet has held shares without a break; null if it holds none.',
    }),
    movements: t.connection(
      {
        type: PositionChange,
        description: 'Deposits, withdrawals and transfers of shares. Default: newest first.',
        args: positionChangeList.args,
        complexity: pageCost,
        ...changesOfPosition,
      },
      PositionChangeConnection,
    ),
  }),
})

const VaultPositionFilter = defineFilter(positions, 'VaultPositionFilter', 'positions', {
  vault: { column: 'vault', type: 'Address', compare: 'key', words: 'The vault' },
  owner: { column: 'owner', type: 'Address', compare: 'key', words: 'The owner' },
  shares: { column: 'shares', type: 'Amount', compare: 'number', words: 'The number of shares' },
})

const list = defineListArguments(positions, 'VaultPosition', {
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
      args: { ...positionList.args, ...asOfArgs },
      complexity: pageCost,
      ...listOf(positions, positionList),
    },
    PositionConnection,
  ),
)
