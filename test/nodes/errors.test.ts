/** The error of a failed node never contains its URL. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getLogsRetryHelper } from '@ponder/utils'
import { HttpRequestError, RpcRequestError, TimeoutError } from 'viem'
import { afterEach, describe, expect, it } from 'vitest'
import { connectNodes } from '../../nodes/connect.ts'
import { freePort } from '../support/anvil.ts'
import { NODE_TIMEOUT_MS } from '../support/limits.ts'

const SECRET = /k3y-in-path|k3y-in-query|us3rname|passw0rd|127\.0\.0\.1/
const path = '/v2/k3y-in-path?token=k3y-in-query'

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

/** A node that answers every request with this status and body, in which `{host}` is the host that was asked. */
async function nodeAnswering(
  status: number,
  body: string,
  headers: Record<string, string> = {},
): Promise<string> {
  const server = createServer((request, response) =>
    response.writeHead(status, headers).end(body.replace('{host}', request.headers.host ?? '')),
  )
  stops.push(() => server.close().closeAllConnections())
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve(`127.0.0.1:${portOf(server.address())}`)),
  )
}

function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address ? address.port : 0
}

async function failureOf(host: string, timeout = NODE_TIMEOUT_MS, target = path): Promise<unknown> {
  const [node] = connectNodes([`http://us3rname:passw0rd@${host}${target}`], { timeout })
  return node?.ask({ method: 'eth_chainId' }).catch((error: unknown) => error)
}

