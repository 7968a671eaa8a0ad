import { issuerDays } from '../../projection/day.ts'
import { builder } from '../builder.ts'
import { pageCost } from '../connection.ts'
import { defineList } from '../define-list.ts'
import { defineFilter } from '../filter.ts'
import { listAll, listOfParent } from '../lists.ts'
import { Issuer, IssuerDay } from './refs.ts'

IssuerDay.implement({
  description: "One issuer's claims in one token on one UTC day on which anything happened to them.",
  fields: (t) => ({
    issuer: t.field({ type: Issuer, description: 'The issuer.', resolve: (row) => row.issuer }),
    token: t.expose('token', { type: 'Address', description: 'The token of the claims.' }),
    day: t.expose('day', { type: 'DateTime', description: 'Midnight that the day begins with.' }),
    claimsRegistered: t.exposeInt('claimsRegistered', { description: 'Claims registered.' }),
    faceRegistered: t.expose('faceRegistered', { type: 'Amount', description: 'Their face.' }),
    allocations: t.exposeInt('allocations', { description: 'Parts of claims financed.' }),
    faceFinanced: t.expose('faceFinanced', { type: 'Amount', description: 'Face that vaults financed.' }),
    advanced: t.expose('advanced', { type: 'Amount', description: 'What they advanced on it.' }),
    settlements: t.exposeInt('settlements', { description: 'Claims settled.' }),
    faceSettled: t.expose('faceSettled', { type: 'Amount', description: 'Their face.' }),
    faceRepaid: t.expose('faceRepaid', { type: 'Amount', description: 'Face repaid to vaults.' }),
    discountEarned: t.expose('discountEarned', {
      type: 'Amount',
      description: 'Discount that vaults booked as gain.',
    }),
  }),
})

const IssuerDayFilter = defineFilter<keyof typeof issuerDays.columns>('IssuerDayFilter', 'days', {
  issuer: { column: 'issuer', type: 'Address', compare: 'key', words: 'The issuer' },
  token: { column: 'token', type: 'Address', compare: 'key', words: 'The token' },
  day: { column: 'day', type: 'DateTime', compare: 'number', words: 'The midnight of the day' },
  faceFinanced: { column: 'faceFinanced', type: 'Amount', compare: 'number', words: 'The face financed' },
})

export const issuerDayList = defineList<typeof issuerDays>('IssuerDay', {
  noun: 'days',
  filter: IssuerDayFilter,
  orders: {
    day: { by: 'day', words: 'Day.' },
    faceFinanced: { by: 'faceFinanced', words: 'Face financed; meant for one token at a time.' },
  },
  defaults: { orderBy: 'day', direction: 'asc' },
})

export const IssuerDayConnection = builder.connectionObject(
  { type: IssuerDay, name: 'IssuerDayConnection', description: 'A page of days of issuers.' },
  { name: 'IssuerDayEdge', description: 'A day and where it stands in the list.' },
)

export const daysOfIssuer = listOfParent(issuerDays, 'issuer')

builder.queryField('issuerDays', (t) =>
  t.connection(
    {
      type: IssuerDay,
      description: 'Issuers per token and UTC day. Default: earliest first.',
      args: issuerDayList.args,
      complexity: pageCost,
      resolve: (_, args, { operation }) => listAll(operation, issuerDays, args, issuerDayList.read(args)),
    },
    IssuerDayConnection,
  ),
)
