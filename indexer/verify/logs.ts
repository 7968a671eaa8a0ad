/** Checks the logs of one block that a node returned against the header of the block. */
import { z } from 'zod'
import type { Ask } from '../../nodes/connect.ts'
import { answeredError } from '../../nodes/errors.ts'
import { Refusal } from '../../nodes/refusal.ts'
import { bloomOf } from './bloom.ts'
import type { Header } from './header.ts'
import { type Log, logShape, textOfLogs } from './log.ts'
import { canEncode, type Receipt, receiptsRoot, receiptsShape } from './receipts.ts'

const logsShape = z.array(logShape)

/**
 * Requires that `answer` is all logs of the block, in order. If the node serves receipts, this is proven: the receipts
 * have the root of the header and contain exactly these logs. If it does not, the logs must have the bloom filter of
 * the header, which almost always detects a missing log.
 * @throws Refusal
 */
export async function requireLogsOf(header: Header, answer: unknown, ask: Ask): Promise<void> {
  const logs = logsShape.safeParse(answer)
  if (!logs.success)
    throw new Refusal(`gives logs of block ${Number(header.number)} that are not well-formed`)
  requireBloom(header, logs.data)
  const receipts = await receiptsOf(header, ask)
  if (!receipts) return
  await requireReceipts(header, receipts)
  if (textOfLogs(logs.data) === textOfLogs(receipts.flatMap((receipt) => receipt.logs))) return
  throw new Refusal(`gives other logs of block ${Number(header.number)} than its receipts hold`)
}

function requireBloom(header: Header, logs: readonly Log[]): void {
  if (bloomOf(logs) === header.logsBloom) return
  throw new Refusal(
    `gives ${logs.length} logs of block ${Number(header.number)}, which its bloom filter denies`,
  )
}

/** Undefined if the node does not serve receipts, or if one has a type whose encoding is not known here. */
async function receiptsOf(header: Header, ask: Ask): Promise<Receipt[] | undefined> {
  const answer = await ask({ method: 'eth_getBlockReceipts', params: [header.hash] }).catch(
    (error: unknown) => {
      if (answeredError(error)) return undefined
      throw error
    },
  )
  const receipts = receiptsShape.safeParse(answer)
  return receipts.success && canEncode(receipts.data) ? receipts.data : undefined
}

async function requireReceipts(header: Header, receipts: readonly Receipt[]): Promise<void> {
  if ((await receiptsRoot(receipts)) === header.receiptsRoot) return
  throw new Refusal(
    `gives receipts of block ${Number(header.number)} that do not have the root of its header`,
  )
}
