/** The names of all object types, apart from their fields, so that types can refer to each other. */
import type { Address } from 'viem'
import { activities } from '../../projection/activity.ts'
import { allocations } from '../../projection/allocation.ts'
import { capitalChanges } from '../../projection/capital.ts'
import { claims } from '../../projection/claim.ts'
import { issuerDays, tokenDays, vaultDays } from '../../projection/day.ts'
import { executionLegs, executions } from '../../projection/execution.ts'
import { issuers } from '../../projection/issuer.ts'
import { idOf, readByIds } from '../../projection/keys.ts'
import { positions } from '../../projection/position.ts'
import { routers } from '../../projection/router.ts'
import { settlements } from '../../projection/settlement.ts'
import type { Row, Source, Table } from '../../projection/source.ts'
import { terms } from '../../projection/terms.ts'
import { tokens } from '../../projection/token.ts'
import { vaults } from '../../projection/vault.ts'
import { builder } from '../builder.ts'
import type { GraphqlContext } from '../context.ts'
import type { ExecutionShape, LegShape } from './execution-state.ts'

/** A row as an object type: its key is its id, and one statement reads all objects that an operation requests by id in one tick. */
function rowRef<T extends Table>(name: string, source: Source<T>) {
  return shapeRef<T, Row<T>>(name, source, (row) => idOf(source, row))
}

/** The same, of a type whose objects can be more than rows. */
function shapeRef<T extends Table, Shape>(
  name: string,
  source: Source<T>,
  shapeId: (shape: Shape | Row<T>) => string,
) {
  return builder.loadableNodeRef(name, {
    id: { resolve: (shape: Shape | Row<T>) => shapeId(shape) },
    load: async (ids: string[], { operation }: GraphqlContext): Promise<(Shape | Row<T> | null)[]> => {
      const rows = await operation.read((snapshot) => readByIds(snapshot, source, ids))
      return rows.map((row) => row ?? null)
    },
  })
}

export const Claim = rowRef('Claim', claims)
export const Allocation = rowRef('Allocation', allocations)
export const Issuer = rowRef('Issuer', issuers)
export const Token = rowRef('Token', tokens)
export const IssuerDay = rowRef('IssuerDay', issuerDays)
export const Vault = rowRef('Vault', vaults)
export const VaultTerms = rowRef('VaultTerms', terms)
export const VaultPosition = rowRef('VaultPosition', positions)
export const VaultDay = rowRef('VaultDay', vaultDays)
export const CapitalChange = rowRef('CapitalChange', capitalChanges)
export const Execution = shapeRef<'execution', ExecutionShape>('Execution', executions, ({ id }) => id)
export const ExecutionLeg = shapeRef<'executionLeg', LegShape>('ExecutionLeg', executionLegs, (leg) =>
  idOf(executionLegs, leg),
)
export const Settlement = rowRef('Settlement', settlements)
export const Activity = rowRef('Activity', activities)
export const TokenDay = rowRef('TokenDay', tokenDays)
export const Router = rowRef('Router', routers)

/** Any address has an account, seen on chain or not. */
export type AccountShape = { address: Address }

export const Account = builder.nodeRef('Account', {
  id: { resolve: (account: AccountShape) => account.address },
  loadOne: (id: string): AccountShape | null => (isLowercaseAddress(id) ? { address: id } : null),
})

function isLowercaseAddress(text: string): text is Address {
  return /^0x[0-9a-f]{40}$/.test(text)
}
