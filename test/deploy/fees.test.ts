/** The fee of a transaction, at the borders of the limit of the operator. */
import { setTimeout as pause } from 'node:timers/promises'
import { numberToHex, zeroHash } from 'viem'
import { afterEach, describe, expect, it } from 'vitest'
import { readFees } from '../../deploy/fees.ts'
import { createNode } from '../../deploy/node.ts'
import { connect } from '../../nodes/connect.ts'
import { NODE_TIMEOUT_MS } from '../support/limits.ts'
import { startNodeProxy } from '../support/node-proxy.ts'

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

/** @param base undefined for a chain without EIP-1559 */
async function feesWith(base: number | undefined, priority: number, limit: bigint) {
  const block = {
    number: '0x1',
    hash: zeroHash,
    ...(base !== undefined && { baseFeePerGas: numberToHex(base) }),
  }
  const node = await startNodeProxy(({ method }) => ({
    result: method === 'eth_maxPriorityFeePerGas' ? numberToHex(priority) : block,
  }))
  stops.push(node.stop)
  return readFees(createNode(connect(node.url, 'the node', { timeout: NODE_TIMEOUT_MS }), pause), limit)
}

describe('the fee of a deployment', () => {
  it.each([
    ['twice the base fee and the priority fee, where the limit allows it', 30n, 23n],
    ['just that at its limit', 23n, 23n],
    ['the limit, where the base fee may not double', 22n, 22n],
    ['the limit, where it is just enough for now', 13n, 13n],
  ])('is %s', async (_, limit, maxFeePerGas) => {
    expect(await feesWith(10, 3, limit)).toEqual({ maxFeePerGas, maxPriorityFeePerGas: 3n })
  })

  it('is refused one wei above the limit', async () => {
    await expect(feesWith(10, 3, 12n)).rejects.toMatchObject({ code: 'FEE_TOO_HIGH' })
  })

  it('may be nothing, and is unknown on a chain without a base fee', async () => {
    expect(await feesWith(0, 0, 1n)).toEqual({ maxFeePerGas: 0n, maxPriorityFeePerGas: 0n })
    await expect(feesWith(undefined, 3, 30n)).rejects.toMatchObject({ code: 'FEES_UNSUPPORTED' })
  })
})
