/** Names of vaults and tokens beside their addresses, in answers that are read from the chain and not from the projection. */
import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { Address } from 'viem'
import type { AppEnv } from '../middleware/env.ts'
import { readOpened, type Snapshot } from '../projection/snapshot.ts'
import { readTokensOf } from '../projection/token.ts'
import { readVaultNames } from '../projection/vault.ts'
import { orNull } from './answer.ts'
import { presentToken, tokenInfo } from './token-info.ts'

export const vaultName = z
  .string()
  .nullable()
  .openapi({ description: 'Name of the shares of the vault; null while the projection does not answer.' })

export const foundToken = orNull(tokenInfo).openapi({
  description: 'Token of all amounts of the answer; null while the projection does not answer.',
})

/** The name of a vault; null for one that is not known. */
export type NameOf = (vault: Address) => string | null

/** The token of the amounts; null for one that is not known. */
type FoundToken = z.output<typeof tokenInfo> | null

/** The names of the vaults. */
export async function findVaultNames(c: Context<AppEnv>, vaults: readonly Address[]): Promise<NameOf> {
  if (vaults.length === 0) return () => null
  const names = await readQuietly(c, (snapshot) => readVaultNames(snapshot, [...new Set(vaults)]))
  return (vault) => names?.get(vault) ?? null
}

/** The token, and the names of the vaults, in one read. */
export async function findNames(
  c: Context<AppEnv>,
  token: Address,
  vaults: readonly Address[] = [],
): Promise<{ nameOf: NameOf; token: FoundToken }> {
  const found = await readQuietly(c, async (snapshot) => {
    const tokens = await readTokensOf(snapshot, [{ token }])
    const names = await readVaultNames(snapshot, [...new Set(vaults)])
    return { row: tokens.get(token), names }
  })
  return {
    nameOf: (vault) => found?.names.get(vault) ?? null,
    token: found?.row ? presentToken(found.row) : null,
  }
}

/** A name is worth no refusal: what was prepared is answered without it. */
async function readQuietly<T>(
  c: Context<AppEnv>,
  read: (snapshot: Snapshot) => Promise<T>,
): Promise<T | undefined> {
  try {
    return await readOpened(() => c.get('openSnapshot')('progress'), read)
  } catch (error) {
    c.get('log').debug({ err: error }, 'names could not be read')
    return undefined
  }
}
