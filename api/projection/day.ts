/** Figures per UTC day: of a token over the whole market, and of one vault. */
import type { Row, Source } from './source.ts'

export type TokenDayRow = Row<'tokenDay'>
export type VaultDayRow = Row<'vaultDay'>

export const tokenDays = {
  table: 'tokenDay',
  columns: { token: 'hex', day: 'integer' },
  orders: { day: ['day', 'token'] },
} as const satisfies Source<'tokenDay'>

export const vaultDays = {
  table: 'vaultDay',
  columns: { vault: 'hex', day: 'integer' },
  orders: { day: ['day', 'vault'] },
} as const satisfies Source<'vaultDay'>
