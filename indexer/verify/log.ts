import { z } from 'zod'
import { bytes, quantity } from './hex.ts'

export const logShape = z.object({
  address: bytes,
  topics: z.array(bytes),
  data: bytes,
  blockHash: bytes,
  blockNumber: quantity,
  transactionHash: bytes,
  transactionIndex: quantity,
  logIndex: quantity,
})

export type Log = z.output<typeof logShape>

/** All fields of the logs in a fixed order, so that two answers can be compared. */
export function textOfLogs(logs: readonly Log[]): string {
  return JSON.stringify(
    logs.map((log) => [
      ...[log.address, log.topics, log.data, log.blockHash, BigInt(log.blockNumber).toString()],
      ...[log.transactionHash, Number(log.transactionIndex), Number(log.logIndex)],
    ]),
  )
}
