/** The token of amounts beside its address, as the projection has it. */
import { z } from '@hono/zod-openapi'
import { address } from '../domain/address.ts'
import { tokenDecimals } from '../domain/integer.ts'
import { TOKEN_TEXT_BYTES } from '../domain/limits.ts'
import type { Page } from '../projection/page.ts'
import type { Snapshot } from '../projection/snapshot.ts'
import { readTokensOf, type TokenRow } from '../projection/token.ts'

/** A text has at most as many characters as bytes. */
export const tokenText = z.string().max(TOKEN_TEXT_BYTES.max)

export const tokenInfo = z
  .object({
    address,
    symbol: tokenText.openapi({ description: 'Symbol, at most 64 bytes; empty if the token has none.' }),
    name: tokenText.openapi({ description: 'Name, at most 64 bytes; empty if the token has none.' }),
    decimals: tokenDecimals.openapi({
      description: 'Decimals of an amount: 10^decimals base units are one unit of the token. 0 to 36.',
    }),
  })
  .openapi('TokenInfo', {
    description: 'A token. Symbol, name and decimals are what it answered when an operator first listed it.',
  })

export type WithToken<R> = R & { readonly tokenRow: TokenRow }

/** The rows with their tokens. Whatever is in a token is registered after it was listed. */
export async function withTokens<R extends { readonly token: string }>(
  snapshot: Snapshot,
  rows: readonly R[],
): Promise<WithToken<R>[]> {
  const tokens = await readTokensOf(snapshot, rows)
  return rows.map((row) => ({ ...row, tokenRow: known(tokens.get(row.token), row.token) }))
}

/** The same of a page. */
export async function pageWithTokens<R extends { readonly token: string }>(
  snapshot: Snapshot,
  page: Page<R>,
): Promise<Page<WithToken<R>>> {
  return { ...page, items: await withTokens(snapshot, page.items) }
}

function known(row: TokenRow | undefined, token: string): TokenRow {
  if (!row) throw new Error(`the projection has no token ${token}`)
  return row
}

export function presentToken({ address, symbol, name, decimals }: TokenRow): z.output<typeof tokenInfo> {
  return { address, symbol, name, decimals }
}
