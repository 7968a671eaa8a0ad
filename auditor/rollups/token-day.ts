import { addUp, capitalChanges, column, DEPOSITED_AND_WITHDRAWN, ONE, REPAID } from './additions.ts'
import type { Rollup } from './rollup.ts'

const FIGURES = [
  'claimsRegistered',
  'faceRegistered',
  'executions',
  'faceFinanced',
  'advanced',
  'settlements',
  'faceSettled',
  ...Object.keys(DEPOSITED_AND_WITHDRAWN),
  ...Object.keys(REPAID),
]

/** Sums of claims, executions, settlements, and changes of capital of a token on a day. */
export const tokenDay: Rollup = {
  name: 'tokenDay',
  key: ['token', 'day'],
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
          adds: { settlements: ONE, faceSettled: column('faceAmount') },
        },
        {
          from: capitalChanges(tables, days),
          at: 'at',
          adds: { ...DEPOSITED_AND_WITHDRAWN, ...REPAID },
        },
      ],
      days,
    ),
}
