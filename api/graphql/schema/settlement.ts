import { settlements } from '../../projection/settlement.ts'
import { builder } from '../builder.ts'
import { pageCost } from '../connection.ts'
import { defineList } from '../define-list.ts'
import { defineFilter } from '../filter.ts'
import { listAll, listOfParent } from '../lists.ts'
import { Account, Claim, Settlement } from './refs.ts'

Settlement.implement({
  description:
    'The payment of a matured claim: every financed part to its vault, the rest to the beneficiary.',
  fields: (t) => ({
    claim: t.field({ type: Claim, description: 'The claim that was paid.', resolve: (row) => row.claimId }),
    payer: t.field({ type: Account, description: 'Who paid.', resolve: (row) => ({ address: row.payer }) }),
    beneficiary: t.field({
      type: Account,
      description: 'Who received the unfinanced rest.',
      resolve: (row) => ({ address: row.beneficiary }),
    }),
    token: t.expose('token', { type: 'Address', description: 'The token it was paid in.' }),
    faceValue: t.expose('faceValue', { type: 'Amount', description: 'What was paid.' }),
    vaultsAmount: t.expose('vaultsAmount', {
      type: 'Amount',
      description: 'Paid to the vaults that financed the claim.',
    }),
    beneficiaryAmount: t.expose('beneficiaryAmount', {
      type: 'Amount',
      description: 'The unfinanced rest, paid to the beneficiary.',
    }),
    settledAt: t.expose('at', { type: 'DateTime', description: 'When it was paid.' }),
    blockNumber: t.expose('block', { type: 'SafeInt', description: 'The block it was paid in.' }),
    transactionHash: t.expose('tx', { type: 'Hash', description: 'The transaction it was paid in.' }),
  }),
})

export const SettlementFilter = defineFilter<keyof typeof settlements.columns>(
  'SettlementFilter',
  'settlements',
  {
    claimId: { column: 'claimId', type: 'Hash', compare: 'key', words: 'The claim id' },
    payer: { column: 'payer', type: 'Address', compare: 'key', words: 'The payer' },
    beneficiary: { column: 'beneficiary', type: 'Address', compare: 'key', words: 'The beneficiary' },
    token: { column: 'token', type: 'Address', compare: 'key', words: 'The token' },
    issuer: { column: 'issuer', type: 'Address', compare: 'key', words: "The claim's issuer" },
    claimType: { column: 'claimType', type: 'Int', compare: 'number', words: "The claim's type" },
    faceValue: { column: 'faceValue', type: 'Amount', compare: 'number', words: 'The face value' },
    settledAt: { column: 'at', type: 'DateTime', compare: 'number', words: 'The time' },
  },
)

export const settlementList = defineList<typeof settlements>('Settlement', {
  noun: 'settlements',
  filter: SettlementFilter,
  orders: {
    settledAt: { by: 'at', words: 'Time.' },
    faceValue: { by: 'faceValue', words: 'Face value in base units; meant for one token at a time.' },
  },
  defaults: { orderBy: 'at', direction: 'desc' },
})

export const SettlementConnection = builder.connectionObject(
  { type: Settlement, name: 'SettlementConnection', description: 'A page of settlements.' },
  { name: 'SettlementEdge', description: 'A settlement and where it stands in the list.' },
)

export const settlementsOfPayer = listOfParent(settlements, 'payer')
export const settlementsOfBeneficiary = listOfParent(settlements, 'beneficiary')

builder.queryFields((t) => ({
  settlement: t.field({
    type: Settlement,
    nullable: true,
    description: 'The settlement of this claim; null where it is not settled.',
    args: { claimId: t.arg({ type: 'Hash', required: true, description: 'Id of the claim.' }) },
    resolve: (_, { claimId }) => claimId,
  }),
  settlements: t.connection(
    {
      type: Settlement,
      description: 'Settlements. Default: newest first.',
      args: settlementList.args,
      complexity: pageCost,
      resolve: (_, args, { operation }) => listAll(operation, settlements, args, settlementList.read(args)),
    },
    SettlementConnection,
  ),
}))