/** All that a log could print of it. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return JSON.stringify(error) ?? ''
  const properties = Object.values(error).map((value) => JSON.stringify(value) ?? '')
  const cause = error.cause === undefined ? '' : textOf(error.cause)
  return [error.message, error.stack, ...properties, cause].join('\n')
}

describe('the failure of a node', () => {
  it('that refuses the connection states the reason and the position of the node', async () => {
    const error = await failureOf(`127.0.0.1:${await freePort()}`)
    expect(error).toBeInstanceOf(HttpRequestError)
    expect(error).toMatchObject({ details: 'ECONNREFUSED' })
    expect(textOf(error)).toContain('node 1 of 1')
    expect(textOf(error)).not.toMatch(SECRET)
  })

  it('has no URL where it contains a % that is no percent-encoding', async () => {
    const host = `127.0.0.1:${await freePort()}`
    const error = await failureOf(host, NODE_TIMEOUT_MS, '/k3y-in-path?token=k3y-in-query%25&more=%')
    expect(textOf(error)).toContain('ECONNREFUSED')
    expect(textOf(error)).not.toMatch(SECRET)
  })

  it('that refuses the key keeps the status, and not the key where the answer repeats it', async () => {
    const host = await nodeAnswering(401, `no such key: k3y-in-path at ${path} of us3rname`)
    const error = await failureOf(host)
    expect(error).toMatchObject({ status: 401 })
    expect(textOf(error)).toContain('no such key')
    expect(textOf(error)).not.toMatch(SECRET)
  })

  it('has no value of a parameter of the URL that the answer repeats alone', async () => {
    const error = await failureOf(await nodeAnswering(403, 'the key k3y-in-query is blocked'))
    expect(textOf(error)).toContain('is blocked')
    expect(textOf(error)).not.toMatch(SECRET)
  })

  it('has no query of the URL that is a key without a name', async () => {
    const host = await nodeAnswering(403, 'the key k3y-in-query is blocked')
    const error = await failureOf(host, NODE_TIMEOUT_MS, '/?k3y-in-query')
    expect(textOf(error)).toContain('is blocked')
    expect(textOf(error)).not.toMatch(SECRET)
  })

  it('has no part of the URL of five characters, and keeps shorter ones, which are no keys', async () => {
    const host = await nodeAnswering(403, 'abcde and abcd')
    const error = await failureOf(host, NODE_TIMEOUT_MS, '/abcd/abcde')
    expect(error).toMatchObject({ details: '"[secret] and abcd"' })
  })

  it.each([
    ['/abcde/abcdefgh', 'abcdefgh and abcde', '[secret] and [secret]'],
    ['/abcdefgh/abcde', 'abcde and abcdefgh', '[secret] and [secret]'],
    ['/?first=cdefg&second=abcdefgh', 'abcdefgh', '[secret]'],
    ['/k3y-in-path', 'http://us3rname:passw0rd@{host}/k3y-in-path', '[secret]'],
  ])('has no rest of a secret of %s that contains a shorter one: %s', async (target, repeated, details) => {
    const error = await failureOf(await nodeAnswering(403, repeated), NODE_TIMEOUT_MS, target)
    expect(error).toMatchObject({ details: JSON.stringify(details) })
  })

  it('has no host that the answer repeats', async () => {
    const error = await failureOf(await nodeAnswering(502, 'no upstream for {host}'))
    expect(error).toMatchObject({ status: 502, details: '"no upstream for [secret]"' })
    expect(textOf(error)).not.toMatch(SECRET)
  })

  it('has no part of a key at the end of a long answer, which is cut after 300 characters', async () => {
    const error = await failureOf(await nodeAnswering(500, `${'x'.repeat(294)}k3y-in-path${'x'.repeat(300)}`))
    expect(error).toMatchObject({ status: 500, details: expect.stringMatching(/^.{300}$/) })
    expect(textOf(error)).not.toContain('k3y')
  })

  it('has no key that the answer repeats without the percent-encoding of the URL', async () => {
    const host = await nodeAnswering(401, 'no such key: k3y-in-path')
    const error = await failureOf(host, NODE_TIMEOUT_MS, '/v2/k3y%2Din%2Dpath')
    expect(textOf(error)).toContain('no such key')
    expect(textOf(error)).not.toMatch(SECRET)
  })

  it('that is a JSON-RPC error keeps code, message and data', async () => {
    const body = {
      jsonrpc: '2.0',
      id: 1,
      error: { code: 3, message: 'execution reverted at k3y-in-path', data: '0x12' },
    }
    const error = await failureOf(await nodeAnswering(200, JSON.stringify(body)))
    expect(error).toBeInstanceOf(RpcRequestError)
    expect(error).toMatchObject({ code: 3, data: '0x12', details: 'execution reverted at [secret]' })
    expect(textOf(error)).not.toMatch(SECRET)
  })

  it.each([
    ['no message', { code: 3 }, 'no reason'],
    ['a number as message', { code: 3, message: 5 }, '5'],
    ['an object as message', { code: 3, message: {} }, '[object Object]'],
    ['a text in its place', 'broken at k3y-in-path', 'no reason'],
  ])('that is a JSON-RPC error with %s is one', async (_, answered, details) => {
    const body = { jsonrpc: '2.0', id: 1, error: answered }
    const error = await failureOf(await nodeAnswering(200, JSON.stringify(body)))
    expect(error).toBeInstanceOf(RpcRequestError)
    expect(error).toMatchObject({ details })
    expect(textOf(error)).not.toMatch(SECRET)
  })

  it('that is a JSON-RPC error whose message cannot be written as text is a failure without an answer', async () => {
    const body = { jsonrpc: '2.0', id: 1, error: { code: 3, message: { toString: 1, valueOf: 1 } } }
    const error = await failureOf(await nodeAnswering(200, JSON.stringify(body)))
    expect(error).toBeInstanceOf(HttpRequestError)
    expect(textOf(error)).not.toMatch(SECRET)
  })

  it('that is invalid JSON or a timeout has no URL either', async () => {
    const error = await failureOf(await nodeAnswering(200, '<h1>k3y-in-path</h1>'))
    expect(textOf(error)).not.toMatch(SECRET)
    const silent = createServer(() => {})
    stops.push(() => silent.close().closeAllConnections())
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const slow = await failureOf(`127.0.0.1:${portOf(silent.address())}`, 50)
    expect(slow).toBeInstanceOf(TimeoutError)
    expect(textOf(slow)).not.toMatch(SECRET)
  })

  it('has no headers, because viem would follow Retry-After', async () => {
    const error = await failureOf(await nodeAnswering(503, 'later', { 'Retry-After': '86400' }))
    expect(error).toMatchObject({ status: 503, headers: undefined })
  })
})

describe('an answer', () => {
  const filter = { fromBlock: '0x1', toBlock: '0x9' } as const
  const answer = JSON.stringify({ jsonrpc: '2.0', id: 1, result: 'x'.repeat(960) })

  async function sizes(limits: { maxResponseBodySize: number; rangeBytesMax?: number }, params: unknown) {
    const host = await nodeAnswering(200, answer)
    const [node] = connectNodes([`http://${host}/k3y-in-path`], { timeout: NODE_TIMEOUT_MS, ...limits })
    return node?.ask({ method: 'eth_getLogs', params: [params] }).then(
      (result) => String(result).length,
      (error: unknown) => error,
    )
  }

  it('is refused above its limit, with an error that makes Ponder halve a range of blocks', async () => {
    const error = await sizes({ maxResponseBodySize: answer.length - 1 }, filter)
    expect(error).toBeInstanceOf(RpcRequestError)
    expect(textOf(error)).not.toMatch(SECRET)
    if (!(error instanceof RpcRequestError)) return
    const { shouldRetry, ranges } = getLogsRetryHelper({ params: [filter], error })
    expect({ shouldRetry, ranges }).toEqual({
      shouldRetry: true,
      ranges: [
        { fromBlock: '0x1', toBlock: '0x5' },
        { fromBlock: '0x6', toBlock: '0x9' },
      ],
    })
    expect(await sizes({ maxResponseBodySize: answer.length }, filter)).toBe(960)
  })

  it('has a lower limit where it has the logs of several blocks, if one is given', async () => {
    const limits = { maxResponseBodySize: answer.length, rangeBytesMax: answer.length - 1 }
    expect(await sizes(limits, filter)).toBeInstanceOf(RpcRequestError)
    expect(await sizes(limits, { fromBlock: '0x9', toBlock: '0x9' })).toBe(960)
    expect(await sizes(limits, { blockHash: '0x9' })).toBe(960)
  })
})
