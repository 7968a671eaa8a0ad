import type { Group } from '../../../projection/sql/aggregate.ts'
import { claimGroups } from '../../../projection/tables/aggregates.ts'
import { issuers } from '../../../projection/tables/issuer.ts'
import { asOfArgs } from '../../kit/as-of.ts'
import { builder } from '../../kit/builder.ts'
import { defineGroupArguments } from '../../kit/define-group-arguments.ts'
import { byAmount } from '../../kit/lists.ts'
import { accountAt, refersTo } from '../../kit/reads.ts'
import {
  aggregateCost,
  amountField,
  COUNT,
  groupsOf,
  keyField,
  sumDifference,
  TOKEN_KEY,
} from '../shared/aggregate.ts'
import { ClaimState } from '../shared/enums.ts'
import { claimTypeLabel } from '../shared/labels.ts'
import { Account, Issuer } from '../shared/refs.ts'
import { tokenInfo } from '../shared/token-info.ts'
import { ClaimFilter } from './claim.ts'

const ClaimGroup = builder.objectRef<Group<typeof claimGroups>>('ClaimGroup').implement({
  description: 'Sums of the claims of one token with equal values of the groupings.',
  fields: (t) => ({
    tokenInfo: t.field(tokenInfo(TOKEN_KEY)),
    state: t.expose('state', keyField(ClaimState, 'State of the claims')),
    issuer: t.field({ ...keyField(Issuer, 'Issuer of the claims'), ...refersTo('issuer', issuers) }),
    beneficiary: t.field({
      ...keyField(Account, 'The wallet that owns the claims'),
      ...accountAt('beneficiary'),
    }),
    claimType: t.expose('claimType', keyField('Int', 'Type of the claims')),
    claimTypeLabel: t.string(claimTypeLabel),
    registeredDay: t.expose('registeredDay', keyField('DateTime', 'Start of the UTC day of registration')),
    registeredWeek: t.expose(
      'registeredWeek',
      keyField('DateTime', 'Monday of the UTC week of registration'),
    ),
    registeredMonth: t.expose(
      'registeredMonth',
      keyField('DateTime', 'First day of the UTC month of registration'),
    ),
    dueDay: t.expose('dueDay', keyField('DateTime', 'Start of the UTC day of the due date')),
    dueWeek: t.expose('dueWeek', keyField('DateTime', 'Monday of the UTC week of the due date')),
    dueMonth: t.expose('dueMonth', keyField('DateTime', 'First day of the UTC month of the due date')),
    count: t.expose('count', COUNT),
    faceValue: t.field(amountField('faceValue', 'Face value, base units.')),
    financedFaceValue: t.field(
      amountField('financedFaceValue', 'Face that vaults have financed, base units.'),
    ),
    remainingFace: t.field({
      type: 'AmountSum',
      description: 'Sum of the face that is not financed, base units.',
      ...sumDifference('faceValue', 'financedFaceValue'),
    }),
  }),
})

const groups = defineGroupArguments<typeof claimGroups>('Claim', {
  noun: 'claims',
  filter: ClaimFilter,
  groupBy: [
    ['state', 'State.'],
    ['issuer', 'Issuer.'],
    ['beneficiary', 'The wallet that owns the claims.'],
    ['claimType', 'Claim type.'],
    ['registeredDay', 'Day of registration, in UTC.'],
    ['registeredWeek', 'Week of registration, from Monday, in UTC.'],
    ['registeredMonth', 'Month of registration, in UTC.'],
    ['dueDay', 'Day of the due date, in UTC.'],
    ['dueWeek', 'Week of the due date, from Monday, in UTC.'],
    ['dueMonth', 'Month of the due date, in UTC.'],
  ],
  orders: {
    faceValue: byAmount('faceValue', 'Sum of face'),
    financedFaceValue: byAmount('financedFaceValue', 'Sum of financed face'),
  },
})

builder.queryField('claimAggregates', (t) =>
  t.connection(
    {
      type: ClaimGroup,
      description: 'Sums of claims by token and the groupings of `groupBy`. Default: one group per token.',
      args: { ...groups.args, ...asOfArgs },
      complexity: aggregateCost,
      ...groupsOf(claimGroups, groups),
    },
    { name: 'ClaimGroupConnection', description: 'A page of groups of claims.' },
    { name: 'ClaimGroupEdge', description: 'A group and its cursor.' },
  ),
)
