/** The terms of a vault: what its mandate allows, and the discounts that it asks for. */
import { Figures } from '../parts/page.tsx'
import { Money, Name, percent } from '../parts/values.tsx'
import type { ClaimTypes, VaultShown } from './documents.ts'
import { distinctTypes } from './terms-curve.tsx'
import { NO_LIMIT } from './terms-texts.ts'

type Token = VaultShown['tokenInfo']

export function TermsFigures({
  terms: { mandate, pricing },
  token,
  types,
}: {
  terms: Pick<VaultShown, 'mandate' | 'pricing'>
  token: Token
  types: ClaimTypes
}) {
  const labels = new Map(
    distinctTypes(types).map(({ claimType, claimTypeLabel }) => [claimType, claimTypeLabel]),
  )
  return (
    <>
      <Figures
        items={[
          ['Face of one slice', <Range key="s" from={mandate.minFace} to={mandate.maxFace} token={token} />],
          ['Most face of one claim', <Limit key="c" most={mandate.maxClaimFace} token={token} />],
          ['Most face of one issuer', <Limit key="i" most={mandate.maxIssuerFace} token={token} />],
          ['Days until due', `${mandate.minDurationDays} to ${mandate.maxDurationDays}`],
          ['Base discount', percent(pricing.baseDiscountBps)],
          ['Discount per day', percent(pricing.durationBpsPerDay)],
        ]}
      />
      <p>
        Claim types:{' '}
        {mandate.supportedTypes.length === 0
          ? 'none'
          : mandate.supportedTypes.map((type, place) => (
              <span key={type}>
                {place > 0 ? ', ' : ''}
                <Name text={labels.get(type) ?? `type ${type}`} />
                {pricing.premiumBps[type] ? ` (premium ${percent(pricing.premiumBps[type])})` : ''}
              </span>
            ))}
      </p>
    </>
  )
}

function Range({ from, to, token }: { from: string; to: string; token: Token }) {
  if (BigInt(to) === NO_LIMIT)
    return (
      <>
        at least <Money amount={from} token={token} compact />
      </>
    )
  return (
    <>
      <Money amount={from} token={{ decimals: token.decimals }} compact /> to{' '}
      <Money amount={to} token={token} compact />
    </>
  )
}

function Limit({ most, token }: { most: string; token: Token }) {
  return BigInt(most) === NO_LIMIT ? 'no limit' : <Money amount={most} token={token} compact />
}
