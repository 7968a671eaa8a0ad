/** State of one GraphQL operation: its snapshot and its batches. */
import DataLoader from 'dataloader'
import type { Context } from 'hono'
import type { Address, Hex } from 'viem'
import type { Labels } from '../../deployments/labels.ts'
import { readTokenBalances, type TokenBalance } from '../chain/balances.ts'
import type { Deps } from '../deps.ts'
import { CodedError } from '../errors.ts'
import { requireSession } from '../middleware/authenticate.ts'
import type { AppEnv } from '../middleware/env.ts'
import { reachMinBlock } from '../middleware/min-block.ts'
import { type Audit, readAudit } from '../projection/audit.ts'
import {
  type FinalizedThrough,
  type OpenOne,
  type OpenSnapshot,
  readOpened,
  type Snapshot,
} from '../projection/snapshot.ts'
import {
  findUnprojected,
  type ReadProjection,
  type UnprojectedExecution,
} from '../transactions/find-execution.ts'
import type { Follow } from '../transactions/follow.ts'

export type Operation = {
  /**
   * Runs work that needs no rows, such as a call of the chain, before the snapshot is opened: a snapshot holds a connection, which
   * must not wait for the chain. For fields of the query type.
   */
  beforeSnapshot: <T>(work: () => Promise<T>) => Promise<T>
  /** Reads from an earlier snapshot that is closed at once: for rows that decide whether the chain is called. */
  readBefore: <T>(work: (snapshot: Snapshot) => Promise<T>) => Promise<T>
  /** Reads from the operation's snapshot. The first read opens it. */
  read: <T>(work: (snapshot: Snapshot) => Promise<T>) => Promise<T>
  /** The block of all reads of the operation. */
  finalizedThrough: () => Promise<FinalizedThrough>
  /**
   * Waits for all reads to end, closes the snapshot and returns its block: for calls of the chain at that block. The resolvers that
   * follow must need no rows.
   */
  afterSnapshot: () => Promise<FinalizedThrough>
  /** The operation's snapshot if it was opened successfully. */
  opened: () => Promise<Snapshot | undefined>
  close: () => Promise<void>
}

export type GraphqlContext = {
  operation: Operation
  /** Reads a whole operation in one statement. @throws as `AppEnv.readStatement` */
  readStatement: AppEnv['Variables']['readStatement']
  /** Follows a submitted transaction on the chain. @throws `CHAIN_UNAVAILABLE` */
  followTransaction: Follow
  /** Finds an execution that is not projected at `through`, on chain and among the prepared ones. @throws `CHAIN_UNAVAILABLE` */
  findUnprojected: (
    readProjection: ReadProjection,
    executionId: Hex,
    through: FinalizedThrough,
  ) => Promise<UnprojectedExecution | undefined>
  /** Reads the balances of each wallet in each token at that block from the chain. @throws `CHAIN_UNAVAILABLE` */
  tokenBalances: (through: FinalizedThrough, wallets: readonly Address[]) => Promise<TokenBalance[][]>
  /** The state of the auditor and its open differences. */
  audit: (snapshot: Snapshot) => Promise<Audit>
  /** Address of the protocol's router. */
  router: Address
  /** Names of claim types and issuers, the same for all requests. */
  labels: Labels
  /** The wallet that signed in. @throws `UNAUTHENTICATED` */
  wallet: () => Address
  /** For subscriptions: yields at once, then after each advance of the projection. */
  advances: () => AsyncIterable<unknown>
}

/** The context of the request that the HTTP server passes in. */
export type ServerContext = { c: Context<AppEnv> }

/** Creates the context of the resolvers. Each request has its own operation and shares all else. */
export function createContexts(
  deps: Pick<Deps, 'config' | 'store' | 'chain' | 'deployment' | 'labels'> & { follow: Follow },
) {
  return (c: Context<AppEnv>, openOne: OpenOne = c.get('openSnapshot')): GraphqlContext => {
    /** Everything here that an answer can depend on besides its snapshot says so when it is called. */
    const dependOnMore = () => c.set('dependsOnMore', true)
    return {
      operation: startOperation(openOne),
      readStatement: c.get('readStatement'),
      followTransaction: async (hash) => {
        dependOnMore()
        await reachMinBlock(c)
        return deps.follow(hash)
      },
      findUnprojected: (...of) => {
        dependOnMore()
        return findUnprojected(deps, ...of)
      },
      tokenBalances: (through, wallets) => {
        dependOnMore()
        return readTokenBalances(deps, through, wallets)
      },
      audit: ({ db }) => {
        dependOnMore()
        return readAudit(db, deps.config.auditStaleSeconds)
      },
      router: deps.deployment.contracts.financingRouter,
      labels: deps.labels,
      wallet: () => {
        dependOnMore()
        return requireSession(c).wallet
      },
      advances: onlySubscriptionsFollow,
    }
  }
}

