/** The receipts root of a block (EIP-2718, types 0 to 4), which its header contains. */
import { createMPT } from '@ethereumjs/mpt'
import { bytesToHex, concat, type Hex, hexToBytes, numberToHex, toRlp } from 'viem'
import { z } from 'zod'
import { integer } from './header.ts'
import { bytes, quantity } from './hex.ts'
import { logShape } from './log.ts'

export const receiptsShape = z.array(
  z.object({
    type: quantity.nullish(),
    /** Before Byzantium, receipts have `root` instead. */
    status: quantity.nullish(),
    root: bytes.nullish(),
    cumulativeGasUsed: quantity,
    logsBloom: bytes,
    transactionHash: bytes,
    logs: z.array(logShape),
  }),
)

export type Receipt = z.output<typeof receiptsShape>[number]

const TYPE_MAX = 4

/** Whether the encoding of all receipts is known; rollups define further types. */
export function canEncode(receipts: readonly Receipt[]): boolean {
  return receipts.every(({ type }) => Number(type ?? 0) <= TYPE_MAX)
}

export async function receiptsRoot(receipts: readonly Receipt[]): Promise<Hex> {
  const trie = await createMPT()
  for (const [index, receipt] of receipts.entries()) {
    await trie.put(hexToBytes(toRlp(integer(numberToHex(index)))), hexToBytes(encoded(receipt)))
  }
  return bytesToHex(trie.root())
}

function encoded(receipt: Receipt): Hex {
  const logs = receipt.logs.map(({ address, topics, data }) => [address, topics, data])
  const body = toRlp([outcome(receipt), integer(receipt.cumulativeGasUsed), receipt.logsBloom, logs])
  const type = Number(receipt.type ?? 0)
  return type === 0 ? body : concat([numberToHex(type, { size: 1 }), body])
}

function outcome({ status, root }: Receipt): Hex {
  return status ? integer(status) : (root ?? '0x')
}
