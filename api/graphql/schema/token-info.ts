/** The token of an object's amounts: its address, which is all that the first release had, and the token itself. */
import { tokens } from '../../projection/token.ts'
import { refersTo } from '../reads.ts'
import { Token } from './refs.ts'

export const TOKEN_DEPRECATED =
  'Use `tokenInfo { address }`, which also has the symbol, name and decimals that amounts are shown with.'

/** For `t.expose('token', …)`. */
export function tokenAddress(description: string) {
  return { type: 'Address' as const, description, deprecationReason: TOKEN_DEPRECATED }
}

const { resolve, extensions } = refersTo('token', tokens)

/** Exports have the address as their column `token`. */
export const TOKEN_READ = { resolve, extensions: { ...extensions, isColumn: false } }

/** For `t.field(…)`: the token of a row that has its address. Every token of a row was listed before. */
export function tokenInfo(description: string) {
  return { type: Token, description, ...TOKEN_READ }
}

/** The same where the address can be any that the caller gave. */
export const tokenOfAmounts = {
  type: Token,
  nullable: true as const,
  description: 'Token of the amounts; null if it was never listed.',
  resolve: ({ token }: { readonly token: string }) => token,
}