function onlySubscriptionsFollow(): never {
  throw new Error('Only a subscription can follow the projection.')
}

/** An operation without a snapshot yet. The caller closes it in every case. */
export function startOperation(openOne: OpenOne): Operation {
  let opening: Promise<OpenSnapshot> | undefined
  let closing: Promise<void> | undefined
  const before: Promise<unknown>[] = []
  const work = countWork()
  const explain = firstFailure()
  const open = async () => {
    // All fields of the query start in one microtask; after the next one, `before` holds the work of each.
    await null
    await Promise.allSettled(before)
    return openOne()
  }
  const opened = async () => opening?.catch(() => undefined)
  const snapshot = async () => {
    // A field that still waits when another one has failed the whole answer: nothing would close what it opened.
    if (!opening && closing) throw new Error('the operation has ended')
    opening ??= open()
    return (await opening).snapshot
  }
  const finalizedThrough = () => work.count(async () => (await snapshot()).finalizedThrough)
  const close = async () => (await opened())?.close()
  const closeOnce = () => {
    closing ??= close()
    return closing
  }
  return {
    beforeSnapshot: (ask) => {
      const done = work.count(ask)
      before.push(done)
      return done
    },
    readBefore: (read) => readOpened(openOne, read),
    read: (read) => work.count(async () => read(await snapshot()).catch(explain)),
    finalizedThrough,
    afterSnapshot: async () => {
      const through = await finalizedThrough()
      await work.done()
      await closeOnce()
      return through
    },
    opened: async () => (await opened())?.snapshot,
    close: closeOnce,
  }
}

/** SQLSTATE of every statement that follows a failed one in its transaction. */
const IN_FAILED_TRANSACTION = '25P02'

/** Rethrows an error; in place of one that only follows from an earlier failure, the earlier one. */
function firstFailure(): (error: unknown) => never {
  let first: unknown
  return (error) => {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === IN_FAILED_TRANSACTION && first !== undefined) throw first
    if (!(error instanceof CodedError)) first ??= error
    throw error
  }
}

/** Counts pending work, and signals when there is none. */
function countWork() {
  let underWay = 0
  const waiting: (() => void)[] = []
  const signal = () => {
    if (underWay === 0) for (const resolve of waiting.splice(0)) resolve()
  }
  return {
    count: async <T>(work: () => Promise<T>): Promise<T> => {
      underWay += 1
      try {
        return await work()
      } finally {
        underWay -= 1
        // Resolvers and their loaders start the work that follows before the next phase of the event loop.
        if (underWay === 0) setImmediate(signal)
      }
    },
    /** Resolves when no work is pending. To be called right after some work. */
    done: () => new Promise<void>((resolve) => waiting.push(resolve)),
  }
}

/** Keys in one statement. The cost limit bounds the keys of an operation; this bounds one statement. */
const BATCH_SIZE_MAX = 5000

/**
 * Loads one key at a time; keys that are requested in one tick with the same arguments are loaded by one statement.
 *
 * @param load returns items in the order of the keys
 */
export function batched<Args, Item>(
  load: (snapshot: Snapshot, keys: readonly string[], args: Args) => Promise<Item[]>,
): (operation: Operation, key: string, args: Args) => Promise<Item> {
  const loadersOf = new WeakMap<Operation, Map<string, DataLoader<string, Item>>>()
  return (operation, key, args) => {
    const loaders = loadersOf.get(operation) ?? new Map<string, DataLoader<string, Item>>()
    loadersOf.set(operation, loaders)
    const question =
      JSON.stringify(args, (_, value) => (typeof value === 'bigint' ? `${value}n` : value)) ?? ''
    const loader =
      loaders.get(question) ??
      new DataLoader<string, Item>((keys) => operation.read((snapshot) => load(snapshot, keys, args)), {
        maxBatchSize: BATCH_SIZE_MAX,
      })
    loaders.set(question, loader)
    return loader.load(key)
  }
}
