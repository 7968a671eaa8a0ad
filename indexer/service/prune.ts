/** Schemas of former versions of the indexer, which no reader needs. */
import type pg from 'pg'
import { connected, transaction } from './connection.ts'
import { findPublished, lockVersions, VERSIONS } from './version.ts'
import { excludeWriter } from './writer-lock.ts'

/** A version that is not published and older than the published one. Size in bytes. */
export type FormerVersion = { schema: string; publishedAt: Date | null; size: bigint; isWritten: boolean }

/** Lists the former versions whose schemas exist. Nothing is former before the first publication. */
export function findFormer(databaseUrl: string): Promise<FormerVersion[]> {
  return connected(databaseUrl, (client) =>
    transaction(client, async () => {
      await lockVersions(client)
      const published = await findPublished(client)
      if (!published) return []
      const former: FormerVersion[] = []
      for (const version of await olderThan(client, published.generation))
        former.push({ ...version, isWritten: !(await excludeWriter(client, version.schema)) })
      return former
    }),
  )
}

/**
 * Drops the schema of a former version, unless it is written or was published meanwhile.
 *
 * @returns whether it was dropped
 */
export function dropFormer(databaseUrl: string, schema: string): Promise<boolean> {
  return connected(databaseUrl, (client) =>
    transaction(client, async () => {
      await lockVersions(client)
      const published = await findPublished(client)
      const former = published ? await olderThan(client, published.generation) : []
      if (!former.some((version) => version.schema === schema)) return false
      if (!(await excludeWriter(client, schema))) return false
      await client.query(`drop schema ${client.escapeIdentifier(schema)} cascade`)
      return true
    }),
  )
}

async function olderThan(client: pg.Client, generation: bigint) {
  const { rows } = await client.query<{ schema: string; published_at: Date | null; size: string }>(
    `select schema, published_at,
       (select coalesce(sum(pg_total_relation_size(oid)), 0) from pg_class
        where relnamespace = to_regnamespace(quote_ident(schema)) and relkind = 'r')::text as size
     from ${VERSIONS}
     where generation < $1 and to_regnamespace(quote_ident(schema)) is not null
     order by generation`,
    [generation],
  )
  return rows.map(({ schema, published_at: publishedAt, size }) => ({
    schema,
    publishedAt,
    size: BigInt(size),
  }))
}
