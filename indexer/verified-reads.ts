/** Reads of one node whose answers are checked before Ponder sees them. */
import type { Hex } from 'viem'
import type { Ask, Request } from '../nodes/connect.ts'
import { answeredError } from '../nodes/errors.ts'
import { Refusal } from '../nodes/refusal.ts'
import { type Block, heightOf, parseBlock, requireOwnHash } from './verify/block.ts'
import { type Header, headerShape } from './verify/header.ts'
import { requireLogsOf } from './verify/logs.ts'

/** @throws Refusal */
export async function blockByNumber(
  ask: Ask,
  block: 'finalized' | bigint,
  transactions: boolean,
  verify: boolean,
) {
  const name = typeof block === 'bigint' ? `0x${block.toString(16)}` : block
  const found = await readBlock(ask, { method: 'eth_getBlockByNumber', params: [name, transactions] }, verify)
  if (found && typeof block === 'bigint' && heightOf(found) !== block) {
    throw new Refusal(`gives block ${heightOf(found)} where ${block} was asked for`)
  }
  return found
}

/** @throws Refusal */
export async function blockByHash(ask: Ask, hash: Hex, transactions: boolean, verify: boolean) {
  const found = await readBlock(ask, { method: 'eth_getBlockByHash', params: [hash, transactions] }, verify)
  if (found && found.hash !== hash) throw new Refusal(`gives block ${found.hash} where ${hash} was asked for`)
  return found
}

async function readBlock(ask: Ask, request: Request, verify: boolean): Promise<Block | null> {
  const answer = await ask(request)
  if (answer === null) return null
  const block = parseBlock(answer)
  if (verify) requireOwnHash(block)
  return block
}

/**
 * All logs of one final block.
 * @throws Refusal when logs are missing or wrong, or the node returns an error
 */
export async function logsOfBlock(ask: Ask, hash: Hex): Promise<unknown> {
  const [block, logs] = await Promise.all([blockByHash(ask, hash, false, true), requestLogs(ask, hash)])
  if (!block) throw new Refusal(`does not have block ${hash}, which is final`)
  await requireLogsOf(headerShape.parse(block), logs, ask)
  return logs
}

/** Reads the logs of a block whose header was checked. */
export async function logsOfHeader(ask: Ask, header: Header): Promise<unknown> {
  const logs = await requestLogs(ask, header.hash)
  await requireLogsOf(header, logs, ask)
  return logs
}

function requestLogs(ask: Ask, blockHash: Hex): Promise<unknown> {
  return ask({ method: 'eth_getLogs', params: [{ blockHash }] }).catch(asRefusal)
}

function asRefusal(error: unknown): never {
  const answer = answeredError(error)
  throw answer ? new Refusal(`gives no logs of a final block: ${answer.details}`) : error
}
