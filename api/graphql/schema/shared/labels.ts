/** Labels that the operator of the gateway gives (`deployments/<chainId>.labels.json`). */
import type { Labels } from '../../../../deployments/labels.ts'
import { reading } from '../../kit/declared-read.ts'

/** For `t.string(…)`: the label of what a column has. A group has no value for what it is not grouped by. */
function labelField(kind: keyof Labels, column: string, description: string) {
  return {
    nullable: true as const,
    description,
    ...reading({ kind: 'label', of: kind, key: (scope) => scope.column(column) }),
  }
}

export const claimTypeLabel = labelField(
  'claimTypes',
  'claimType',
  'Name of the claim type, which the operator of the gateway gives, for display only; null for a type without a name.',
)

export const issuerLabel = labelField(
  'issuers',
  'address',
  'Name of the issuer, which the operator of the gateway gives, for display only; null for an issuer without a name.',
)
