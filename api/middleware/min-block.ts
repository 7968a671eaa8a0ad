import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { createPinAt } from '../chain/pin-at.ts'
import type { Deps } from '../deps.ts'
import { validationFailed } from '../errors.ts'
import { createOpenAt } from '../projection/min-block.ts'
import { openSnapshot } from '../projection/snapshot.ts'
import { createWaitForBlock } from '../projection/wait.ts'
import type { AppEnv } from './env.ts'

/** A block number that JSON carries exactly. Node joins a header sent twice with a comma, which does not fit either. */
const BLOCK = /^[0-9]{1,15}$/

/** What a request with `X-Min-Block: N` reads or pins is at finalized block N or a later one, or it is refused. */
export function minBlock({ config, db, chain, watch }: Pick<Deps, 'config' | 'db' | 'chain' | 'watch'>) {
  const wait = createWaitForBlock(watch, config.minBlockWaitMs)
  const [openAt, pinAt] = [createOpenAt(db, wait), createPinAt(chain, wait)]
  return createMiddleware<AppEnv>(async (c, next) => {
    const block = parseMinBlock(c.req.header('X-Min-Block'))
    const { signal } = c.req.raw
    c.set('openSnapshot', () => (block === undefined ? openSnapshot(db) : openAt(block, signal)))
    c.set('pinBlock', () => pinAt(block, signal))
    await next()
  })
}

/** Waits until the projection has the block that the request names, if any: for answers that would grow old while they wait. */
export async function reachMinBlock(c: Context<AppEnv>): Promise<void> {
  if (c.req.header('X-Min-Block') !== undefined) await (await c.var.openSnapshot()).close()
}

/** The same of the chain's finalized block: for what must not be used up in vain. */
export async function reachFinalBlock(c: Context<AppEnv>): Promise<void> {
  if (c.req.header('X-Min-Block') !== undefined) await c.var.pinBlock()
}

function parseMinBlock(header: string | undefined): bigint | undefined {
  if (header === undefined) return undefined
  if (BLOCK.test(header)) return BigInt(header)
  throw validationFailed([{ path: 'X-Min-Block', message: 'must be one block number, in decimal digits' }])
}
