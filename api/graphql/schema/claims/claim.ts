import { sql } from 'kysely'
import { MAX_SLICES_PER_CLAIM } from '../../../domain/limits.ts'
import { DAY } from '../../../projection/sql/period.ts'
import type { Scope } from '../../../projection/sql/scope.ts'
import { ACTIVITY_OF_CLAIM_MAX, activityOfClaim } from '../../../projection/tables/activity.ts'
import { allocationsOfClaim } from '../../../projection/tables/allocation.ts'
import { claims } from '../../../projection/tables/claim.ts'
import { legsOfClaim } from '../../../projection/tables/execution.ts'
import { issuers } from '../../../projection/tables/issuer.ts'
import { asOfArgs } from '../../kit/as-of.ts'
import { builder } from '../../kit/builder.ts'
import { defineFilter } from '../../kit/filter.ts'
import { byAmount, defineListArguments, listOf, listOfEach, pageCost } from '../../kit/lists.ts'
import { accountAt, computed, difference, refersTo, rowAt, rowsOf } from '../../kit/reads.ts'
import { ClaimState } from '../shared/enums.ts'
import { claimTypeLabel } from '../shared/labels.ts'
import { Account, Activity, Allocation, Claim, ExecutionLeg, Issuer, Settlement } from '../shared/refs.ts'
import { tokenInfo } from '../shared/token-info.ts'
import { claimConditions } from './claim-conditions.ts'
import { SettlementConnection, settlementList, settlementsOfClaim } from './settlement.ts'

/** As the functions of `domain/claim.ts`. */
const matured = (claim: Scope) => sql`${claim.column('dueAt')} <= ${claim.now}`
const overdue = (claim: Scope) => sql`
  case when ${claim.column('state')} in ('PARTIALLY_FUNDED', 'FULLY_FUNDED', 'CLOSED') and ${claim.column('dueAt')} < ${claim.now}
    then ${claim.column('dueAt')} end`
const daysToDue = (claim: Scope) => sql`
  case when ${claim.column('dueAt')} > ${claim.now}
    then div(${claim.column('dueAt')} - ${claim.now}, ${DAY}) end`

Claim.implement({
  description: 'A claim on a future payment, attested by an issuer and owned by its beneficiary.',
  fields: (t) => ({
    claimId: t.expose('id', {
      type: 'Hash',
      description: 'Identifier, derived on chain from the attestation.',
    }),
    issuer: t.field({
      type: Issuer,
      description: 'The issuer that attested the claim.',
      ...refersTo('issuer', issuers),
    }),
    beneficiary: t.field({
      type: Account,
      description: 'The wallet that owns the claim.',
      ...accountAt('beneficiary'),
    }),
    tokenInfo: t.field(tokenInfo('Token in which the claim is paid.')),
    faceValue: t.expose('faceValue', {
      type: 'Amount',
      description: 'Face value, base units of the token.',
    }),
    financedFaceValue: t.expose('financedFaceValue', {
      type: 'Amount',
      description: 'Face that vaults have financed, base units.',
    }),
    paidFaceValue: t.expose('paidFaceValue', {
      type: 'Amount',
      description: 'Face that is paid, base units. The claim is settled once it is `faceValue`.',
    }),
    remainingFace: t.field({
      type: 'Amount',
      description: 'Face that is not financed: `faceValue` less `financedFaceValue`, base units.',
      ...difference('faceValue', 'financedFaceValue'),
    }),
    dueDate: t.expose('dueAt', {
      type: 'DateTime',
      description: 'Time at which the face is due.',
    }),
    dueDateUnix: t.expose('dueAt', {
      type: 'SafeInt',
      description: 'Due date, Unix seconds.',
    }),
    matured: t.boolean({
      description: 'Whether the claim is due at the time of the finalized block of this answer.',
      ...computed(matured),
    }),
    overdueSince: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'Due date of a claim that is overdue at the time of the finalized block of this answer: past due, financed, and not settled; else null.',
      ...computed(overdue),
    }),
    daysToDue: t.field({
      type: 'SafeInt',
      nullable: true,
      description:
        'Whole days to the due date at the time of the finalized block of this answer; null once matured.',
      ...computed(daysToDue),
    }),
    claimType: t.exposeInt('claimType', {
      description: 'Claim type, 0 to 255. Mandates and prices of vaults depend on it.',
    }),
    claimTypeLabel: t.string(claimTypeLabel),
    sliceCount: t.exposeInt('sliceCount', { description: 'Number of slices used, 0 to 8.' }),
    slicesRemaining: t.int({
      description: 'Number of slices that can still be financed, 0 to 8.',
      ...computed((claim) => sql`${sql.lit(MAX_SLICES_PER_CLAIM)} - ${claim.column('sliceCount')}`),
    }),
    state: t.expose('state', { type: ClaimState, description: 'State of the claim.' }),
    documentHash: t.expose('documentHash', {
      type: 'Hash',
      description: 'Hash of the document behind the claim.',
    }),
    registeredAt: t.expose('registeredAt', {
      type: 'DateTime',
      description: 'Time of registration.',
    }),
    registeredBlock: t.expose('registeredBlock', {
      type: 'SafeInt',
      description: 'Block number of the registration.',
    }),
    registrationTransaction: t.expose('registeredTx', {
      type: 'Hash',
      description: 'Transaction of the registration.',
    }),
    changedAt: t.expose('changedAt', {
      type: 'DateTime',
      description: 'Time of the last change of the claim.',
    }),
    allocations: t.field({
      type: [Allocation],
      description: 'Allocations of the claim, ordered by slice; at most 8.',
      ...rowsOf(allocationsOfClaim, 'id'),
    }),
    legs: t.field({
      type: [ExecutionLeg],
      description: 'Legs of executions that financed the claim, ordered by slice; at most 8.',
      ...rowsOf(legsOfClaim, 'id'),
    }),
    activity: t.field({
      type: [Activity],
      description: `Registration, revocation and settlements of the claim: one entry per event and role of a wallet. The first ${ACTIVITY_OF_CLAIM_MAX}; \`settlements\` has every payment.`,
      ...rowsOf(activityOfClaim, 'id'),
    }),
    settlements: t.connection(
      {
        type: Settlement,
        description: 'Payments of the claim. Default: newest first.',
        args: settlementList.args,
        complexity: pageCost,
        ...settlementsOfClaim,
      },
      SettlementConnection,
    ),
  }),
})

