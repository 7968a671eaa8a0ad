/** The hash of a block, computed from its header (execution-specs, `Header` up to Prague). */
import { type Hex, keccak256, toRlp } from 'viem'
import { z } from 'zod'
import { bytes, quantity } from './hex.ts'

export const headerShape = z.object({
  hash: bytes,
  parentHash: bytes,
  sha3Uncles: bytes,
  miner: bytes,
  stateRoot: bytes,
  transactionsRoot: bytes,
  receiptsRoot: bytes,
  logsBloom: bytes,
  difficulty: quantity,
  number: quantity,
  gasLimit: quantity,
  gasUsed: quantity,
  timestamp: quantity,
  extraData: bytes,
  mixHash: bytes,
  nonce: bytes,
  baseFeePerGas: quantity.nullish(),
  withdrawalsRoot: bytes.nullish(),
  blobGasUsed: quantity.nullish(),
  excessBlobGas: quantity.nullish(),
  parentBeaconBlockRoot: bytes.nullish(),
  requestsHash: bytes.nullish(),
})

export type Header = z.output<typeof headerShape>

/** The hash of the fields of a header. Each fork added fields at the end, so an older header has fewer. */
export function hashOfHeader(header: Header): Hex {
  return keccak256(toRlp([...fixedFields(header), ...addedFields(header)]))
}

function fixedFields(header: Header): Hex[] {
  return [
    ...[header.parentHash, header.sha3Uncles, header.miner],
    ...[header.stateRoot, header.transactionsRoot, header.receiptsRoot, header.logsBloom],
    ...[header.difficulty, header.number, header.gasLimit, header.gasUsed, header.timestamp].map(integer),
    ...[header.extraData, header.mixHash, header.nonce],
  ]
}

function addedFields(header: Header): Hex[] {
  const { baseFeePerGas, withdrawalsRoot, blobGasUsed, excessBlobGas } = header
  return [
    baseFeePerGas && integer(baseFeePerGas),
    withdrawalsRoot,
    blobGasUsed && integer(blobGasUsed),
    excessBlobGas && integer(excessBlobGas),
    header.parentBeaconBlockRoot,
    header.requestsHash,
  ].filter((field) => typeof field === 'string')
}

/** RLP of an integer has no leading zeros; zero is empty. */
export function integer(value: Hex): Hex {
  const digits = BigInt(value).toString(16)
  if (digits === '0') return '0x'
  return `0x${digits.length % 2 ? '0' : ''}${digits}`
}
