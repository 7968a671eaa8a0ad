import { sql } from 'kysely'
import { addUp, capitalChanges, column, ONE, repaid } from './additions.ts'
import type { Rollup } from './rollup.ts'

const FIGURES = [
  'claimsRegistered',
  'faceRegistered',
  'executions',
  'faceFinanced',
  'advanced',
  'settlements',
  'faceSettled',
  'deposited',
  'withdrawn',
  'faceRepaid',
  'discountEarned',
]

/** Sums of claims, executions, settlements, changes of capital and repaid allocations of a token on a day. */
export const tokenDay: Rollup = {
  name: 'tokenDay',
  key: ['token', 'day'],
  isDaily: true,
  figures: FIGURES,
  expected: (tables, days) =>
    addUp(
      ['token'],
      FIGURES,
      [
        {
          from: tables('claim'),
          at: 'registeredAt',
          adds: { claimsRegistered: ONE, faceRegistered: column('faceValue') },
        },
        {
          from: tables('execution'),
          at: 'at',
          adds: { executions: ONE, faceFinanced: column('totalFace'), advanced: column('totalAdvance') },
        },
        {
          from: tables('settlement'),
          at: 'at',
          adds: { settlements: ONE, faceSettled: column('faceValue') },
        },
        {
          from: capitalChanges(tables, days),
          at: 'at',
          adds: {
            deposited: sql`case kind when 'DEPOSIT' then amount else 0 end`,
            withdrawn: sql`case kind when 'WITHDRAWAL' then amount else 0 end`,
            faceRepaid: sql`case kind when 'REPAYMENT' then amount else 0 end`,
          },
        },
        { from: repaid(tables), at: 'at', adds: { discountEarned: sql`face_amount - advance_amount` } },
      ],
      days,
    ),
}
