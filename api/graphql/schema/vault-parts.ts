/** Parts of a vault: what it finances, at which price, with which capital. */
import { sql } from 'kysely'
import { BPS_DENOMINATOR } from '../../domain/limits.ts'
import { supportedTypes } from '../../domain/mandate.ts'
import { lockedProfit, sharePrice, totalAssets, utilizationBps, yieldToDateBps } from '../../domain/vault.ts'
import { readOverdueFace } from '../../projection/dues.ts'
import type { Sql } from '../../projection/json.ts'
import { readByKeys } from '../../projection/keys.ts'
import type { Scope } from '../../projection/scope.ts'
import { view } from '../../projection/source.ts'
import { tokens } from '../../projection/token.ts'
import type { VaultRow } from '../../projection/vault.ts'
import { builder } from '../builder.ts'
import { batched, type GraphqlContext } from '../context.ts'
import { reading } from '../declared-read.ts'
import { computed, computedAt } from '../reads.ts'

const overdueFaceOfVault = batched((snapshot, vaults) => readOverdueFace(snapshot, 'vault', vaults))

/** It adds up the daily figures of a vault. */
const OVERDUE_COST = 5

export const Mandate = builder.objectRef<VaultRow>('Mandate')
export const Pricing = builder.objectRef<VaultRow>('Pricing')
export const Capital = builder.objectRef<VaultRow>('Capital')

/** Fields of filters of vaults and of their terms. */
export const mandateFilter = {
  maxDurationDays: {
    column: 'maxDurationDays',
    type: 'SafeInt',
    compare: 'number',
    words: 'The longest duration',
  },
  minFace: { column: 'minFace', type: 'Amount', compare: 'number', words: 'The smallest lot' },
  maxFace: { column: 'maxFace', type: 'Amount', compare: 'number', words: 'The largest lot' },
} as const

Mandate.implement({
  description: 'Mandate of a vault: the claims that it finances.',
  fields: (t) => ({
    supportedTypesBitmap: t.expose('supportedTypesBitmap', {
      type: 'Amount',
      description:
        'Bitmap of supported claim types as a decimal number: bit t is set where type t is supported.',
    }),
    supportedTypes: t.intList({
      description: 'The supported claim types as a list.',
      resolve: ({ supportedTypesBitmap }) => supportedTypes(supportedTypesBitmap),
    }),
    maxDurationDays: t.expose('maxDurationDays', {
      type: 'SafeInt',
      description: 'Maximum number of whole days to the due date.',
    }),
    minFace: t.expose('minFace', { type: 'Amount', description: 'Smallest lot, base units of face.' }),
    maxFace: t.expose('maxFace', { type: 'Amount', description: 'Largest lot, base units of face.' }),
  }),
})

Pricing.implement({
  description:
    'Discount, basis points of face: base + perDay × whole days to the due date + the premium of the claim type.',
  fields: (t) => ({
    baseDiscountBps: t.exposeInt('baseDiscountBps', {
      description: 'Base discount of every claim, basis points.',
    }),
    durationBpsPerDay: t.exposeInt('durationBpsPerDay', {
      description: 'Discount per whole day to the due date, basis points.',
    }),
    premiumBps: t.exposeIntList('premiumBps', {
      description: 'Premium by claim type, basis points; 0 for types beyond the end of the list.',
    }),
  }),
})

/** As the functions of `domain/vault.ts`. */
function bookSql(vault: Scope): Sql {
  const [idle, advance] = [vault.column('idleAssets'), vault.column('outstandingAdvance')]
  return sql`(${idle} + ${advance} - ${vault.column('outstandingImpairment')})`
}

function lockedSql(vault: Scope): Sql {
  const [amount, since, until] = [
    vault.column('unlockingAmount'),
    vault.column('unlockingSince'),
    vault.column('unlockingUntil'),
  ]
  return sql`(case when ${vault.column('totalShares')} = 0 then ${bookSql(vault)}
    when ${vault.now} >= ${until} then 0
    else ${amount} - div(${amount} * (${vault.now} - ${since}), ${until} - ${since}) end)`
}

/** Of its token, which is also that of its shares. */
const decimalsOf = batched(async (snapshot, addresses) => {
  const rows = await readByKeys(snapshot, tokens, 'address', addresses)
  return rows.map((row) => {
    if (!row) throw new Error('the projection has no token of a vault')
    return row.decimals
  })
})

function decimalsSql(vault: Scope): Sql {
  return sql`(select decimals from ${view('token')} as listed where listed.address = ${vault.column('token')})`
}

