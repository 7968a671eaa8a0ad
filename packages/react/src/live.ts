'use client'
/**
 * Reads that the gateway sends anew at each finalized block that changes them. Each is one connection, and a browser
 * opens six to an origin over HTTP/1.1: for the rows of a list, `useLiveReads` needs one.
 */
import { focusManager, useQueryClient } from '@tanstack/react-query'
import { type Address, type Gateway, type GatewayError, graphql, type Hash } from 'claim-financing-client'
import { useEffect, useRef, useState } from 'react'
import { useConnection } from './provider.ts'
import { type AccountFigures, LIVE_ACCOUNT } from './queries/account.ts'
import { type ClaimRow, LIVE_CLAIM } from './queries/claims.ts'
import { type ExecutionState, LIVE_EXECUTION } from './queries/executions.ts'
import { repeatReads } from './queries/keys.ts'

/**
 * `isLive` is false before the first answer, and while a lost connection is replaced: `data` may then be out of date.
 * `error` is the one that ended it.
 */
export type LiveRead<Data> = { data: Data | undefined; isLive: boolean; error: Error | undefined }

/** A claim as it changes; `data` is null until it is registered. Without an id, nothing is read. */
export function useLiveClaim(claimId: Hash | undefined): LiveRead<ClaimRow | null> {
  return useLive(claimId, readClaim)
}

/** Balances, credits and vault shares of an account as they change. Without an address, nothing is read. */
export function useLiveAccount(address: Address | undefined): LiveRead<AccountFigures> {
  return useLive(address, readAccount)
}

/**
 * An execution as it changes; `data` is null until it is on chain, unless the session has prepared it. Without an id,
 * nothing is read.
 */
export function useLiveExecution(executionId: Hash | undefined): LiveRead<ExecutionState> {
  return useLive(executionId, readExecution)
}

const FINALIZED_BLOCK = graphql('subscription LiveReads { finalizedBlock { blockNumber } }')

export type LiveReadsOptions = {
  /** Least milliseconds between two repeats, for chains with a block each second. Default: 0. */
  everyMs?: number
}

/**
 * Repeats the reads of the other hooks at each new finalized block, unless the page is in the background. `data` is the
 * number of the block.
 */
export function useLiveReads({ everyMs = 0 }: LiveReadsOptions = {}): LiveRead<number> {
  const { gateway } = useConnection()
  const cache = useQueryClient()
  const live = useLive('finalizedBlock', readBlock)
  const { data } = live
  const shown = useRef<number>(undefined)
  const repeated = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    // The first block is that of the reads which the page has just made.
    const isFirst = shown.current === undefined
    shown.current = data
    if (data === undefined || isFirst) return
    const repeat = () => {
      // A page in the background repeats its reads when it is shown again.
      if (!focusManager.isFocused()) return
      repeated.current = performance.now()
      repeatReads(cache, gateway, false)
    }
    const timer = setTimeout(repeat, repeated.current + everyMs - performance.now())
    return () => clearTimeout(timer)
  }, [data, gateway, cache, everyMs])
  return live
}

type Connect = { signal: AbortSignal; onLost: (error: GatewayError | undefined) => void }

async function* readClaim(gateway: Gateway, claimId: Hash, options: Connect) {
  for await (const { claim } of gateway.live(LIVE_CLAIM, { claimId }, options)) yield claim
}

async function* readAccount(gateway: Gateway, address: Address, options: Connect) {
  for await (const { account } of gateway.live(LIVE_ACCOUNT, { address }, options)) yield account
}

async function* readExecution(gateway: Gateway, executionId: Hash, options: Connect) {
  for await (const { execution } of gateway.live(LIVE_EXECUTION, { executionId }, options)) yield execution
}

async function* readBlock(gateway: Gateway, _: string, options: Connect) {
  for await (const { finalizedBlock } of gateway.live(FINALIZED_BLOCK, {}, options))
    yield finalizedBlock.blockNumber
}

const NOTHING = { data: undefined, isLive: false, error: undefined }

/** @param read a constant function */
function useLive<Id extends string, Data>(
  id: Id | undefined,
  read: (gateway: Gateway, id: Id, options: Connect) => AsyncIterable<Data>,
): LiveRead<Data> {
  const { gateway, session } = useConnection()
  const key = [session?.token, id].join(' ')
  const [seen, setSeen] = useState<LiveRead<Data> & { gateway: Gateway; key: string }>()
  useEffect(() => {
    if (id === undefined) return
    const end = new AbortController()
    const { signal } = end
    const show = (change: Partial<LiveRead<Data>>) => {
      if (signal.aborted) return
      setSeen((former) => ({
        ...NOTHING,
        ...(former?.gateway === gateway && former.key === key && { data: former.data }),
        ...change,
        gateway,
        key,
      }))
    }
    const follow = async () => {
      const options = { signal, onLost: () => show({ isLive: false }) }
      for await (const data of read(gateway, id, options)) show({ data, isLive: true })
    }
    follow().catch((error: Error) => show({ error }))
    return () => end.abort()
  }, [id, read, gateway, key])
  // Nothing is shown that another gateway, session or id has read.
  return seen?.gateway === gateway && seen.key === key ? seen : NOTHING
}
