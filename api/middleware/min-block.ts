import type { Context } from 'hono'
import { createPinAt } from '../chain/pin-at.ts'
import type { Deps } from '../deps.ts'
import { validationFailed } from '../errors.ts'
import { createOpenAt, createReadAt } from '../projection/min-block.ts'
import type { Reading } from '../projection/statement.ts'
import { createWaitForBlock } from '../projection/wait.ts'
import { clientAddress } from './client-address.ts'
import type { AppEnv, Purpose } from './env.ts'
import { createOpener } from './snapshots.ts'
import type { Step } from './steps.ts'

/** A block number that JSON carries exactly. Node joins a header sent twice with a comma, which does not fit either. */
const BLOCK = /^[0-9]{1,15}$/

/** A request with `X-Min-Block: N` reads or pins finalized block N or a later one, or is refused. */
export function minBlock(
  deps: Pick<
    Deps,
    'config' | 'db' | 'pipeline' | 'replicas' | 'chain' | 'watch' | 'control' | 'log' | 'metrics'
  >,
): Step {
  const waitOf = createWaitForBlock(deps.watch, deps.config.minBlockWaitMs)
  const { openFor, readFor } = createOpener(deps)
  return (c) => {
    const block = parseMinBlock(c.req.header('X-Min-Block'))
    const wait = () => waitOf(clientAddress(c, deps.config.trustedProxies))
    c.set('openSnapshot', (purpose: Purpose = 'read', signal = c.req.raw.signal) => {
      const open = () => openFor(c, purpose, signal, block)
      if (block === undefined || purpose === 'progress') return open()
      return createOpenAt(wait())(open, block, signal)
    })
    c.set('readStatement', (reading: Reading, isShort: boolean) => {
      const { signal } = c.req.raw
      const read = () => readFor(c, reading, isShort, signal, block)
      return block === undefined ? read() : createReadAt(wait())(read, block, signal)
    })
    c.set('pinBlock', () => createPinAt(deps.chain, wait())(block, c.req.raw.signal))
  }
}

/** Waits until the projection has the block that the request names, if any: for answers that would grow old while they wait. */
export async function reachMinBlock(c: Context<AppEnv>): Promise<void> {
  if (c.req.header('X-Min-Block') !== undefined) await (await c.get('openSnapshot')()).close()
}

/** The same for the chain's finalized block, before a nonce or route is used up. */
export async function reachFinalBlock(c: Context<AppEnv>): Promise<void> {
  if (c.req.header('X-Min-Block') !== undefined) await c.get('pinBlock')()
}

/** @throws CodedError `VALIDATION_FAILED` */
export function parseMinBlock(header: string | undefined): bigint | undefined {
  if (header === undefined) return undefined
  if (BLOCK.test(header)) return BigInt(header)
  throw validationFailed([{ path: 'X-Min-Block', message: 'must be one block number, in decimal digits' }])
}