/** What an amount of shares is worth, as `domain/vault.ts`. */
function assetsSql(vault: Scope, shares: Sql): Sql {
  return sql`div(${shares} * (${bookSql(vault)} - ${lockedSql(vault)} + 1), ${vault.column('totalShares')} + 1)`
}

export const shareDecimals = {
  resolve: ({ token }: VaultRow, _: unknown, { operation }: GraphqlContext) =>
    decimalsOf(operation, token, null),
  ...reading({ kind: 'value', value: decimalsSql }),
}

const sharePriceRead = {
  resolve: async (vault: VaultRow, _: unknown, { operation }: GraphqlContext) => {
    const decimals = await decimalsOf(operation, vault.token, null)
    return sharePrice(vault, decimals, (await operation.finalizedThrough()).timestamp)
  },
  ...reading({
    kind: 'value',
    value: (vault) => assetsSql(vault, sql`('1' || repeat('0', ${decimalsSql(vault)}))::numeric`),
  }),
}

const yieldRead = computedAt(
  yieldToDateBps,
  (vault) => sql`${assetsSql(vault, sql.lit(Number(BPS_DENOMINATOR)))} - ${sql.lit(Number(BPS_DENOMINATOR))}`,
)

function utilizationSql(vault: Scope): Sql {
  const [idle, advance] = [vault.column('idleAssets'), vault.column('outstandingAdvance')]
  return sql`case when ${idle} + ${advance} = 0 then 0
    else div(${advance} * ${sql.lit(Number(BPS_DENOMINATOR))}, ${idle} + ${advance}) end`
}

Capital.implement({
  description: 'Assets of a vault and their use.',
  fields: (t) => ({
    totalAssets: t.field({
      type: 'Amount',
      description:
        'Value of all shares at the time of the finalized block of this answer: idle assets plus carrying value of outstanding allocations less locked profit, base units.',
      ...computedAt(totalAssets, (vault) => sql`${bookSql(vault)} - ${lockedSql(vault)}`),
    }),
    sharePrice: t.field({
      type: 'AmountSum',
      description:
        'Value of one whole share (10^shareDecimals base units) at the time of the finalized block of this answer, base units of the token, rounded down: `convertToAssets` of the contract. 10^decimals before the first gain.',
      ...sharePriceRead,
    }),
    yieldToDateBps: t.field({
      type: 'SafeInt',
      description:
        'Change of the share price since the first deposit at the time of the finalized block of this answer, basis points, rounded down; negative after losses. Earlier deposits and withdrawals at other prices do not change it.',
      ...yieldRead,
    }),
    lockedProfit: t.field({
      type: 'Amount',
      description:
        'Gains that are not part of totalAssets yet: each unlocks over 30 days, and while there are no shares everything is locked. At the time of the finalized block of this answer, base units.',
      ...computedAt(lockedProfit, lockedSql),
    }),
    fundableLiquidity: t.expose('idleAssets', {
      type: 'Amount',
      description: 'Amount that the vault can advance now, base units.',
    }),
    outstandingFace: t.expose('outstandingFace', {
      type: 'Amount',
      description: 'Outstanding face, base units.',
    }),
    outstandingAdvance: t.expose('outstandingAdvance', {
      type: 'Amount',
      description: 'Outstanding advances, at cost, base units.',
    }),
    outstandingImpairment: t.expose('outstandingImpairment', {
      type: 'Amount',
      description: 'Part of outstandingAdvance that is written down, base units.',
    }),
    impairedFace: t.expose('impairedFace', {
      type: 'Amount',
      description: 'Face of the allocations that are written down, base units.',
    }),
    overdueFace: t.field({
      type: 'AmountSum',
      description:
        'Outstanding face of claims that are past due and neither settled nor revoked at the time of the finalized block of this answer, base units.',
      complexity: OVERDUE_COST,
      resolve: ({ address }, _, { operation }) => overdueFaceOfVault(operation, address, null),
    }),
    totalShares: t.expose('totalShares', {
      type: 'Amount',
      description: 'Shares issued, base units of the share.',
    }),
    discountEarned: t.expose('discountEarned', {
      type: 'Amount',
      description: 'Discount booked as gain by repayments, base units.',
    }),
    utilizationBps: t.int({
      description:
        'outstandingAdvance over all assets at cost (idle and outstanding), basis points, rounded down; 0 for an empty vault.',
      ...computed(utilizationBps, utilizationSql),
    }),
  }),
})
