import { tokens } from '../../../projection/tables/token.ts'
import { asOfArgs } from '../../kit/as-of.ts'
import { builder } from '../../kit/builder.ts'
import { defineFilter } from '../../kit/filter.ts'
import { defineListArguments, listOf, pageCost } from '../../kit/lists.ts'
import { rowAt } from '../../kit/reads.ts'
import { Token } from '../shared/refs.ts'

Token.implement({
  description:
    'A token in which claims are paid. Symbol, name and decimals are those that the contract of the token returned when an operator first listed it.',
  fields: (t) => ({
    address: t.expose('address', { type: 'Address', description: 'Address of the contract.' }),
    symbol: t.exposeString('symbol', {
      description: 'Symbol, at most 64 bytes; empty if the token has none.',
    }),
    name: t.exposeString('name', { description: 'Name, at most 64 bytes; empty if the token has none.' }),
    decimals: t.exposeInt('decimals', {
      description: 'Decimals of an amount: 10^decimals base units are one unit of the token. 0 to 36.',
    }),
    listed: t.exposeBoolean('listed', {
      description: 'Whether claims can be registered, and vaults created, in this token.',
    }),
    addedAt: t.expose('addedAt', {
      type: 'DateTime',
      description: 'Time of the first listing.',
    }),
    changedAt: t.expose('changedAt', {
      type: 'DateTime',
      description: 'Time of the last listing or delisting.',
    }),
  }),
})

const TokenFilter = defineFilter(tokens, 'TokenFilter', 'tokens', {
  address: { column: 'address', type: 'Address', compare: 'key', words: 'The address' },
  listed: { column: 'listed', type: 'Boolean', compare: 'flag', words: 'Whether the token is listed' },
  addedAt: { column: 'addedAt', type: 'DateTime', compare: 'number', words: 'The time of the first listing' },
})

const tokenList = defineListArguments(tokens, 'Token', {
  noun: 'tokens',
  filter: TokenFilter,
  orders: {
    address: { by: 'address', words: 'Address.' },
    addedAt: { by: 'addedAt', words: 'Time of the first listing.' },
  },
  defaults: { orderBy: 'address', direction: 'asc' },
})

const TokenConnection = builder.connectionObject(
  { type: Token, name: 'TokenConnection', description: 'A page of tokens.' },
  { name: 'TokenEdge', description: 'A token and its cursor.' },
)

builder.queryFields((t) => ({
  token: t.field({
    type: Token,
    nullable: true,
    description: 'The token at this address; null if none was ever listed.',
    args: { address: t.arg({ type: 'Address', required: true, description: 'Address.' }), ...asOfArgs },
    ...rowAt(tokens, 'address'),
  }),
  tokens: t.connection(
    {
      type: Token,
      description: 'Tokens, delisted ones included; filter by `listed`. Default: by address.',
      args: { ...tokenList.args, ...asOfArgs },
      complexity: pageCost,
      ...listOf(tokens, tokenList),
    },
    TokenConnection,
  ),
}))
