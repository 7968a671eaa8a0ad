import { expect, it, onTestFinished } from 'vitest'
import { connectNodes } from '../../nodes/connect.ts'
import { NODE_TIMEOUT_MS } from '../support/limits.ts'
import { startNodeProxy } from '../support/node-proxy.ts'

it('a node gets the id of the request for which it is asked, and no id where there is none', async () => {
  const received: unknown[] = []
  const proxy = await startNodeProxy((_, headers) => {
    received.push([headers['x-request-id'], headers['content-type']])
    return { result: '0x1' }
  })
  onTestFinished(proxy.stop)
  let id: string | undefined
  const [node] = connectNodes([proxy.url], { timeout: NODE_TIMEOUT_MS }, () => id)
  for (id of ['first', undefined, 'second']) await node?.ask({ method: 'eth_chainId' })
  const json = 'application/json'
  expect(received).toEqual([
    ['first', json],
    [undefined, json],
    ['second', json],
  ])
})
