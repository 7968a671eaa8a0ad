/** The names of all object types, apart from their fields, so that types can refer to each other. */
import type { Address } from 'viem'
import type { ActivityRow } from '../../projection/activity.ts'
import type { AllocationRow } from '../../projection/allocation.ts'
import type { CapitalChangeRow } from '../../projection/capital.ts'
import { type ClaimRow, readClaims } from '../../projection/claim.ts'
import type { TokenDayRow, VaultDayRow } from '../../projection/day.ts'
import { type ExecutionLegRow, type ExecutionRow, readExecutions } from '../../projection/execution.ts'
import { type IssuerRow, readIssuers } from '../../projection/issuer.ts'
import type { PositionRow } from '../../projection/position.ts'
import { readSettlementsOfClaims, type SettlementRow } from '../../projection/settlement.ts'
import type { Snapshot } from '../../projection/snapshot.ts'
import { readVaults, type VaultRow } from '../../projection/vault.ts'
import { builder } from '../builder.ts'
import type { GraphqlContext } from '../context.ts'

type ReadMany<Row> = (snapshot: Snapshot, ids: readonly string[]) => Promise<(Row | undefined)[]>

const load =
  <Row>(read: ReadMany<Row>) =>
  async (ids: string[], { operation }: GraphqlContext): Promise<(Row | null)[]> =>
    (await read(await operation.snapshot(), ids)).map((row) => row ?? null)

export const Claim = builder.loadableNodeRef('Claim', {
  id: { resolve: (claim: ClaimRow) => claim.id },
  load: load(readClaims),
})

export const Vault = builder.loadableNodeRef('Vault', {
  id: { resolve: (vault: VaultRow) => vault.address },
  load: load(readVaults),
})

export const Execution = builder.loadableNodeRef('Execution', {
  id: { resolve: (execution: ExecutionRow) => execution.id },
  load: load(readExecutions),
})

export const Settlement = builder.loadableNodeRef('Settlement', {
  id: { resolve: (settlement: SettlementRow) => settlement.claimId },
  load: load(readSettlementsOfClaims),
})

export const Issuer = builder.loadableNodeRef('Issuer', {
  id: { resolve: (issuer: IssuerRow) => issuer.address },
  load: load(readIssuers),
})

/** Any address has an account, seen on chain or not. */
export type AccountShape = { address: Address }

export const Account = builder.nodeRef('Account', {
  id: { resolve: (account: AccountShape) => account.address },
  loadOne: (id: string): AccountShape | null => (isLowercaseAddress(id) ? { address: id } : null),
})

export const Allocation = builder.objectRef<AllocationRow>('Allocation')
export const ExecutionLeg = builder.objectRef<ExecutionLegRow>('ExecutionLeg')
export const CapitalChange = builder.objectRef<CapitalChangeRow>('CapitalChange')
export const VaultPosition = builder.objectRef<PositionRow>('VaultPosition')
export const Activity = builder.objectRef<ActivityRow>('Activity')
export const TokenDay = builder.objectRef<TokenDayRow>('TokenDay')
export const VaultDay = builder.objectRef<VaultDayRow>('VaultDay')

function isLowercaseAddress(text: string): text is Address {
  return /^0x[0-9a-f]{40}$/.test(text)
}
