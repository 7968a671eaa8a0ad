/** Labels that the operator of the gateway gives (`deployments/<chainId>.labels.json`). */
import { type Labels, labelOf } from '../../../deployments/labels.ts'
import type { GraphqlContext } from '../context.ts'
import { reading } from '../declared-read.ts'

type Key = string | number | null | undefined

/** For `t.string(…)`: the label of what a column has. A group has no value for what it is not grouped by. */
function labelField<const C extends string>(kind: keyof Labels, column: C, description: string) {
  return {
    nullable: true as const,
    description,
    resolve: (row: { readonly [K in C]?: Key }, _: unknown, { labels }: GraphqlContext) => {
      const key: Key = row[column]
      return key == null ? null : labelOf(labels, kind, key)
    },
    ...reading({ kind: 'label', of: kind, key: (scope) => scope.column(column) }),
  }
}

export const claimTypeLabel = labelField(
  'claimTypes',
  'claimType',
  'Name of the claim type, which the operator of the gateway gives; null for a type without one. For display only.',
)

export const issuerLabel = labelField(
  'issuers',
  'address',
  'Name of the issuer, which the operator of the gateway gives; null for an issuer without one. For display only.',
)
