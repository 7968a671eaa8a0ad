import { z } from '@hono/zod-openapi'
import { address, addressInput } from '../../domain/address.ts'
import { tokenDecimals } from '../../domain/integer.ts'
import { PAGE_LIMIT_MAX } from '../../domain/limits.ts'
import { money, signedMoney } from '../../domain/money.ts'
import { claim } from '../claims/claims.routes.ts'
import { finalizedThrough, okRead } from '../shared/answer.ts'
import { asOfProblems } from '../shared/as-of.ts'
import { defineRoute } from '../shared/define-route.ts'
import { nextCursor, pageQuery } from '../shared/pagination.ts'
import { problems, readProblems } from '../shared/problems.ts'
import { tokenInfo, tokenText } from '../shared/token-info.ts'

const balance = z
  .object({
    token: address,
    symbol: tokenText,
    name: tokenText,
    decimals: tokenDecimals.openapi({
      description: 'Decimals of the token: 10^decimals base units are one whole token.',
    }),
    balance: money,
  })
  .openapi('Balance')

const position = z
  .object({
    vault: address,
    shares: money.openapi({ description: "Base units of the vault's shares." }),
    assets: money.openapi({
      description: 'Value of the shares at the finalized block of the answer, base units of the token.',
    }),
    withdrawableNow: money.openapi({
      description: 'Part of `assets` that the idle assets of the vault cover at this block.',
    }),
    costBasis: money.openapi({
      description: 'Cost of the shares: the assets deposited for them, at average cost.',
    }),
    realizedGain: signedMoney.openapi({
      description:
        'Assets withdrawn so far less the cost of the shares redeemed for them. Negative after losses.',
    }),
    unrealizedGain: signedMoney.openapi({
      description: '`assets` less `costBasis`. Negative after losses.',
    }),
  })
  .openapi('VaultPosition')

const credit = z
  .object({ token: address, tokenInfo, amount: money.openapi({ description: 'Base units.' }) })
  .openapi('Credit')

export const account = z
  .object({
    wallet: address,
    balances: z.array(balance).openapi({
      description:
        'Balances of all tokens of the deployment, read from the chain at the finalized block of the answer.',
    }),
    claims: z
      .object({ items: z.array(claim).max(PAGE_LIMIT_MAX), nextCursor })
      .openapi({ description: 'A page of the claims that the wallet owns, newest first.' }),
    positions: z
      .array(position)
      .max(PAGE_LIMIT_MAX)
      .openapi({
        description: `Vault shares of the wallet with value, cost and gains, ordered by vault, at most ${PAGE_LIMIT_MAX}. GraphQL has further pages.`,
      }),
    credits: z.array(credit).openapi({
      description:
        'Credits by token: amounts that the router holds because a settlement could not pay the wallet. `POST /credits/withdrawal/prepare` prepares a withdrawal.',
    }),
    finalizedThrough,
  })
  .openapi('Account')

export const getAccount = defineRoute(
  { access: 'public', limit: 'default', minBlock: 'projection', isConditional: true },
  {
    method: 'get',
    path: '/account/{wallet}',
    tags: ['Reads'],
    operationId: 'getAccount',
    summary: 'Read a wallet: token balances, claims and vault shares',
    description:
      'A wallet that was never used on chain has zero balances and empty lists. `limit` and `cursor` page the claims.',
    request: { params: z.object({ wallet: addressInput }), query: pageQuery },
    responses: { ...okRead('The account.', account), ...problems(...readProblems, ...asOfProblems) },
  },
)
