/** What one GraphQL operation shares: its one snapshot and its batches. */
import DataLoader from 'dataloader'
import type { Context } from 'hono'
import type { Address, Hex } from 'viem'
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
import { findUnprojected, type UnprojectedExecution } from '../transactions/find-execution.ts'
import type { Follow } from '../transactions/follow.ts'

export type Operation = {
  /**
   * Runs what needs no rows, a question to the chain, before the snapshot is opened: a snapshot holds a connection, which must
   * not wait for others. For fields of the query itself.
   */
  beforeSnapshot: <T>(work: () => Promise<T>) => Promise<T>
  /** Reads from an earlier snapshot, which is closed with the answer: for what decides whether others are asked at all. */
  readBefore: <T>(work: (snapshot: Snapshot) => Promise<T>) => Promise<T>
  /** Reads from the operation's snapshot, which whoever comes first opens. */
  read: <T>(work: (snapshot: Snapshot) => Promise<T>) => Promise<T>
  /** The block that all of the operation is read at. */
  finalizedThrough: () => Promise<FinalizedThrough>
  /**
   * Waits until nothing is left to read, closes the snapshot and returns its block: for what is asked of the chain at that block. What
   * follows from its answer must need no rows.
   */
  afterSnapshot: () => Promise<FinalizedThrough>
  /** The operation's snapshot if anyone read from it and got it. */
  opened: () => Promise<Snapshot | undefined>
  close: () => Promise<void>
}

export type GraphqlContext = {
  operation: Operation
  /** Follows a submitted transaction on the chain. @throws `CHAIN_UNAVAILABLE` */
  followTransaction: Follow
  /** An execution that the projection does not have at `through`, looked for on chain and among the prepared ones. @throws `CHAIN_UNAVAILABLE` */
  findUnprojected: (executionId: Hex, through: FinalizedThrough) => Promise<UnprojectedExecution | undefined>
  /** What each wallet holds of each token at that block, by the chain. @throws `CHAIN_UNAVAILABLE` */
  tokenBalances: (through: FinalizedThrough, wallets: readonly Address[]) => Promise<TokenBalance[][]>
  /** The state of the auditor and its open differences. */
  audit: (snapshot: Snapshot) => Promise<Audit>
  /** Address of the router that is served. */
  router: Address
  /** The wallet that signed in. @throws `UNAUTHENTICATED` */
  wallet: () => Address
  /** Of a subscription: yields at once, and then whenever there may be something else to read. */
  advances: () => AsyncIterable<unknown>
}

/** What the surrounding app knows of the request. */
export type ServerContext = { c: Context<AppEnv> }

/** Makes what the resolvers of a request find: the operation is its own, all else the gateway's. */
export function createContexts(
  deps: Pick<Deps, 'config' | 'store' | 'chain' | 'deployment'> & { follow: Follow },
) {
  return (c: Context<AppEnv>, openOne: OpenOne = c.var.openSnapshot): GraphqlContext => ({
    operation: startOperation(openOne),
    followTransaction: async (hash) => {
      await reachMinBlock(c)
      return deps.follow(hash)
    },
    findUnprojected: (executionId, through) => findUnprojected(deps, executionId, through),
    tokenBalances: (through, wallets) => readTokenBalances(deps, through, wallets),
    audit: ({ db }) => readAudit(db, deps.config.auditStaleSeconds),
    router: deps.deployment.contracts.financingRouter,
    wallet: () => requireSession(c).wallet,
    advances: onlySubscriptionsFollow,
  })
}

function onlySubscriptionsFollow(): never {
  throw new Error('a query was told to follow the projection')
}

/** An operation that has read nothing yet. Whoever starts it closes it, whatever happens in between. */
export function startOperation(openOne: OpenOne): Operation {
  let opening: Promise<OpenSnapshot> | undefined
  let closing: Promise<void> | undefined
  const before: Promise<unknown>[] = []
  const work = countWork()
  const explain = firstFailure()
  const open = async () => {
    // All fields of the query start in one turn; only the next one knows what each of them does first.
    await null
    await Promise.allSettled(before)
    return openOne()
  }
  const opened = async () => opening?.catch(() => undefined)
  const snapshot = async () => {
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

/** Throws what it is given, or in place of a failure that only follows from an earlier one, that one. */
function firstFailure(): (error: unknown) => never {
  let first: unknown
  return (error) => {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === IN_FAILED_TRANSACTION && first !== undefined) throw first
    if (!(error instanceof CodedError)) first ??= error
    throw error
  }
}

/** Counts work under way, and tells when there is none left. */
function countWork() {
  let underWay = 0
  const waiting: (() => void)[] = []
  const tell = () => {
    if (underWay === 0) for (const resolve of waiting.splice(0)) resolve()
  }
  return {
    count: async <T>(work: () => Promise<T>): Promise<T> => {
      underWay += 1
      try {
        return await work()
      } finally {
        underWay -= 1
        // What resolvers ask next, they and their loaders ask before the event loop turns.
        if (underWay === 0) setImmediate(tell)
      }
    },
    /** To be asked right after some work. */
    done: () => new Promise<void>((resolve) => waiting.push(resolve)),
  }
}

/** Keys in one statement. What an operation may ask for is bounded by its cost; this only bounds one statement. */
const BATCH_SIZE_MAX = 5000

/**
 * A question about many keys, asked one key at a time: all that is asked in one tick with the same arguments becomes one
 * statement.
 *
 * @param load answers in the order of the keys
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
