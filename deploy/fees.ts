import { formatGwei } from 'viem'
import { DeployError } from './errors.ts'
import { type Node, readBlock, readPriorityFee } from './node.ts'

/** Wei per gas (EIP-1559). */
export type Fees = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }

/**
 * The fee that the node suggests, with room for the base fee to double. It is bounded because a node can suggest any
 * fee.
 * @param limit maximum of `maxFeePerGas`, wei
 * @throws DeployError `FEE_TOO_HIGH`, `FEES_UNSUPPORTED`
 */
export async function readFees(node: Node, limit: bigint): Promise<Fees> {
  const { baseFeePerGas } = await readBlock(node, 'latest')
  if (baseFeePerGas === undefined) {
    throw new DeployError(
      'FEES_UNSUPPORTED',
      `the latest block of ${node.name} has no base fee: the chain does not support EIP-1559`,
    )
  }
  const maxPriorityFeePerGas = await readPriorityFee(node)
  const required = baseFeePerGas + maxPriorityFeePerGas
  if (required > limit) {
    throw new DeployError(
      'FEE_TOO_HIGH',
      `the base fee is ${formatGwei(baseFeePerGas)} gwei and ${node.name} suggests a priority fee of ${formatGwei(maxPriorityFeePerGas)} gwei; the limit is ${formatGwei(limit)} gwei. Wait, or raise --max-fee-gwei.`,
    )
  }
  const roomy = required + baseFeePerGas
  return { maxFeePerGas: roomy < limit ? roomy : limit, maxPriorityFeePerGas }
}
