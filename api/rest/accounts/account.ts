import type { z } from '@hono/zod-openapi'
import type { Address } from 'viem'
import { PAGE_LIMIT_MAX } from '../../domain/limits.ts'
import { CLAIM, presentClaim, type SelectedClaim } from '../claims/claims.ts'
import { asOfVariable } from '../shared/as-of.ts'
import { PAGE_INFO, presentPage, type SelectedPage } from '../shared/pagination.ts'
import { answerRead, createDocumentReader, type ReadDeps } from '../shared/read.ts'
import { createRouter } from '../shared/router.ts'
import { TOKEN_INFO } from '../shared/token-info.ts'
import { type account as answer, getAccount } from './account.routes.ts'

type Answer = z.output<typeof answer>

type SelectedPosition = Omit<Answer['positions'][number], 'vault'> & { vault: { address: Address } }

type Data = {
  readonly account: {
    readonly balances: Answer['balances']
    readonly claims: SelectedPage<SelectedClaim>
    readonly positions: { readonly nodes: readonly SelectedPosition[] }
    readonly credits: readonly Omit<Answer['credits'][number], 'token'>[]
  }
}

const readAccount =
  createDocumentReader<Data>(`query ($wallet: Address!, $limit: Int!, $cursor: String, $asOf: AsOf) {
  account(address: $wallet, asOf: $asOf) {
    balances { token symbol name decimals balance }
    claims(first: $limit, after: $cursor) { nodes { ${CLAIM} } ${PAGE_INFO} }
    positions(first: ${PAGE_LIMIT_MAX}) { nodes {
      vault { address } shares assets withdrawableNow costBasis realizedGain unrealizedGain
    } }
    credits { ${TOKEN_INFO} amount }
  }
}`)

export function account(deps: ReadDeps) {
  return createRouter().openapi(getAccount, (c) => {
    const { wallet } = c.req.valid('param')
    const query = c.req.valid('query')
    return answerRead(
      c,
      deps,
      (reader) => readAccount(reader, { wallet, ...query, asOf: asOfVariable(query) }),
      ({ account: { balances, claims, positions, credits } }) => ({
        wallet,
        balances,
        claims: presentPage(claims, presentClaim),
        positions: positions.nodes.map((position) => ({ ...position, vault: position.vault.address })),
        credits: credits.map((credit) => ({ token: credit.tokenInfo.address, ...credit })),
      }),
    )
  })
}
