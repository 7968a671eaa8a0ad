/** The stable views of schema `projection`, and the notification that readers wait for. */
import pg from 'pg'
import { CHANNEL } from '../../api/projection/session/watch.ts'
import { PROJECTION_SCHEMA } from '../../api/projection/sql/source.ts'
import { dictionary } from './dictionary/index.ts'

const SCHEMA = pg.escapeIdentifier(PROJECTION_SCHEMA)

/** Whether there is a view of each table of the version. */
export async function hasViews(client: pg.Client, schema: string): Promise<boolean> {
  const present = new Set(await viewNames(client))
  return (await relationsOf(client, schema)).every((name) => present.has(name))
}

/**
 * Points the views at the tables of the version, drops the other views, and notifies readers.
 *
 * @throws the error of the database when other objects depend on a view
 */
export async function replaceViews(client: pg.Client, schema: string): Promise<void> {
  await createTrigger(client, schema)
  const relations = await relationsOf(client, schema)
  const obsolete = (await viewNames(client)).filter((name) => !relations.includes(name))
  for (const name of relations) {
    const [view, table] = [`${SCHEMA}.${pg.escapeIdentifier(name)}`, tableOf(schema, name)]
    await client.query(`drop view if exists ${view}`)
    await client.query(`create view ${view} as select * from ${table}`)
  }
  for (const name of obsolete) await client.query(`drop view ${SCHEMA}.${pg.escapeIdentifier(name)}`)
  await client.query(`select pg_notify($1, '')`, [CHANNEL])
}

/**
 * Comments on the views and their columns. A relation or column that the dictionary does not have keeps its comment.
 */
export async function describeViews(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    `select relname as name, relkind = 'v' as is_view, attname as column from pg_class join pg_attribute on attrelid = pg_class.oid
     where relnamespace = $1::regnamespace and relkind in ('v', 'r') and attnum > 0 and not attisdropped`,
    [PROJECTION_SCHEMA],
  )
  const statements = dictionary.flatMap(({ name, meaning, columns }) => {
    const own = rows.filter((row) => row.name === name)
    const relation = `${SCHEMA}.${pg.escapeIdentifier(name)}`
    const kinds = own.slice(0, 1).map(({ is_view }) => (is_view ? 'view' : 'table'))
    return [
      ...kinds.map((kind) => commentOn(`${kind} ${relation}`, meaning)),
      ...own.flatMap(({ column }) => {
        const words = columns.get(column)
        return words === undefined
          ? []
          : [commentOn(`column ${relation}.${pg.escapeIdentifier(column)}`, words)]
      }),
    ]
  })
  await client.query(statements.join(';\n'))
}

const commentOn = (thing: string, words: string) => `comment on ${thing} is ${pg.escapeLiteral(words)}`

/**
 * The tables of a version in the order of its schema; a snapshot of the gateway begins with the first
 * (api/projection/session/snapshot.ts).
 */
async function relationsOf(client: pg.Client, schema: string): Promise<string[]> {
  const { rows } = await client.query(
    `select jsonb_array_elements_text(value -> 'table_names') as name from ${tableOf(schema, '_ponder_meta')}
     where key = 'app'`,
  )
  return [...rows.map(({ name }) => String(name)), '_ponder_meta', '_ponder_checkpoint']
}

async function viewNames(client: pg.Client): Promise<string[]> {
  const text = 'select viewname from pg_views where schemaname = $1'
  const { rows } = await client.query(text, [PROJECTION_SCHEMA])
  return rows.map(({ viewname }) => String(viewname))
}

/** Notifies in the transaction that commits a block. */
async function createTrigger(client: pg.Client, schema: string): Promise<void> {
  await client.query(
    `create or replace function ${SCHEMA}.notify_block() returns trigger language plpgsql as
     $$ begin perform pg_notify(${pg.escapeLiteral(CHANNEL)}, ''); return null; end $$`,
  )
  await client.query(
    `create or replace trigger notify_block after insert or update on ${tableOf(schema, '_ponder_checkpoint')}
     for each statement execute function ${SCHEMA}.notify_block()`,
  )
}

export function tableOf(schema: string, table: string): string {
  return `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(table)}`
}
