/**
 * Publication: the stable views move to a later version of the indexer, and to an earlier one only with `republish`. A
 * version is published once its checkpoint has reached that of the published one, which is locked meanwhile, so reads
 * do not go back.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { connected, transaction } from './connection.ts'
import {
  findPublished,
  generationOf,
  lockVersions,
  type Published,
  recordPublication,
  type Version,
  wasPublished,
} from './version.ts'
import { describeViews, hasViews, replaceViews, tableOf } from './views.ts'

/**
 * Checks a complete schema before its first publication. @returns the differences that prove missing logs; empty if
 * there are none
 */
export type Verify = (schema: string) => Promise<readonly string[]>

/** A complete schema that lacks logs of the chain: a node omitted them, and Ponder has cached the answer. */
export class IncompleteIndex extends Error {
  override readonly name = 'IncompleteIndex'

  constructor(schema: string, missing: readonly string[]) {
    super(
      `${schema} lacks events of the chain, ${missing.length} differences: ${missing.slice(0, NAMED_MAX).join('; ')}`,
    )
  }
}

/** Differences that an error lists. */
const NAMED_MAX = 5

export type PublicationOptions = {
  databaseUrl: string
  version: Version
  /** Publishes although a later version was published, and although reads go back: a rollback. */
  republish: boolean
  verify?: Verify | undefined
  /** Called once when the published version is ahead. */
  onBehind: () => void
  /** Ends the wait. */
  signal: AbortSignal
}

/** `SUPERSEDED`: a later version has been published, and no reader sees this one. */
export type Publication = 'PUBLISHED' | 'SUPERSEDED'

/** Milliseconds between two attempts while the published version is ahead. */
const CATCH_UP_MS = 250

/**
 * Publishes a version that is complete. Waits while the published one is ahead.
 *
 * @throws IncompleteIndex; the error of `verify`; the abort reason of the signal; the error of the database, for
 * example when other objects depend on a view
 */
export async function publish(options: PublicationOptions): Promise<Publication> {
  const { schema } = options.version
  return connected(options.databaseUrl, async (client) => {
    if (!(await wasPublished(client, schema))) await refuseIncomplete(schema, options.verify)
    let outcome = await attempt(client, options)
    if (outcome === 'BEHIND') options.onBehind()
    while (outcome === 'BEHIND') {
      await pause(CATCH_UP_MS, undefined, { signal: options.signal })
      outcome = await attempt(client, options)
    }
    return outcome
  })
}

async function refuseIncomplete(schema: string, verify: Verify | undefined): Promise<void> {
  const missing = (await verify?.(schema)) ?? []
  if (missing.length > 0) throw new IncompleteIndex(schema, missing)
}

function attempt(
  client: pg.Client,
  { version, republish }: PublicationOptions,
): Promise<Publication | 'BEHIND'> {
  return transaction(client, async () => {
    await lockVersions(client)
    const published = await findPublished(client)
    const obstacle = republish ? undefined : await findObstacle(client, version, published)
    if (obstacle) return obstacle
    if (published?.schema !== version.schema || !(await hasViews(client, version.schema))) {
      await replaceViews(client, version.schema)
      await recordPublication(client, version.schema)
    }
    // Also where the views stay: the dictionary is no input of a version.
    await describeViews(client)
    return 'PUBLISHED'
  })
}

/**
 * Why a version cannot replace the published one. A published version of another chain, by its genesis block, is always
 * replaced.
 */
async function findObstacle(
  client: pg.Client,
  version: Version,
  published: Published | undefined,
): Promise<'SUPERSEDED' | 'BEHIND' | undefined> {
  if (!published || published.schema === version.schema || published.genesis !== version.genesis) {
    return undefined
  }
  if (published.generation > (await generationOf(client, version.schema))) return 'SUPERSEDED'
  return (await hasReached(client, version.schema, published.schema)) ? undefined : 'BEHIND'
}

/**
 * The part of a checkpoint that identifies its block: timestamp, chain id and block number, in digits of fixed width.
 */
const POSITION = 'left(latest_checkpoint, 42)'

/**
 * Whether the checkpoint of `schema` has reached that of `other`. Locks the latter, so `other` commits no block until
 * the transaction ends.
 */
async function hasReached(client: pg.Client, schema: string, other: string): Promise<boolean> {
  const theirs = `select ${POSITION} as at from ${tableOf(other, '_ponder_checkpoint')} for share`
  const ours = `select ${POSITION} as at from ${tableOf(schema, '_ponder_checkpoint')}`
  const held = await client.query(theirs)
  const own = await client.query(ours)
  return held.rows.every(({ at }) => own.rows.length > 0 && own.rows.every((row) => row.at >= at))
}
