import type { Address } from 'claim-financing-client'
import { linkTo } from '../place/place.ts'
import { monthFrom } from './periods.ts'

/** To the statement of the last month. */
export function StatementLink({ kind, address }: { kind: 'vault' | 'issuer' | 'wallet'; address: Address }) {
  const href = linkTo(['statements', kind, address], { from: monthFrom(-1), to: monthFrom(0) })
  return (
    <a className="action" href={href}>
      Statement
    </a>
  )
}
