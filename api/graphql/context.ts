/** What one GraphQL operation shares: its one snapshot and its batches. */
import DataLoader from 'dataloader'
import type { Context } from 'hono'
import type { Address, Hex } from 'viem'
import type { AppEnv } from '../middleware/env.ts'
import type { OpenOne, OpenSnapshot, Snapshot } from '../projection/snapshot.ts'
import type { FollowedTransaction } from '../transactions/follow.ts'

export type Operation = {
  /**
   * Runs what needs no rows, a question to the chain, before the snapshot is opened: a snapshot holds a connection, which must
   * not wait for others. For fields of the query itself.
   */
  beforeSnapshot: <T>(work: () => Promise<T>) => Promise<T>
  /** The operation's snapshot, opened by whoever asks first. */
  snapshot: () => Promise<Snapshot>
  /** The same if anyone asked and got it. */
  opened: () => Promise<Snapshot | undefined>
  close: () => Promise<void>
}

export type GraphqlContext = {
  operation: Operation
  /** Follows a submitted transaction on the chain. @throws `CHAIN_UNAVAILABLE` */
  followTransaction: (hash: Hex) => Promise<FollowedTransaction>
  /** Address of the router that is served. */
  router: Address
  /** The wallet that signed in. @throws `UNAUTHENTICATED` */
  wallet: () => Address
  /** Of a subscription: yields at once, and then whenever there may be something else to read. */
  advances: () => AsyncIterable<unknown>
}

/** What the surrounding app knows of the request. */
export type ServerContext = { c: Context<AppEnv> }

/** An operation that has read nothing yet. Whoever starts it closes it, whatever happens in between. */
export function startOperation(openOne: OpenOne): Operation {
  let opening: Promise<OpenSnapshot> | undefined
  const before: Promise<unknown>[] = []
  const open = async () => {
    // All fields of the query start in one turn; only the next one knows what each of them does first.
    await null
    await Promise.allSettled(before)
    return openOne()
  }
  const opened = async () => opening?.catch(() => undefined)
  return {
    beforeSnapshot: (work) => {
      const done = work()
      before.push(done)
      return done
    },
    snapshot: async () => {
      opening ??= open()
      return (await opening).snapshot
    },
    opened: async () => (await opened())?.snapshot,
    close: async () => (await opened())?.close(),
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
      new DataLoader<string, Item>(async (keys) => load(await operation.snapshot(), keys, args), {
        maxBatchSize: BATCH_SIZE_MAX,
      })
    loaders.set(question, loader)
    return loader.load(key)
  }
}
