/** The discount of vaults by the days until a claim of one type is due. */
import { Chart } from '../parts/chart.tsx'
import type { Column } from '../parts/table.tsx'
import { Name, percent } from '../parts/values.tsx'
import { replaceParams } from '../place/place.ts'
import { curveOf, type OfferedTerms, type Point } from './curve.ts'
import type { ClaimTypes } from './documents.ts'

export function TermsCurve({
  vaults,
  types,
  params,
}: {
  vaults: readonly OfferedTerms[]
  types: ClaimTypes
  params: URLSearchParams
}) {
  const offered = distinctTypes(types).filter(({ claimType }) =>
    vaults.some(({ mandate }) => mandate.supportedTypes.includes(claimType ?? -1)),
  )
  const wanted = Number(params.get('type') ?? Number.NaN)
  const chosen = offered.find(({ claimType }) => claimType === wanted) ?? offered[0]
  const type = chosen?.claimType ?? undefined
  const points = type === undefined ? [] : vaults.flatMap((vault) => curveOf(vault, type))
  const columns: Column<Point>[] = [
    { name: 'Vault', cell: ({ name }) => <Name text={name} /> },
    { name: 'Days until due', isNumber: true, cell: ({ days }) => days },
    { name: 'Discount', isNumber: true, cell: ({ bps }) => percent(bps) },
  ]
  return (
    <>
      <label className="select">
        Claim type{' '}
        <select value={type ?? ''} onChange={({ target }) => replaceParams({ type: target.value })}>
          {offered.map(({ claimType, claimTypeLabel }) => (
            <option key={claimType} value={claimType ?? ''}>
              {claimTypeLabel ?? `Type ${claimType}`}
            </option>
          ))}
        </select>
      </label>
      <Chart
        title="Discount by days until due"
        rows={points}
        columns={columns}
        keyOf={({ vault, days }) => `${vault} ${days}`}
        empty="No vault finances a type of claim that exists."
        plot={(plot) => ({
          x: { label: 'days until due', grid: true },
          y: { label: 'percent of face', grid: true, zero: true },
          color: { type: 'categorical', legend: true },
          marks: [
            plot.lineY(points, {
              x: 'days',
              y: (point: Point) => point.bps / 100,
              z: 'vault',
              stroke: 'name',
              title: (point: Point) => `${point.name}: ${percent(point.bps)} at ${point.days} days`,
              tip: true,
            }),
          ],
        })}
      />
    </>
  )
}

/** A type has a group for each token. */
export function distinctTypes(types: ClaimTypes): ClaimTypes {
  return [...new Map(types.map((group) => [group.claimType, group])).values()]
}
