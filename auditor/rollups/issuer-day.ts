import { sql } from 'kysely'
import { addUp, column, ONE, repaid } from './additions.ts'
import type { Rollup } from './rollup.ts'

const FIGURES = [
  'claimsRegistered',
  'faceRegistered',
  'allocations',
  'faceFinanced',
  'advanced',
  'settlements',
  'faceSettled',
  'vaultsSettled',
  'faceRepaid',
  'discountEarned',
]

/** Sums of claims, allocations and settlements of an issuer's claims in a token on a day. */
export const issuerDay: Rollup = {
  name: 'issuerDay',
  key: ['issuer', 'token', 'day'],
  isDaily: true,
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
          adds: {
            settlements: ONE,
            faceSettled: column('faceValue'),
            vaultsSettled: column('vaultsAmount'),
          },
        },
        {
          from: repaid(tables),
          at: 'at',
          adds: { faceRepaid: column('faceAmount'), discountEarned: sql`face_amount - advance_amount` },
        },
      ],
      days,
    ),
}
