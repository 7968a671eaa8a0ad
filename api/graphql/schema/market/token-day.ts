import { tokenDays } from '../../../projection/tables/day.ts'
import { builder } from '../../kit/builder.ts'
import { listOf, pageCost } from '../../kit/lists.ts'
import { defineDayListArguments } from '../shared/day-list.ts'
import { TokenDay } from '../shared/refs.ts'
import { tokenInfo } from '../shared/token-info.ts'

TokenDay.implement({
  description: 'The market in one token on one UTC day. Days without events have no row.',
  fields: (t) => ({
    tokenInfo: t.field(tokenInfo('The token.')),
    day: t.expose('day', { type: 'DateTime', description: 'Start of the UTC day.' }),
    claimsRegistered: t.exposeInt('claimsRegistered', { description: 'Number of claims registered.' }),
    faceRegistered: t.expose('faceRegistered', {
      type: 'Amount',
      description: 'Face of the registered claims, base units.',
    }),
    executions: t.exposeInt('executions', { description: 'Number of executions.' }),
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
    deposited: t.expose('deposited', {
      type: 'AmountSum',
      description: 'Assets deposited in vaults, base units.',
    }),
    withdrawn: t.expose('withdrawn', {
      type: 'AmountSum',
      description: 'Assets withdrawn from vaults, base units.',
    }),
    faceRepaid: t.expose('faceRepaid', { type: 'Amount', description: 'Face repaid to vaults, base units.' }),
    discountEarned: t.expose('discountEarned', {
      type: 'Amount',
      description: 'Discount that vaults booked as gain, base units.',
    }),
  }),
})

const tokenDayList = defineDayListArguments(tokenDays, 'TokenDay')

const TokenDayConnection = builder.connectionObject(
  { type: TokenDay, name: 'TokenDayConnection', description: 'A page of days of tokens.' },
  { name: 'TokenDayEdge', description: 'A day and its cursor.' },
)

builder.queryField('tokenDays', (t) =>
  t.connection(
    {
      type: TokenDay,
      description: 'The market per token and UTC day. Default: earliest first.',
      args: tokenDayList.args,
      complexity: pageCost,
      ...listOf(tokenDays, tokenDayList),
    },
    TokenDayConnection,
  ),
)
