/** `.devnet/endpoints.json`: where everything is, for scripts; it exists exactly while the devnet is ready. */
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import type { Address, Hex } from 'viem'
import type { DatabaseUrls } from './database-roles.ts'
import type { Folder } from './folder.ts'
import type { Role } from './world/plan.ts'

export type Endpoints = {
  gatewayUrl: string
  graphqlUrl: string
  /** Site of `npm run docs`; undefined where it has not been built. */
  documentationUrl?: string | undefined
  rpcUrl: string
  databaseUrls: DatabaseUrls
  chainId: number
  /** Seconds after which a block is final. */
  finalitySeconds: number
  accounts: { role: Role; address: Address; privateKey: Hex }[]
}

/** Writes the file atomically: a reader gets the whole file or the earlier one. */
export function writeEndpoints(folder: Folder, endpoints: Endpoints): void {
  writeFileSync(`${folder.endpoints}.new`, `${JSON.stringify(endpoints, null, 2)}\n`)
  renameSync(`${folder.endpoints}.new`, folder.endpoints)
}

export function removeEndpoints(folder: Folder): void {
  rmSync(folder.endpoints, { force: true })
}
