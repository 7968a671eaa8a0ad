import { issuerDays } from '../../../projection/tables/day.ts'
import { issuers } from '../../../projection/tables/issuer.ts'
import { builder } from '../../kit/builder.ts'
import { listOf, listOfEach, pageCost } from '../../kit/lists.ts'
import { refersTo } from '../../kit/reads.ts'
import { defineDayListArguments } from '../shared/day-list.ts'
import { Issuer, IssuerDay } from '../shared/refs.ts'
import { tokenInfo } from '../shared/token-info.ts'

IssuerDay.implement({
  description: 'The claims of one issuer in one token on one UTC day. Days without events have no row.',
  fields: (t) => ({
    issuer: t.field({ type: Issuer, description: 'The issuer.', ...refersTo('issuer', issuers) }),
    tokenInfo: t.field(tokenInfo('The token of the claims.')),
    day: t.expose('day', { type: 'DateTime', description: 'Start of the UTC day.' }),
    claimsRegistered: t.exposeInt('claimsRegistered', { description: 'Number of claims registered.' }),
    faceRegistered: t.expose('faceRegistered', {
      type: 'Amount',
      description: 'Face of the registered claims, base units.',
    }),
    allocations: t.exposeInt('allocations', { description: 'Number of allocations.' }),
    faceFinanced: t.expose('faceFinanced', {
      type: 'Amount',
      description: 'Face that vaults financed, base units.',
    }),
    advanced: t.expose('advanced', { type: 'Amount', description: 'Advances paid, base units.' }),
    settlements: t.exposeInt('settlements', {
      description: 'Number of settlements. A claim that is paid in parts has several.',
    }),
    faceSettled: t.expose('faceSettled', {
      type: 'Amount',
      description: 'Face that settlements paid, base units.',
    }),
    faceRepaid: t.expose('faceRepaid', { type: 'Amount', description: 'Face repaid to vaults, base units.' }),
    discountEarned: t.expose('discountEarned', {
      type: 'Amount',
      description: 'Discount that vaults booked as gain, base units.',
    }),
  }),
})

export const issuerDayList = defineDayListArguments(issuerDays, 'IssuerDay', {
  issuer: { column: 'issuer', type: 'Address', compare: 'key', words: 'The issuer' },
})

export const IssuerDayConnection = builder.connectionObject(
  { type: IssuerDay, name: 'IssuerDayConnection', description: 'A page of days of issuers.' },
  { name: 'IssuerDayEdge', description: 'A day and its cursor.' },
)

export const daysOfIssuer = listOfEach(issuerDays, 'issuer', issuerDayList)

builder.queryField('issuerDays', (t) =>
  t.connection(
    {
      type: IssuerDay,
      description: 'Issuers per token and UTC day. Default: earliest first.',
      args: issuerDayList.args,
      complexity: pageCost,
      ...listOf(issuerDays, issuerDayList),
    },
    IssuerDayConnection,
  ),
)
