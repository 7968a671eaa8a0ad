import { sql } from 'kysely'
import { validationFailed } from '../../../errors.ts'
import { terms } from '../../../projection/tables/terms.ts'
import { vaults } from '../../../projection/tables/vault.ts'
import { asOfArgs } from '../../kit/as-of.ts'
import { builder } from '../../kit/builder.ts'
import { reading } from '../../kit/declared-read.ts'
import { defineFilter } from '../../kit/filter.ts'
import { defineListArguments, listUnder, pageCost } from '../../kit/lists.ts'
import { refersTo } from '../../kit/reads.ts'
import { claimTypeLabel } from '../shared/labels.ts'
import { Vault, VaultTerms } from '../shared/refs.ts'
import { tokenInfo } from '../shared/token-info.ts'
import { mandateFilter } from './vault-parts.ts'

VaultTerms.implement({
  description:
    'Terms of a vault for one claim type that its mandate supports. The discount depends on the days to the due date; the `totalBps…` fields compare vaults at three durations.',
  fields: (t) => ({
    vault: t.field({ type: Vault, description: 'The vault.', ...refersTo('vault', vaults) }),
    claimType: t.exposeInt('claimType', { description: 'The claim type.' }),
    claimTypeLabel: t.string(claimTypeLabel),
    tokenInfo: t.field(tokenInfo('The token of vault and claims.')),
    active: t.exposeBoolean('active', {
      description: 'Whether the registry allows the vault to finance claims.',
    }),
    minDurationDays: t.expose('minDurationDays', {
      type: 'SafeInt',
      description: 'Minimum number of whole days from the financing to the due date.',
    }),
    maxDurationDays: t.expose('maxDurationDays', {
      type: 'SafeInt',
      description: 'Maximum number of whole days to the due date.',
    }),
    minFace: t.expose('minFace', { type: 'Amount', description: 'Smallest lot, base units of face.' }),
    maxFace: t.expose('maxFace', { type: 'Amount', description: 'Largest lot, base units of face.' }),
    maxClaimFace: t.expose('maxClaimFace', {
      type: 'Amount',
      description: 'Largest face of one claim that the vault holds, base units.',
    }),
    maxIssuerFace: t.expose('maxIssuerFace', {
      type: 'Amount',
      description:
        'Largest face that the claims of one issuer owe the vault, base units. 2^256 - 1 is no limit.',
    }),
    durationBpsPerDay: t.exposeInt('durationBpsPerDay', {
      description: 'Discount per whole day to the due date, basis points.',
    }),
    totalBps: t.field({
      type: 'SafeInt',
      description: 'Whole discount of a claim due in `daysToDue` whole days, basis points.',
      args: {
        daysToDue: t.arg.int({ required: true, description: 'Whole days to the due date, 0 to 36500.' }),
      },
      ...reading<{ daysToDue: number }>({
        kind: 'value',
        value: (row, { daysToDue }) => {
          const days = sql.lit(requireUpTo(DAYS_MAX, 'daysToDue', daysToDue))
          return sql`${row.column('totalBpsNow')}::int8 + ${row.column('durationBpsPerDay')}::int8 * ${days}`
        },
      }),
    }),
    totalBpsNow: t.exposeInt('totalBpsNow', {
      description: 'Whole discount of a claim due within a day, basis points: base and premium of the type.',
    }),
    totalBpsMonth: t.exposeInt('totalBpsMonth', {
      description: 'Whole discount of a claim due in 30 days, basis points.',
    }),
    totalBpsQuarter: t.exposeInt('totalBpsQuarter', {
      description: 'Whole discount of a claim due in 90 days, basis points.',
    }),
  }),
})

/**
 * A hundred years: more is likely a mistake. At 65535 basis points a day the sum is above 32 bits, and far below 2^53.
 */
const DAYS_MAX = 36_500

/** Claim types are a uint8 of the contracts. */
const CLAIM_TYPE_MAX = 255

function requireUpTo(max: number, path: string, value: number): number {
  if (value >= 0 && value <= max) return value
  throw validationFailed([{ path, message: `must be from 0 to ${max}` }])
}

const VaultTermsFilter = defineFilter(terms, 'VaultTermsFilter', 'terms', {
  vault: { column: 'vault', type: 'Address', compare: 'key', words: 'The vault' },
  token: { column: 'token', type: 'Address', compare: 'key', words: 'The token' },
  active: { column: 'active', type: 'Boolean', compare: 'flag', words: 'Whether the vault is active' },
  ...mandateFilter,
  totalBpsNow: {
    column: 'totalBpsNow',
    type: 'Int',
    compare: 'number',
    words: 'The discount within a day of the due date',
  },
  totalBpsMonth: {
    column: 'totalBpsMonth',
    type: 'Int',
    compare: 'number',
    words: 'The discount 30 days before the due date',
  },
  totalBpsQuarter: {
    column: 'totalBpsQuarter',
    type: 'Int',
    compare: 'number',
    words: 'The discount 90 days before the due date',
  },
})

const termsList = defineListArguments(terms, 'VaultTerms', {
  noun: 'terms',
  filter: VaultTermsFilter,
  orders: {
    totalBpsNow: { by: 'totalBpsNow', words: 'Whole discount of a claim due within a day.' },
    totalBpsMonth: { by: 'totalBpsMonth', words: 'Whole discount of a claim due in 30 days.' },
    totalBpsQuarter: { by: 'totalBpsQuarter', words: 'Whole discount of a claim due in 90 days.' },
  },
  defaults: { orderBy: 'totalBpsMonth', direction: 'asc' },
})

type TermsArgs = Parameters<typeof termsList.read>[0] & { claimType: number }

const VaultTermsConnection = builder.connectionObject(
  { type: VaultTerms, name: 'VaultTermsConnection', description: 'A page of terms.' },
  { name: 'VaultTermsEdge', description: 'Terms and their cursor.' },
)

builder.queryField('vaultTerms', (t) =>
  t.connection(
    {
      type: VaultTerms,
      description:
        'Terms of vaults for claims of one type, inactive vaults included; filter by `active`. Default: lowest discount at 30 days first.',
      args: {
        claimType: t.arg.int({ required: true, description: 'The claim type, 0 to 255.' }),
        ...termsList.args,
        ...asOfArgs,
      },
      complexity: pageCost,
      ...listUnder(terms, termsList, (_, { claimType }: TermsArgs) => ({
        claimType: sql`${requireUpTo(CLAIM_TYPE_MAX, 'claimType', claimType)}::int4`,
      })),
    },
    VaultTermsConnection,
  ),
)
