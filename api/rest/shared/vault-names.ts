/**
 * Names of vaults and tokens beside their addresses, in answers that are read from the chain and not from the
 * projection.
 */
import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { Address } from 'viem'
import type { AppEnv } from '../../http/env.ts'
import { readOpened, type Snapshot } from '../../projection/session/snapshot.ts'
import { readByKeys } from '../../projection/sql/keys.ts'
import { tokens } from '../../projection/tables/token.ts'
import { readVaultNames } from '../../projection/tables/vault.ts'
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

export type FoundNames = { nameOf: NameOf; token: FoundToken }

/** Reads the token, if there is one, and the names of the vaults, in one read. */
export async function findNames(
  c: Context<AppEnv>,
  token: Address | undefined,
  vaults: readonly Address[] = [],
): Promise<FoundNames> {
  const found = await readQuietly(c, async (snapshot) => {
    const [row] = token ? await readByKeys(snapshot, tokens, 'address', [token]) : []
    const names = await readVaultNames(snapshot, [...new Set(vaults)])
    return { row, names }
  })
  return {
    nameOf: (vault) => found?.names.get(vault) ?? null,
    token: found?.row ? presentToken(found.row) : null,
  }
}

/** Reads what is worth no refusal: what was prepared is answered without it. */
export async function readQuietly<T>(
  c: Context<AppEnv>,
  read: (snapshot: Snapshot) => Promise<T>,
): Promise<T | undefined> {
  try {
    return await readOpened(() => c.get('openSnapshot')('progress'), read)
  } catch (error) {
    c.get('log')().debug({ err: error }, 'the projection could not be read')
    return undefined
  }
}
