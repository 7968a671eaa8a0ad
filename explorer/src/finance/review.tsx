/** A planned route: its legs and its cost, beside each vault alone, and its execution. */
import { formatAmount } from 'claim-financing-client'
import { type PlannedRoute, useExecute } from 'claim-financing-react'
import { Figures } from '../parts/page.tsx'
import { Progress } from '../parts/progress.tsx'
import { Table } from '../parts/table.tsx'
import { ClaimLink, Money, percent, short, VaultLink, When } from '../parts/values.tsx'
import { SingleVaults } from './single-vaults.tsx'

export function Review({ route }: { route: PlannedRoute }) {
  const { totals, legs, tokenInfo: token, explanation, expiresAt } = route
  const execute = useExecute({
    acceptRateChange: ({ prepared }) =>
      confirm(`The advance is now ${token ? formatAmount(prepared.totalAdvance, token) : 'lower'}. Go on?`),
  })
  if (!token) return <p>The projection does not answer at present, so amounts cannot be shown.</p>
  return (
    <>
      <Figures
        items={[
          ['You get now', <Money key="a" amount={totals.totalAdvance} token={token} />],
          ['You sell face of', <Money key="f" amount={totals.totalFace} token={token} />],
          ['Cost', <Money key="c" amount={totals.totalCost} token={token} />],
          ['Discount', percent(totals.effectiveDiscountBps)],
        ]}
      />
      <p>
        {explanation.provenGap === '0'
          ? 'It is proven that no other route costs less.'
          : `A cheaper route could save at most ${formatAmount(explanation.provenGap, token)}.`}
        {expiresAt ? (
          <>
            {' '}
            The route is valid until <When at={expiresAt} />.
          </>
        ) : null}
      </p>
      <Table
        caption="Legs of the route"
        rows={legs}
        keyOf={({ claimId, vault }) => `${claimId} ${vault}`}
        columns={[
          { name: 'Claim', cell: (leg) => <ClaimLink {...leg} /> },
          {
            name: 'Vault',
            cell: ({ vault, vaultName }) => <VaultLink address={vault} name={vaultName ?? short(vault)} />,
          },
          {
            name: 'Face',
            isNumber: true,
            cell: ({ faceAmount }) => <Money amount={faceAmount} token={token} />,
          },
          {
            name: 'Advance',
            isNumber: true,
            cell: (leg) => <Money amount={leg.advanceAmount} token={token} />,
          },
          { name: 'Discount', isNumber: true, cell: (leg) => percent(leg.effectiveDiscountBps) },
        ]}
      />
      <SingleVaults route={route} token={token} />
      <button
        type="button"
        className="primary"
        disabled={execute.isPending || execute.isSuccess}
        onClick={() => execute.mutate(route)}
      >
        Sign and execute
      </button>
      <Progress running={execute} />
    </>
  )
}
