/** Settings of `npm run snapshot`. */
import { z } from 'zod'
import { rpcUrls } from './formats.ts'
import { setting } from './setting.ts'
import { shared } from './shared.ts'

const { DATABASE_URL, ALLOW_UNENCRYPTED, NODE_TLS_REJECT_UNAUTHORIZED } = shared

export const snapshotGroup = {
  SNAPSHOT_RPC_URLS: setting(
    rpcUrls.optional(),
    'Nodes that name the hash of the block of a [snapshot](snapshots.md), in the order in which they are tried.',
    { byDefault: 'no hash' },
  ),
}

export const snapshotSettings = z.object({
  DATABASE_URL,
  ALLOW_UNENCRYPTED,
  NODE_TLS_REJECT_UNAUTHORIZED,
  ...snapshotGroup,
})
