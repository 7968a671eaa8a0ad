import { isMatured, remainingFace, slicesRemaining } from '../../domain/claim.ts'
import { SECONDS_PER_DAY } from '../../domain/limits.ts'
import { readAllocationsOfClaims } from '../../projection/allocation.ts'
import { claims } from '../../projection/claim.ts'
import { readLegsOfClaims } from '../../projection/execution.ts'
import { readSettlementsOfClaims } from '../../projection/settlement.ts'
import { builder } from '../builder.ts'
import { pageCost } from '../connection.ts'
import { batched } from '../context.ts'
import { defineFilter } from '../filter.ts'
import { type ListArgs, listAll, listOfParent } from '../lists.ts'
import { ClaimState, OrderDirection } from './enums.ts'
import { Account, Allocation, Claim, ExecutionLeg, Issuer, Settlement } from './refs.ts'

const allocationsOfClaim = batched((snapshot, ids) => readAllocationsOfClaims(snapshot, ids))
const legsOfClaim = batched((snapshot, ids) => readLegsOfClaims(snapshot, ids))
const settlementOfClaim = batched((snapshot, ids) => readSettlementsOfClaims(snapshot, ids))

Claim.implement({
  description: 'A claim on a future payment, attested by an issuer and owned by its beneficiary.',
  fields: (t) => ({
    claimId: t.field({
      type: 'Hash',
      description: 'Identifier, derived on-chain from the attestation.',
      resolve: (claim) => claim.id,
    }),
    issuer: t.field({
      type: Issuer,
      description: 'Who attested the claim.',
      resolve: (claim) => claim.issuer,
    }),
    beneficiary: t.field({
      type: Account,
      description: 'The wallet that owns the claim.',
      resolve: (claim) => ({ address: claim.beneficiary }),
    }),
    token: t.expose('token', { type: 'Address', description: 'The token that the claim is paid in.' }),
    faceValue: t.expose('faceValue', {
      type: 'Amount',
      description: 'What is due, in base units of the token.',
    }),
    financedFaceValue: t.expose('financedFaceValue', {
      type: 'Amount',
      description: 'Face that vaults have financed.',
    }),
    remainingFace: t.field({
      type: 'Amount',
      description: 'Face that no vault has financed yet: faceValue less financedFaceValue.',
      resolve: (claim) => remainingFace(claim),
    }),
    dueDate: t.field({
      type: 'DateTime',
      description: 'When the face is due.',
      resolve: (claim) => claim.dueAt,
    }),
    dueDateUnix: t.field({
      type: 'SafeInt',
      description: 'The due date as the chain holds it, in Unix seconds.',
      resolve: (claim) => claim.dueAt,
    }),
    matured: t.boolean({
      description: 'Whether the claim is due, at the time of the finalized block that was read.',
      resolve: async (claim, _, { operation }) =>
        isMatured(claim, (await operation.snapshot()).finalizedThrough.timestamp),
    }),
    daysToDue: t.field({
      type: 'SafeInt',
      nullable: true,
      description:
        'Whole days to the due date at the time of the finalized block that was read; null once matured.',
      resolve: async (claim, _, { operation }) => {
        const now = (await operation.snapshot()).finalizedThrough.timestamp
        return isMatured(claim, now) ? null : (claim.dueAt - now) / SECONDS_PER_DAY
      },
    }),
    claimType: t.exposeInt('claimType', {
      description: 'Index of the claim type, 0 to 255; vaults price and refuse by it.',
    }),
    sliceCount: t.exposeInt('sliceCount', { description: 'Slices used already.' }),
    slicesRemaining: t.int({
      description: 'Slices that can still be financed, of 8.',
      resolve: (claim) => slicesRemaining(claim),
    }),
    state: t.expose('state', { type: ClaimState, description: 'Where the claim is in its life.' }),
    documentHash: t.expose('documentHash', {
      type: 'Hash',
      description: 'Hash of the document behind the claim.',
    }),
    registeredAt: t.expose('registeredAt', {
      type: 'DateTime',
      description: 'When the claim was registered.',
    }),
    registeredBlock: t.expose('registeredBlock', {
      type: 'SafeInt',
      description: 'The block of the registration.',
    }),
    registrationTransaction: t.field({
      type: 'Hash',
      description: 'The transaction of the registration.',
      resolve: (claim) => claim.registeredTx,
    }),
    changedAt: t.expose('changedAt', { type: 'DateTime', description: 'When the claim last changed.' }),
    allocations: t.field({
      type: [Allocation],
      description: 'Who financed what part, by slice; at most 8.',
      resolve: (claim, _, { operation }) => allocationsOfClaim(operation, claim.id, null),
    }),
    legs: t.field({
      type: [ExecutionLeg],
      description: 'The legs of executions that financed the claim, by slice; at most 8.',
      resolve: (claim, _, { operation }) => legsOfClaim(operation, claim.id, null),
    }),
    settlement: t.field({
      type: Settlement,
      nullable: true,
      description: 'How the claim was paid; null until it is.',
      resolve: (claim, _, { operation }) => settlementOfClaim(operation, claim.id, null),
    }),
  }),
})

export const ClaimFilter = defineFilter<keyof typeof claims.columns>('ClaimFilter', 'claims', {
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
})

const ClaimOrderBy = builder.enumType('ClaimOrderBy', {
  description: 'What claims are ordered by; equal ones by claim id.',
  values: {
    registeredAt: { description: 'Time of registration.' },
    dueDate: { value: 'dueAt', description: 'Due date.' },
    faceValue: { description: 'Face value in base units; meant for one token at a time.' },
  } as const,
})

export const claimListArgs = builder.args((t) => ({
  filter: t.field({ type: ClaimFilter.ref, description: 'Which claims; all of them without.' }),
  orderBy: t.field({
    type: ClaimOrderBy,
    required: true,
    defaultValue: 'registeredAt',
    description: 'What to order by.',
  }),
  orderDirection: t.field({
    type: OrderDirection,
    required: true,
    defaultValue: 'desc',
    description: 'In which direction.',
  }),
}))

type Args = {
  filter?: Parameters<typeof ClaimFilter.toFilter>[0]
  orderBy: keyof typeof claims.orders
  orderDirection: 'asc' | 'desc'
}

export function toClaimList({ filter, orderBy, orderDirection }: Args): ListArgs<typeof claims> {
  return { filter: ClaimFilter.toFilter(filter), orderBy, direction: orderDirection }
}

export const ClaimConnection = builder.connectionObject(
  { type: Claim, name: 'ClaimConnection', description: 'A page of claims.' },
  { name: 'ClaimEdge', description: 'A claim and where it stands in the list.' },
)

export const claimsOfBeneficiary = listOfParent(claims, 'beneficiary')
export const claimsOfIssuer = listOfParent(claims, 'issuer')

builder.queryFields((t) => ({
  claim: t.field({
    type: Claim,
    nullable: true,
    description: 'The claim of this id; null where there is none.',
    args: { claimId: t.arg({ type: 'Hash', required: true, description: 'Its id.' }) },
    resolve: (_, { claimId }) => claimId,
  }),
  claims: t.connection(
    {
      type: Claim,
      description: 'Claims, newest first unless told otherwise.',
      args: claimListArgs,
      complexity: pageCost,
      resolve: (_, args, { operation }) => listAll(operation, claims, args, toClaimList(args)),
    },
    ClaimConnection,
  ),
}))
