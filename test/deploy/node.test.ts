/** The failures of a node, and the forms in which it may answer. */
import { afterEach, expect, it } from 'vitest'
import {
  createNode,
  estimateGas,
  readBalance,
  readBlock,
  readCode,
  readNonce,
  requireChain,
  send,
} from '../../deploy/node.ts'
import { requireListable } from '../../deploy/tokens.ts'
import { connect } from '../../nodes/connect.ts'
import { NODE_TIMEOUT_MS } from '../support/limits.ts'
import { type Answer, type RpcRequest, startNodeProxy } from '../support/node-proxy.ts'

const ADDRESS = `0x${'7a'.repeat(20)}` as const

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

async function nodeThat(answer: (request: RpcRequest) => Answer, timeout = NODE_TIMEOUT_MS) {
  const { url, stop } = await startNodeProxy(answer)
  stops.push(stop)
  return createNode(connect(url, 'the node', { timeout }), async () => {})
}

it('a node that never answers is not available', async () => {
  const node = await nodeThat(() => 'silence', 50)
  const message = expect.stringContaining('Run the same command again to continue.')
  for (const failed of [readBlock(node, 'latest'), requireChain(node, { chainId: 1 })])
    await expect(failed).rejects.toMatchObject({ code: 'NODE_UNAVAILABLE', message })
})

it('an error that a node answers to a transaction or an estimate is final, and all else is tried four times', async () => {
  const attemptsWhile = async (answer: Answer) => {
    const asked: string[] = []
    const node = await nodeThat(({ method }) => {
      asked.push(method)
      return answer
    })
    await Promise.allSettled([
      send(node, 'eth_sendRawTransaction', '0x'),
      send(node, 'eth_sendTransaction', {}),
      estimateGas(node, { from: ADDRESS, data: '0x' }),
      readNonce(node, ADDRESS, 'latest'),
      readCode(node, ADDRESS, 1),
    ])
    return Object.fromEntries([...Map.groupBy(asked, String)].map(([method, { length }]) => [method, length]))
  }
  const [once, reads] = [
    { eth_sendRawTransaction: 1, eth_sendTransaction: 1, eth_estimateGas: 1 },
    { eth_getTransactionCount: 4, eth_getCode: 4 },
  ]
  expect(await attemptsWhile({ error: { code: -32_000, message: 'no room' } })).toEqual({ ...once, ...reads })
  expect(await attemptsWhile({ status: 502 })).toEqual({
    ...{ eth_sendRawTransaction: 4, eth_sendTransaction: 4, eth_estimateGas: 4 },
    ...reads,
  })
})

it('a token is not to blame for a node that fails', async () => {
  const node = await nodeThat(({ method }) =>
    method === 'eth_getCode' ? { result: '0x60' } : { status: 502 },
  )
  await expect(requireListable(node, ADDRESS, 1)).rejects.toMatchObject({ code: 'NODE_UNAVAILABLE' })
})

it('code in uppercase hex equals the same code in lowercase', async () => {
  const node = await nodeThat(() => ({ result: '0x60FEED' }))
  expect(await readCode(node, ADDRESS, 1)).toBe('0x60feed')
})

it('gas and balances are those of the latest block, whatever is pending, and other state is that of the named block', async () => {
  const asked: unknown[] = []
  const node = await nodeThat(({ method, params }) => {
    asked.push([method, params.at(-1)])
    return { result: '0x60' }
  })
  await estimateGas(node, { from: ADDRESS, data: '0x' })
  await readBalance(node, ADDRESS)
  await readCode(node, ADDRESS, 26)
  for (const at of ['latest', 'pending', 26] as const) await readNonce(node, ADDRESS, at)
  expect(asked).toEqual([
    ['eth_estimateGas', 'latest'],
    ['eth_getBalance', 'latest'],
    ['eth_getCode', '0x1a'],
    ['eth_getTransactionCount', 'latest'],
    ['eth_getTransactionCount', 'pending'],
    ['eth_getTransactionCount', '0x1a'],
  ])
})
