import { claims } from '../../../projection/tables/claim.ts'
import { settlements } from '../../../projection/tables/settlement.ts'
import { asOfArgs } from '../../kit/as-of.ts'
import { builder } from '../../kit/builder.ts'
import { defineFilter } from '../../kit/filter.ts'
import { byAmount, defineListArguments, listOf, listOfEach, listUnder, pageCost } from '../../kit/lists.ts'
import { accountAt, refersTo } from '../../kit/reads.ts'
import { Account, Claim, Settlement } from '../shared/refs.ts'
import { tokenInfo } from '../shared/token-info.ts'

Settlement.implement({
  description:
    'A payment of a claim, whole or in part: to the vaults that financed it, and the rest to the beneficiary. A claim is settled once its whole face is paid.',
  fields: (t) => ({
    claim: t.field({ type: Claim, description: 'The claim that was paid.', ...refersTo('claimId', claims) }),
    payer: t.field({ type: Account, description: 'Payer.', ...accountAt('payer') }),
    beneficiary: t.field({
      type: Account,
      description: 'Receiver of the unfinanced rest.',
      ...accountAt('beneficiary'),
    }),
    tokenInfo: t.field(tokenInfo('Token of the payment.')),
    faceAmount: t.expose('faceAmount', { type: 'Amount', description: 'Face paid, base units.' }),
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
  faceAmount: { column: 'faceAmount', type: 'Amount', compare: 'number', words: 'The face paid' },
  settledAt: { column: 'at', type: 'DateTime', compare: 'number', words: 'The block time' },
})

export const settlementList = defineListArguments(settlements, 'Settlement', {
  noun: 'settlements',
  filter: SettlementFilter,
  orders: {
    settledAt: { by: 'at', words: 'Time of payment.' },
    faceAmount: byAmount('faceAmount', 'Face paid, in base units'),
  },
  defaults: { orderBy: 'at', direction: 'desc' },
})

export const SettlementConnection = builder.connectionObject(
  { type: Settlement, name: 'SettlementConnection', description: 'A page of settlements.' },
  { name: 'SettlementEdge', description: 'A settlement and its cursor.' },
)

export const settlementsOfClaim = listUnder(settlements, settlementList, (claim) => ({
  claimId: claim.column('id'),
}))
export const settlementsOfPayer = listOfEach(settlements, 'payer', settlementList)
export const settlementsOfBeneficiary = listOfEach(settlements, 'beneficiary', settlementList)

builder.queryField('settlements', (t) =>
  t.connection(
    {
      type: Settlement,
      description: 'Settlements. Default: newest first.',
      args: { ...settlementList.args, ...asOfArgs },
      complexity: pageCost,
      ...listOf(settlements, settlementList),
    },
    SettlementConnection,
  ),
)
