/** One read as every server answers it. */
import type { z } from 'zod'

export const PEERS = ['ours', 'kept', 'postgraphile', 'ponder', 'sql'] as const

/**
 * `ours` is the gateway with `KEPT_ANSWERS_SIZE=0`, so each answer is read; `kept` the gateway as it is. `sql` answers
 * with one statement through a bare Hono handler.
 */
export type Peer = (typeof PEERS)[number]

/** Values that requests name. `registeredAt` is the place in the list of all claims after which a page begins. */
export type Sample = { issuer: string; wallet: string; claimId: string; registeredAt: string }

export type Request = {
  path: string
  method?: 'GET' | 'POST'
  headers?: Readonly<Record<string, string>>
  body?: string
}

export function sendTo(url: string, { path, ...init }: Request): Promise<Response> {
  return fetch(url + path, init)
}

export type Row = Readonly<Record<string, unknown>>

/** Sends a request to the server that the read belongs to. */
export type Send = (request: Request) => Promise<Response>

export type Read = {
  /** @param prepared what `prepare` returned for the sample */
  request: (sample: Sample, prepared: string) => Request
  /** Reads a value that the request needs from the server: a cursor, an entity tag. */
  prepare?: (send: Send, sample: Sample) => Promise<string>
  /** The rows of the answer; every server has the same. */
  rows: z.ZodType<readonly Row[]>
  /** Default: 200. */
  status?: number
}

export type Workload = {
  id: string
  title: string
  /** Whether it is measured at two sizes of the table: its work is independent of the size. */
  grows?: boolean
  /** Whether the same request is repeated, so that the answer is kept. */
  repeats?: boolean
  reads: Readonly<Partial<Record<Peer, Read>>>
}
