/** Figures per UTC day: of a token over the whole market, of one issuer's claims, and of one vault. */
import type { Source } from '../sql/source.ts'

export const tokenDays = {
  table: 'tokenDay',
  key: ['token', 'day'],
  columns: { token: 'hex', day: 'integer', faceFinanced: 'integer' },
  orders: { day: ['day', 'token'], faceFinanced: ['faceFinanced', 'token', 'day'] },
  parents: [],
} as const satisfies Source<'tokenDay'>

export const issuerDays = {
  table: 'issuerDay',
  key: ['issuer', 'token', 'day'],
  columns: { issuer: 'hex', token: 'hex', day: 'integer', faceFinanced: 'integer' },
  orders: { day: ['day', 'issuer', 'token'], faceFinanced: ['faceFinanced', 'issuer', 'token', 'day'] },
  parents: ['issuer'],
  unindexed: ['token'],
} as const satisfies Source<'issuerDay'>

export const vaultDays = {
  table: 'vaultDay',
  key: ['vault', 'day'],
  columns: { vault: 'hex', day: 'integer', token: 'hex', faceFinanced: 'integer' },
  orders: { day: ['day', 'vault'], faceFinanced: ['faceFinanced', 'vault', 'day'] },
  parents: ['vault'],
  unindexed: ['token'],
} as const satisfies Source<'vaultDay'>
