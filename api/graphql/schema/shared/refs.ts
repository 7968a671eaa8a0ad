/** References to all object types. Other files declare the fields, so that types can refer to each other. */
import type { Address } from 'viem'
import type { ListedSource } from '../../../projection/sql/page.ts'
import type { Row, Source, Table } from '../../../projection/sql/source.ts'
import { activities } from '../../../projection/tables/activity.ts'
import { allocations } from '../../../projection/tables/allocation.ts'
import { capitalChanges } from '../../../projection/tables/capital.ts'
import { claims } from '../../../projection/tables/claim.ts'
import { issuerDays, tokenDays, vaultDays } from '../../../projection/tables/day.ts'
import { executionLegs, executions } from '../../../projection/tables/execution.ts'
import { issuers } from '../../../projection/tables/issuer.ts'
import { paymentRecords } from '../../../projection/tables/payment-record.ts'
import { positions } from '../../../projection/tables/position.ts'
import { positionChanges } from '../../../projection/tables/position-change.ts'
import { routers } from '../../../projection/tables/router.ts'
import { settlements } from '../../../projection/tables/settlement.ts'
import { terms } from '../../../projection/tables/terms.ts'
import { tokens } from '../../../projection/tables/token.ts'
import { vaults } from '../../../projection/tables/vault.ts'
import { builder } from '../../kit/builder.ts'
import { notResolved } from '../../kit/declared-read.ts'

/** Makes an object type for the rows of a source. The id of an object is the key of its row. */
function rowRef<T extends Table>(name: string, source: Source<T>) {
  return nodeRef<Row<T>>(name, source)
}

function nodeRef<Shape extends object>(name: string, source: ListedSource | 'address') {
  const ref = builder.nodeRef<Shape>(name, { id: { resolve: notResolved } })
  ref.updateConfig((config) => ({ ...config, extensions: { ...config.extensions, source } }))
  return ref
}

export const Claim = rowRef('Claim', claims)
export const Allocation = rowRef('Allocation', allocations)
export const Issuer = rowRef('Issuer', issuers)
export const Token = rowRef('Token', tokens)
export const PaymentRecord = rowRef('PaymentRecord', paymentRecords)
export const IssuerDay = rowRef('IssuerDay', issuerDays)
export const Vault = rowRef('Vault', vaults)
export const VaultTerms = rowRef('VaultTerms', terms)
export const VaultPosition = rowRef('VaultPosition', positions)
export const PositionChange = rowRef('PositionChange', positionChanges)
export const VaultDay = rowRef('VaultDay', vaultDays)
export const CapitalChange = rowRef('CapitalChange', capitalChanges)
export const Execution = rowRef('Execution', executions)
export const ExecutionLeg = rowRef('ExecutionLeg', executionLegs)
export const Settlement = rowRef('Settlement', settlements)
export const Activity = rowRef('Activity', activities)
export const TokenDay = rowRef('TokenDay', tokenDays)
export const Router = rowRef('Router', routers)

/** Every address has an account, even if no event names the address. */
export const Account = nodeRef<{ address: Address }>('Account', 'address')
