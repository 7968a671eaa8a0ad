/** Settings of `npm run snapshot`. */
import { z } from 'zod'
import { shared } from './shared.ts'

const { DATABASE_URL, ALLOW_UNENCRYPTED, NODE_TLS_REJECT_UNAUTHORIZED } = shared

export const snapshotSettings = z.object({
  DATABASE_URL,
  ALLOW_UNENCRYPTED,
  NODE_TLS_REJECT_UNAUTHORIZED,
})
