import { tokens } from '../../../projection/tables/token.ts'
import { builder } from '../../kit/builder.ts'
import { defineListArguments } from '../../kit/define-list-arguments.ts'
import { defineFilter } from '../../kit/filter.ts'
import { listOf } from '../../kit/list-reads.ts'
import { rowAt } from '../../kit/reads.ts'
import { Token } from '../shared/refs.ts'

Token.implement({
  description:
    'A token in which claims are paid. Symbol, name and decimals are what it answered when an operator first listed it.',
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
      description: 'Whether claims can be registered and vaults be created in it.',
    }),
    addedAt: t.expose('addedAt', {
      type: 'DateTime',
      description: 'Time at which the registry first listed it.',
    }),
    changedAt: t.expose('changedAt', {
      type: 'DateTime',
      description: 'Time at which it was last listed or delisted.',
    }),
  }),
})

const TokenFilter = defineFilter(tokens, 'TokenFilter', 'tokens', {
  address: { column: 'address', type: 'Address', compare: 'key', words: 'The address' },
  listed: { column: 'listed', type: 'Boolean', compare: 'flag', words: 'Whether it is listed' },
  addedAt: { column: 'addedAt', type: 'DateTime', compare: 'number', words: 'The time it was added' },
})

const tokenList = defineListArguments<typeof tokens>('Token', {
  noun: 'tokens',
  filter: TokenFilter,
  orders: {
    address: { by: 'address', words: 'Address.' },
    addedAt: { by: 'addedAt', words: 'Time at which the registry first listed it.' },
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
    description: 'The token at this address; null where none was ever listed.',
    args: { address: t.arg({ type: 'Address', required: true, description: 'Address.' }) },
    ...rowAt(tokens, 'address'),
  }),
  tokens: t.connection(
    {
      type: Token,
      description: 'Tokens. Default: by address. Includes delisted ones; filter by `listed`.',
      args: tokenList.args,
      complexity: tokenList.cost,
      ...listOf(tokens, tokenList),
    },
    TokenConnection,
  ),
}))
