/**
 * Table `projection._version`: each version of the indexer that was started on this database, numbered in the order of
 * the first start, and whether it was published.
 */
import pg from 'pg'
import type { Hash } from 'viem'
import { PROJECTION_SCHEMA } from '../../api/projection/sql/source.ts'
import { connected, transaction } from './connection.ts'

export type Version = { schema: string; chainId: number; genesis: Hash }

export type Published = { schema: string; genesis: string; generation: bigint }

const SCHEMA = pg.escapeIdentifier(PROJECTION_SCHEMA)
/** The table, for statements. */
export const VERSIONS = `${SCHEMA}._version`

/** Assigns the next generation to the version at its first start. Called before the version writes. */
export function registerVersion(databaseUrl: string, version: Version): Promise<void> {
  return connected(databaseUrl, (client) =>
    transaction(client, async () => {
      await lockVersions(client)
      await client.query(
        `insert into ${VERSIONS} (schema, chain_id, genesis, generation)
         select $1, $2, $3, coalesce(max(generation), 0) + 1 from ${VERSIONS} on conflict (schema) do nothing`,
        [version.schema, version.chainId, version.genesis],
      )
    }),
  )
}

/** Excludes other publications until the transaction ends, and creates the table if it is missing. */
export async function lockVersions(client: pg.Client): Promise<void> {
  const lock = `select pg_advisory_xact_lock(hashtextextended('publication of ' || $1, 0))`
  await client.query(lock, [PROJECTION_SCHEMA])
  await client.query(`create schema if not exists ${SCHEMA}`)
  await client.query(
    `create table if not exists ${VERSIONS} (
       schema text primary key, chain_id bigint not null, genesis text not null,
       generation bigint not null unique, published_at timestamptz)`,
  )
}

/** The version that the views show; undefined before the first publication, and after its schema was dropped. */
export async function findPublished(client: pg.Client): Promise<Published | undefined> {
  const { rows } = await client.query(
    `select schema, genesis, generation from ${VERSIONS}
     where published_at is not null and to_regclass(format('%I._ponder_checkpoint', schema)) is not null
     order by generation desc limit 1`,
  )
  const [row] = rows
  return row && { schema: row.schema, genesis: row.genesis, generation: BigInt(row.generation) }
}

export async function generationOf(client: pg.Client, schema: string): Promise<bigint> {
  const { rows } = await client.query(`select generation from ${VERSIONS} where schema = $1`, [schema])
  return BigInt(rows[0]?.generation ?? 0)
}

/** Whether the version was ever published. */
export async function wasPublished(client: pg.Client, schema: string): Promise<boolean> {
  const text = `select from ${VERSIONS} where schema = $1 and published_at is not null`
  return (await client.query(text, [schema])).rowCount === 1
}

/** Records a publication. A version that replaces a later one gets the next generation. */
export async function recordPublication(client: pg.Client, schema: string): Promise<void> {
  await client.query(
    `update ${VERSIONS} own set published_at = now(), generation = case
       when exists (select from ${VERSIONS} later where later.generation > own.generation and later.published_at is not null)
       then (select max(generation) + 1 from ${VERSIONS}) else generation end
     where schema = $1`,
    [schema],
  )
}
