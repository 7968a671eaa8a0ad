/** The token of amounts beside its address, as the projection has it. */
import { z } from '@hono/zod-openapi'
import { address } from '../../domain/address.ts'
import { tokenDecimals } from '../../domain/integer.ts'
import { TOKEN_TEXT_BYTES } from '../../domain/limits.ts'
import type { TokenRow } from '../../projection/tables/token.ts'

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
    description:
      'A token. Symbol, name and decimals are those that the contract of the token returned when an operator first listed it.',
  })

/** The fields of `tokenInfo`. */
export const TOKEN_INFO = 'tokenInfo { address symbol name decimals }'

export function presentToken({ address, symbol, name, decimals }: TokenRow): z.output<typeof tokenInfo> {
  return { address, symbol, name, decimals }
}
