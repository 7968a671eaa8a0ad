import { issuers } from '../../projection/issuer.ts'
import { builder } from '../builder.ts'
import { pageCost } from '../connection.ts'
import { defineFilter } from '../filter.ts'
import { listAll } from '../lists.ts'
import { ClaimConnection, claimListArgs, claimsOfIssuer, toClaimList } from './claim.ts'
import { OrderDirection } from './enums.ts'
import { Claim, Issuer } from './refs.ts'

Issuer.implement({
  description: 'Who attests claims.',
  fields: (t) => ({
    address: t.expose('address', {
      type: 'Address',
      description: 'Its address, an account or a contract (ERC-1271).',
    }),
    active: t.exposeBoolean('active', { description: 'Whether its claims can be registered and financed.' }),
    claimCount: t.exposeInt('claimCount', { description: 'Claims registered of it so far.' }),
    addedAt: t.expose('addedAt', { type: 'DateTime', description: 'When the registry first named it.' }),
    changedAt: t.expose('changedAt', {
      type: 'DateTime',
      description: 'When it was last switched on or off.',
    }),
    claims: t.connection(
      {
        type: Claim,
        description: 'The claims it attested, newest first unless told otherwise.',
        args: claimListArgs,
        complexity: pageCost,
        resolve: ({ address }, args, { operation }) =>
          claimsOfIssuer(operation, address, args, toClaimList(args)),
      },
      ClaimConnection,
    ),
  }),
})

const IssuerFilter = defineFilter<keyof typeof issuers.columns>('IssuerFilter', 'issuers', {
  address: { column: 'address', type: 'Address', compare: 'key', words: 'The address' },
  active: { column: 'active', type: 'Boolean', compare: 'flag', words: 'Whether it is active' },
  claimCount: { column: 'claimCount', type: 'Int', compare: 'number', words: 'The number of claims' },
})

const IssuerConnection = builder.connectionObject(
  { type: Issuer, name: 'IssuerConnection', description: 'A page of issuers.' },
  { name: 'IssuerEdge', description: 'An issuer and where it stands in the list.' },
)

builder.queryFields((t) => ({
  issuer: t.field({
    type: Issuer,
    nullable: true,
    description: 'The issuer at this address; null where there is none.',
    args: { address: t.arg({ type: 'Address', required: true, description: 'Its address.' }) },
    resolve: (_, { address }) => address,
  }),
  issuers: t.connection(
    {
      type: Issuer,
      description: 'Issuers by address, inactive ones too: filter by `active`.',
      args: {
        filter: t.arg({ type: IssuerFilter.ref, description: 'Which issuers; all of them without.' }),
        orderDirection: t.arg({
          type: OrderDirection,
          required: true,
          defaultValue: 'asc',
          description: 'By address.',
        }),
      },
      complexity: pageCost,
      resolve: (_, args, { operation }) =>
        listAll(operation, issuers, args, {
          filter: IssuerFilter.toFilter(args.filter),
          orderBy: 'address',
          direction: args.orderDirection,
        }),
    },
    IssuerConnection,
  ),
}))
