/** Requests of many calls to the node of a development system. */
import { json } from 'node:stream/consumers'
import { afterEach, expect, it } from 'vitest'
import { z } from 'zod'
import { createRpcBatch, type RpcCall } from '../../devnet/rpc.ts'
import { listen } from '../support/listener.ts'

const requestShape = z.array(z.object({ id: z.number(), method: z.string(), params: z.array(z.unknown()) }))

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

/** A node that answers with the parameters, in the reverse order, and the method `fail` with an error. */
async function startNode() {
  const sizes: number[] = []
  const { url, stop } = await listen(async (request, response) => {
    const calls = requestShape.parse(await json(request))
    sizes.push(calls.length)
    const answers = calls
      .filter(({ method }) => method !== 'lose')
      .map(({ id, method, params }) =>
        method === 'fail' ? { id, error: { message: 'no room' } } : { id, result: params[0] },
      )
    response.end(JSON.stringify(answers.toReversed()))
  })
  stops.push(stop)
  return { rpc: createRpcBatch(url), sizes }
}

const echoes = (count: number): RpcCall[] =>
  Array.from({ length: count }, (_, index) => ['echo', [`${index}`]] as const)

it('calls are answered in their order, in requests of at most 200', async () => {
  const { rpc, sizes } = await startNode()
  expect(await rpc(echoes(401))).toEqual(Array.from({ length: 401 }, (_, index) => `${index}`))
  expect(sizes).toEqual([200, 200, 1])
  expect(await rpc([])).toEqual([])
})

it('a call that fails is an error with its method and the words of the node', async () => {
  const { rpc } = await startNode()
  await expect(rpc([...echoes(1), ['fail', []], ...echoes(1)])).rejects.toThrow('fail: no room')
  await expect(rpc([['lose', []]])).rejects.toThrow('lose: no answer')
})

it('a node that refuses a request is an error with its status', async () => {
  const { url, stop } = await listen((_, response) => response.writeHead(413).end('too large'))
  stops.push(stop)
  await expect(createRpcBatch(url)(echoes(1))).rejects.toThrow(`${url} answered 413 too large`)
})
