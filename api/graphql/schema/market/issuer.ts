import { issuers } from '../../../projection/tables/issuer.ts'
import { asOfArgs } from '../../kit/as-of.ts'
import { builder } from '../../kit/builder.ts'
import { defineFilter } from '../../kit/filter.ts'
import { defineListArguments, listOf, pageCost } from '../../kit/lists.ts'
import { accountAt, rowAt } from '../../kit/reads.ts'
import { ClaimConnection, claimList, claimsOfIssuer } from '../claims/claim.ts'
import { issuerLabel } from '../shared/labels.ts'
import { Account, Claim, Issuer, IssuerDay } from '../shared/refs.ts'
import { daysOfIssuer, IssuerDayConnection, issuerDayList } from './issuer-day.ts'

Issuer.implement({
  description: 'An issuer, which attests claims.',
  fields: (t) => ({
    address: t.expose('address', {
      type: 'Address',
      description: 'Address of an account or a contract (ERC-1271).',
    }),
    label: t.string(issuerLabel),
    account: t.field({
      type: Account,
      description: 'The account with this address.',
      ...accountAt('address'),
    }),
    active: t.exposeBoolean('active', {
      description: 'Whether claims of the issuer can be registered and financed.',
    }),
    claimCount: t.exposeInt('claimCount', { description: 'Number of registered claims of the issuer.' }),
    addedAt: t.expose('addedAt', {
      type: 'DateTime',
      description: 'Time of the first listing.',
    }),
    changedAt: t.expose('changedAt', {
      type: 'DateTime',
      description: 'Time of the last activation or deactivation.',
    }),
    claims: t.connection(
      {
        type: Claim,
        description: 'Claims that the issuer attested. Default: newest first.',
        args: claimList.args,
        complexity: pageCost,
        ...claimsOfIssuer,
      },
      ClaimConnection,
    ),
    days: t.connection(
      {
        type: IssuerDay,
        description: 'Daily figures of the claims of the issuer by token, in UTC. Default: earliest first.',
        args: issuerDayList.args,
        complexity: pageCost,
        ...daysOfIssuer,
      },
      IssuerDayConnection,
    ),
  }),
})

const IssuerFilter = defineFilter(issuers, 'IssuerFilter', 'issuers', {
  address: { column: 'address', type: 'Address', compare: 'key', words: 'The address' },
  active: { column: 'active', type: 'Boolean', compare: 'flag', words: 'Whether the issuer is active' },
  claimCount: { column: 'claimCount', type: 'Int', compare: 'number', words: 'The number of claims' },
  addedAt: { column: 'addedAt', type: 'DateTime', compare: 'number', words: 'The time of the first listing' },
})

const issuerList = defineListArguments(issuers, 'Issuer', {
  noun: 'issuers',
  filter: IssuerFilter,
  orders: {
    address: { by: 'address', words: 'Address.' },
    addedAt: { by: 'addedAt', words: 'Time of the first listing.' },
    claimCount: { by: 'claimCount', words: 'Number of registered claims of the issuer.' },
  },
  defaults: { orderBy: 'address', direction: 'asc' },
})

const IssuerConnection = builder.connectionObject(
  { type: Issuer, name: 'IssuerConnection', description: 'A page of issuers.' },
  { name: 'IssuerEdge', description: 'An issuer and its cursor.' },
)

builder.queryFields((t) => ({
  issuer: t.field({
    type: Issuer,
    nullable: true,
    description: 'The issuer at this address; null if there is none.',
    args: { address: t.arg({ type: 'Address', required: true, description: 'Address.' }), ...asOfArgs },
    ...rowAt(issuers, 'address'),
  }),
  issuers: t.connection(
    {
      type: Issuer,
      description: 'Issuers, inactive ones included; filter by `active`. Default: by address.',
      args: { ...issuerList.args, ...asOfArgs },
      complexity: pageCost,
      ...listOf(issuers, issuerList),
    },
    IssuerConnection,
  ),
}))
