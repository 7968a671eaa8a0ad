/** Why there is no route, and which claims no route can use. */
import type { TokenUnit } from 'claim-financing-client'
import type { NoRoute, Plan } from 'claim-financing-react'
import { ClaimLink, Money, Name, short, words } from '../parts/values.tsx'

export function NoRouteFound({ noRoute, token }: { noRoute: NoRoute; token: TokenUnit }) {
  return (
    <div className="failure" role="alert">
      <p>There is no route: {words(noRoute.reason)}.</p>
      <p>
        The largest advance of these claims is <Money amount={noRoute.maxAchievableAdvance} token={token} />,
        which is <Money amount={noRoute.shortfallAdvance} token={token} /> less than was asked for. Ask for
        less, or choose more claims.
      </p>
    </div>
  )
}

export function LeftOut({ claims }: { claims: Plan['filteredOut'] }) {
  if (claims.length === 0) return null
  return (
    <details open>
      <summary>Left out: {claims.length} claims</summary>
      <ul>
        {claims.map(({ claimId, reason, have, need, vaults }) => (
          <li key={claimId}>
            <ClaimLink claimId={claimId} />: {words(reason)}
            {limits(have, need)}
            <ul>
              {vaults?.map((refused) => (
                <li key={refused.vault}>
                  <Name text={refused.vaultName ?? short(refused.vault)} />: {words(refused.reason)}
                  {limits(refused.have, refused.need)}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </details>
  )
}

function limits(have: string | undefined, need: string | undefined): string {
  if (have === undefined && need === undefined) return ''
  return ` (is ${have ?? 'unknown'}, must be ${need ?? 'another'})`
}
