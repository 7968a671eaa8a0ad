import { positions } from '../../projection/position.ts'
import { builder } from '../builder.ts'
import type { ConnectionArgs } from '../connection.ts'
import type { Operation } from '../context.ts'
import { listOfParent } from '../lists.ts'
import { Account, Vault, VaultPosition } from './refs.ts'

VaultPosition.implement({
  description: 'The shares of a vault that a wallet holds, or held: they may be zero by now.',
  fields: (t) => ({
    vault: t.field({ type: Vault, description: 'The vault.', resolve: (row) => row.vault }),
    owner: t.field({ type: Account, description: 'The wallet.', resolve: (row) => ({ address: row.owner }) }),
    shares: t.expose('shares', { type: 'Amount', description: 'Shares, in their own base units.' }),
  }),
})

export const positionListArgs = builder.args((t) => ({
  withoutShares: t.boolean({
    required: true,
    defaultValue: false,
    description: 'Also positions whose shares are zero by now.',
  }),
}))

type Args = ConnectionArgs & { withoutShares: boolean }

export const PositionConnection = builder.connectionObject(
  { type: VaultPosition, name: 'VaultPositionConnection', description: 'A page of positions.' },
  { name: 'VaultPositionEdge', description: 'A position and where it stands in the list.' },
)

const inVault = listOfParent(positions, 'vault')
const ofOwner = listOfParent(positions, 'owner')

const held = { column: 'shares', is: 'gt', value: 0n } as const

export function positionsInVault(operation: Operation, vault: string, args: Args) {
  const filter = args.withoutShares ? undefined : held
  return inVault(operation, vault, args, { filter, orderBy: 'vault', direction: 'asc' })
}

export function positionsOfOwner(operation: Operation, owner: string, args: Args) {
  const filter = args.withoutShares ? undefined : held
  return ofOwner(operation, owner, args, { filter, orderBy: 'owner', direction: 'asc' })
}
