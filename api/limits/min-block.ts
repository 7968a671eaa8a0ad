import type { Context } from 'hono'
import { createPinAt } from '../chain/pin-at.ts'
import type { Deps } from '../deps.ts'
import { validationFailed } from '../errors.ts'
import { defineMiddleware, type EnvWith } from '../http/define-middleware.ts'
import type { Purpose, ReadingEnv, ReadVariables } from '../http/read-variables.ts'
import { createWaitForBlock, openAt, readAt } from '../projection/session/at-block.ts'
import { boundNetworks, type ClientNetworks, clientNetworks } from './client-address.ts'
import { createConcurrencyLimit, type Release } from './concurrency-limit.ts'
import { createOpener } from './snapshots.ts'

/** A block number that JSON carries exactly. Node joins a header sent twice with a comma, which does not fit either. */
const BLOCK = /^[0-9]{1,15}$/

/** Requests that may wait at the same time: in all, without a token, and of one address. Further ones do not wait. */
export const WAITING_MAX = 1000
export const WAITING_ANONYMOUS_MAX = 500
export const WAITING_PER_CLIENT_MAX = 100

/**
 * Gives each request its reads of the projection and its pins of the chain. With `X-Min-Block: N`, both have finalized
 * block N or a later one, or are refused with `PROJECTION_BEHIND` or `CHAIN_BEHIND`.
 *
 * @example
 * startChain().use(requestId()).use(authenticate(settings, cookies, Date.now)).use(minBlock(deps))
 */
export function minBlock(
  deps: Pick<
    Deps,
    'config' | 'db' | 'pipeline' | 'replicas' | 'chain' | 'watch' | 'control' | 'log' | 'metrics'
  >,
) {
  const { minBlockWaitMs, trustedProxies } = deps.config
  const admit = createWaitingRoom()
  const { openFor, readFor } = createOpener(deps)
  return defineMiddleware<ReadVariables, ReadingEnv['Variables']>(async (c, next) => {
    const block = parseMinBlock(c.req.header('X-Min-Block'))
    const isAnonymous = !('session' in c.get('authentication'))
    const wait = () =>
      createWaitForBlock(deps.watch, minBlockWaitMs, () =>
        admit(clientNetworks(c, trustedProxies), isAnonymous),
      )
    const openSnapshot = (purpose: Purpose = 'read') => {
      const { signal } = c.req.raw
      const open = () => openFor(c, purpose, signal, block)
      if (block === undefined || purpose === 'progress') return open()
      return openAt(wait(), open, block, signal)
    }
    const readStatement: ReadVariables['readStatement'] = (
      reading,
      isShort,
      purpose = 'read',
      signal = c.req.raw.signal,
    ) => {
      const read = () => readFor(c, reading, { isShort, purpose, signal }, block)
      return block === undefined ? read() : readAt(wait(), read, block, signal)
    }
    const pinBlock = () => createPinAt(deps.chain, wait())(block, c.req.raw.signal)
    await next({ openSnapshot, readStatement, pinBlock })
  })
}

/** @returns admits a request that waits for a block; undefined where too many wait */
export function createWaitingRoom() {
  const { tryAcquire } = createConcurrencyLimit()
  return (networks: ClientNetworks, isAnonymous: boolean): Release | undefined =>
    tryAcquire([
      ...boundNetworks(networks, { key: 'address', max: WAITING_PER_CLIENT_MAX }),
      ...(isAnonymous ? [{ key: 'anonymous', max: WAITING_ANONYMOUS_MAX }] : []),
      { key: 'all', max: WAITING_MAX },
    ])
}

/**
 * Waits until the projection has the block that the request names, if any: for answers that would grow old while they
 * wait.
 */
export async function reachMinBlock<E extends EnvWith<ReadVariables>>(c: Context<E>): Promise<void> {
  if (c.req.header('X-Min-Block') !== undefined) await (await c.get('openSnapshot')()).close()
}

/** Waits until the finalized block of the chain has the block of the request, before a nonce or route is used up. */
export async function reachFinalBlock<E extends EnvWith<ReadVariables>>(c: Context<E>): Promise<void> {
  if (c.req.header('X-Min-Block') !== undefined) await c.get('pinBlock')()
}

/** @throws CodedError `VALIDATION_FAILED` */
export function parseMinBlock(header: string | undefined): bigint | undefined {
  if (header === undefined) return undefined
  if (BLOCK.test(header)) return BigInt(header)
  throw validationFailed([{ path: 'X-Min-Block', message: 'must be one block number, in decimal digits' }])
}
