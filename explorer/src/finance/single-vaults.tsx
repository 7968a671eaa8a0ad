/** The advance of each vault alone for the same face as the route sells. */
import { useQueries } from '@tanstack/react-query'
import type { Hash, TokenUnit } from 'claim-financing-client'
import { type PlannedRoute, quotesQuery, useGateway } from 'claim-financing-react'
import { Table } from '../parts/table.tsx'
import { Money, Name, short } from '../parts/values.tsx'

type Alone = { vault: string; name: string; advance: bigint; claims: number }

export function SingleVaults({ route: { legs, totals }, token }: { route: PlannedRoute; token: TokenUnit }) {
  const gateway = useGateway()
  const faces = new Map<Hash, bigint>()
  for (const { claimId, faceAmount } of legs)
    faces.set(claimId, (faces.get(claimId) ?? 0n) + BigInt(faceAmount))
  const quotes = useQueries({
    queries: [...faces].map(([claimId, face]) => quotesQuery(gateway, { claimId, faceAmount: `${face}` })),
  })
  const alone = new Map<string, Alone>()
  for (const { data } of quotes) {
    for (const { vault, vaultName, advanceAmount } of data?.quotes ?? []) {
      const known = alone.get(vault) ?? { vault, name: vaultName ?? short(vault), advance: 0n, claims: 0 }
      const advance = known.advance + BigInt(advanceAmount)
      alone.set(vault, { ...known, advance, claims: known.claims + 1 })
    }
  }
  const rows = [...alone.values()].sort(byAdvance)
  const lessThanRoute = ({ advance }: Alone) => BigInt(totals.totalAdvance) - advance
  return (
    <details>
      <summary>Compare with single vaults</summary>
      <p>The same face at one vault alone. A vault that refuses a claim finances the others only.</p>
      <Table
        caption="Single vaults"
        rows={rows}
        keyOf={({ vault }) => vault}
        empty="No vault alone finances this face."
        columns={[
          { name: 'Vault', cell: ({ name }) => <Name text={name} /> },
          { name: 'Claims it takes', isNumber: true, cell: ({ claims }) => `${claims} of ${faces.size}` },
          {
            name: 'Advance',
            isNumber: true,
            cell: ({ advance }) => <Money amount={advance} token={token} />,
          },
          {
            name: 'Less than the route',
            isNumber: true,
            cell: (row) => <Money amount={lessThanRoute(row)} token={token} />,
          },
        ]}
      />
    </details>
  )
}

/** The largest advance first, then by vault. */
function byAdvance(one: Alone, other: Alone): number {
  if (one.advance !== other.advance) return one.advance > other.advance ? -1 : 1
  return one.vault < other.vault ? -1 : 1
}
