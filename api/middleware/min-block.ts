import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { Deps } from '../deps.ts'
import { validationFailed } from '../errors.ts'
import { createOpenAt } from '../projection/min-block.ts'
import { openSnapshot } from '../projection/snapshot.ts'
import type { AppEnv } from './env.ts'

/** A block number that JSON carries exactly. Node joins a header sent twice with a comma, which does not fit either. */
const BLOCK = /^[0-9]{1,15}$/

/** Reads of a request with `X-Min-Block: N` see finalized block N or a later one, or are refused. */
export function minBlock({ config, db, watch }: Pick<Deps, 'config' | 'db' | 'watch'>) {
  const openAt = createOpenAt({ db, watch, patienceMs: config.minBlockWaitMs })
  return createMiddleware<AppEnv>(async (c, next) => {
    const block = parseMinBlock(c.req.header('X-Min-Block'))
    c.set('openSnapshot', () => (block === undefined ? openSnapshot(db) : openAt(block, c.req.raw.signal)))
    await next()
  })
}

/** Waits for the block that the request names, if it names one: for what is asked of others, whose answer would grow old meanwhile. */
export async function reachMinBlock(c: Context<AppEnv>): Promise<void> {
  if (c.req.header('X-Min-Block') !== undefined) await (await c.var.openSnapshot()).close()
}

function parseMinBlock(header: string | undefined): bigint | undefined {
  if (header === undefined) return undefined
  if (BLOCK.test(header)) return BigInt(header)
  throw validationFailed([{ path: 'X-Min-Block', message: 'must be one block number, in decimal digits' }])
}