export const ClaimFilter = defineFilter(
  claims,
  'ClaimFilter',
  'claims',
  {
    claimId: { column: 'id', type: 'Hash', compare: 'key', words: 'The claim id' },
    issuer: { column: 'issuer', type: 'Address', compare: 'key', words: 'The issuer' },
    beneficiary: { column: 'beneficiary', type: 'Address', compare: 'key', words: 'The beneficiary' },
    token: { column: 'token', type: 'Address', compare: 'key', words: 'The token' },
    state: { column: 'state', type: ClaimState, compare: 'key', words: 'The state' },
    claimType: { column: 'claimType', type: 'Int', compare: 'number', words: 'The claim type' },
    faceValue: { column: 'faceValue', type: 'Amount', compare: 'number', words: 'The face value' },
    financedFaceValue: {
      column: 'financedFaceValue',
      type: 'Amount',
      compare: 'number',
      words: 'The financed face value',
    },
    sliceCount: { column: 'sliceCount', type: 'Int', compare: 'number', words: 'The number of slices used' },
    dueDate: { column: 'dueAt', type: 'DateTime', compare: 'number', words: 'The due date' },
    registeredAt: {
      column: 'registeredAt',
      type: 'DateTime',
      compare: 'number',
      words: 'The time of registration',
    },
    documentHash: { column: 'documentHash', type: 'Hash', compare: 'key', words: 'The document hash' },
  },
  claimConditions,
)

export const claimList = defineListArguments(claims, 'Claim', {
  noun: 'claims',
  filter: ClaimFilter,
  orders: {
    registeredAt: { by: 'registeredAt', words: 'Time of registration.' },
    dueDate: { by: 'dueAt', words: 'Due date.' },
    faceValue: byAmount('faceValue', 'Face value in base units'),
  },
  defaults: { orderBy: 'registeredAt', direction: 'desc' },
})

export const ClaimConnection = builder.connectionObject(
  { type: Claim, name: 'ClaimConnection', description: 'A page of claims.' },
  { name: 'ClaimEdge', description: 'A claim and its cursor.' },
)

export const claimsOfBeneficiary = listOfEach(claims, 'beneficiary', claimList)
export const claimsOfIssuer = listOfEach(claims, 'issuer', claimList)

builder.queryFields((t) => ({
  claim: t.field({
    type: Claim,
    nullable: true,
    description: 'The claim with this id; null if there is none.',
    args: { claimId: t.arg({ type: 'Hash', required: true, description: 'Id of the claim.' }), ...asOfArgs },
    ...rowAt(claims, 'claimId'),
  }),
  claims: t.connection(
    {
      type: Claim,
      description: 'Claims. Default: newest first.',
      args: { ...claimList.args, ...asOfArgs },
      complexity: pageCost,
      ...listOf(claims, claimList),
    },
    ClaimConnection,
  ),
}))
