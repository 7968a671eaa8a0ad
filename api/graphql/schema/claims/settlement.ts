import { claims } from '../../../projection/tables/claim.ts'
import { settlements } from '../../../projection/tables/settlement.ts'
import { builder } from '../../kit/builder.ts'
import { defineFilter } from '../../kit/filter.ts'
import { byAmount, defineListArguments, listOf, listOfEach, pageCost } from '../../kit/lists.ts'
import { accountAt, refersTo, rowAt } from '../../kit/reads.ts'
import { Account, Claim, Settlement } from '../shared/refs.ts'
import { tokenInfo } from '../shared/token-info.ts'

Settlement.implement({
  description:
    'The payment of a matured claim: each financed part to its vault, the rest to the beneficiary.',
  fields: (t) => ({
    claim: t.field({ type: Claim, description: 'The claim that was paid.', ...refersTo('claimId', claims) }),
    payer: t.field({ type: Account, description: 'Payer.', ...accountAt('payer') }),
    beneficiary: t.field({
      type: Account,
      description: 'Receiver of the unfinanced rest.',
      ...accountAt('beneficiary'),
    }),
    tokenInfo: t.field(tokenInfo('Token of the payment.')),
    faceValue: t.expose('faceValue', { type: 'Amount', description: 'Amount paid, base units.' }),
    vaultsAmount: t.expose('vaultsAmount', {
      type: 'Amount',
      description: 'Amount paid to the vaults that financed the claim, base units.',
    }),
    beneficiaryAmount: t.expose('beneficiaryAmount', {
      type: 'Amount',
      description: 'Unfinanced rest paid to the beneficiary, base units.',
    }),
    settledAt: t.expose('at', { type: 'DateTime', description: 'Time of payment.' }),
    blockNumber: t.expose('block', { type: 'SafeInt', description: 'Block number of the payment.' }),
    transactionHash: t.expose('tx', { type: 'Hash', description: 'Transaction of the payment.' }),
  }),
})

export const SettlementFilter = defineFilter(settlements, 'SettlementFilter', 'settlements', {
  claimId: { column: 'claimId', type: 'Hash', compare: 'key', words: 'The claim id' },
  payer: { column: 'payer', type: 'Address', compare: 'key', words: 'The payer' },
  beneficiary: { column: 'beneficiary', type: 'Address', compare: 'key', words: 'The beneficiary' },
  token: { column: 'token', type: 'Address', compare: 'key', words: 'The token' },
  issuer: { column: 'issuer', type: 'Address', compare: 'key', words: "The claim's issuer" },
  claimType: { column: 'claimType', type: 'Int', compare: 'number', words: "The claim's type" },
  faceValue: { column: 'faceValue', type: 'Amount', compare: 'number', words: 'The face value' },
  settledAt: { column: 'at', type: 'DateTime', compare: 'number', words: 'The block time' },
})

export const settlementList = defineListArguments<typeof settlements>('Settlement', {
  noun: 'settlements',
  filter: SettlementFilter,
  orders: {
    settledAt: { by: 'at', words: 'Time of payment.' },
    faceValue: byAmount('faceValue', 'Face value in base units'),
  },
  defaults: { orderBy: 'at', direction: 'desc' },
})

export const SettlementConnection = builder.connectionObject(
  { type: Settlement, name: 'SettlementConnection', description: 'A page of settlements.' },
  { name: 'SettlementEdge', description: 'A settlement and its cursor.' },
)

export const settlementsOfPayer = listOfEach(settlements, 'payer', settlementList)
export const settlementsOfBeneficiary = listOfEach(settlements, 'beneficiary', settlementList)

builder.queryFields((t) => ({
  settlement: t.field({
    type: Settlement,
    nullable: true,
    description: 'The settlement of the claim with this id; null until it is settled.',
    args: { claimId: t.arg({ type: 'Hash', required: true, description: 'Id of the claim.' }) },
    ...rowAt(settlements, 'claimId'),
  }),
  settlements: t.connection(
    {
      type: Settlement,
      description: 'Settlements. Default: newest first.',
      args: settlementList.args,
      complexity: pageCost,
      ...listOf(settlements, settlementList),
    },
    SettlementConnection,
  ),
}))
