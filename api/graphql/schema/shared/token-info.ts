/** The token of an object's amounts. */
import { tokens } from '../../../projection/tables/token.ts'
import { refersTo } from '../../kit/reads.ts'
import { Token } from './refs.ts'

const { resolve, extensions } = refersTo('token', tokens)

/** Exports name the address as REST does. */
export const TOKEN_READ = { resolve, extensions: { ...extensions, exportedAs: 'token' } }

/** For `t.field(…)`: the token of a row that has its address. Every token of a row was listed before. */
export function tokenInfo(description: string) {
  return { type: Token, description, ...TOKEN_READ }
}

/** A field for the token of amounts whose address can be any that the caller gave. */
export const tokenOfAmounts = {
  type: Token,
  nullable: true as const,
  description: 'Token of the amounts; null for a token that was never listed.',
  ...refersTo('token', tokens),
}
