/** The token whose figures a page shows: amounts of different tokens have no common sum. */
import type { Address } from 'claim-financing-client'
import { replaceParams } from '../place/place.ts'
import { Name } from './values.tsx'

export type Token = { address: Address; symbol: string; name: string; decimals: number }

/** The token that the address of the page names, or the first. */
export function chosenToken<Chosen extends Token>(
  tokens: readonly Chosen[],
  params: URLSearchParams,
): Chosen | undefined {
  const wanted = params.get('token')?.toLowerCase()
  return tokens.find(({ address }) => address === wanted) ?? tokens[0]
}

export function TokenChoice({ tokens, chosen }: { tokens: readonly Token[]; chosen: Token | undefined }) {
  return (
    <fieldset className="choice">
      <legend className="hidden">Token</legend>
      {tokens.map(({ address, symbol }) => (
        <button
          key={address}
          type="button"
          aria-pressed={address === chosen?.address}
          onClick={() => replaceParams({ token: address })}
        >
          <Name text={symbol} />
        </button>
      ))}
    </fieldset>
  )
}
