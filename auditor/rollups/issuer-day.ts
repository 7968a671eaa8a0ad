import { sql } from 'kysely'
import { addUp, capitalChanges, column, ONE, REPAID } from './additions.ts'
import type { Rollup } from './rollup.ts'

const FIGURES = [
  'claimsRegistered',
  'faceRegistered',
  'allocations',
  'faceFinanced',
  'advanced',
  'settlements',
  'faceSettled',
  'vaultsAmount',
  ...Object.keys(REPAID),
]

/** Sums of claims, allocations, settlements and repayments of an issuer's claims in a token on a day. */
export const issuerDay: Rollup = {
  name: 'issuerDay',
  key: ['issuer', 'token', 'day'],
  figures: FIGURES,
  expected: (tables, days) =>
    addUp(
      ['issuer', 'token'],
      FIGURES,
      [
        {
          from: tables('claim'),
          at: 'registeredAt',
          adds: { claimsRegistered: ONE, faceRegistered: column('faceValue') },
        },
        {
          from: tables('allocation'),
          at: 'fundedAt',
          adds: { allocations: ONE, faceFinanced: column('faceAmount'), advanced: column('advanceAmount') },
        },
        {
          from: tables('settlement'),
          at: 'at',
          adds: { settlements: ONE, faceSettled: column('faceAmount'), vaultsAmount: column('vaultsAmount') },
        },
        {
          from: capitalChanges(tables, days),
          at: 'at',
          where: sql`kind = 'REPAYMENT'`,
          adds: REPAID,
        },
      ],
      days,
    ),
}
