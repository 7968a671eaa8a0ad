/** A server that stops while a client reads, over real HTTP. */
import { once } from 'node:events'
import type { RequestListener, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { inTurn, watchConnections } from '../api/http/connections.ts'
import { createDrain } from '../api/http/drain.ts'
import { connectRaw } from './support/raw-server.ts'

/** More than the buffers of the operating system hold. */
const LARGE = Buffer.alloc(32 << 20)
const NEVER_MS = 600_000

it.each([
  ['alone', []],
  ['before another that is idle', ['idle']],
  ['before another that waits for its answer', ['pending']],
  ['before the next one of its connection', ['next']],
])(
  'a drain waits for an answer that is complete and not yet sent, %s, and then closes its connection',
  async (_, others) => {
    let drain: ReturnType<typeof createDrain> | undefined
    const pending: ServerResponse[] = []
    const { server, client, port } = await connectRaw((server) => {
      server.keepAliveTimeout = NEVER_MS
      drain = createDrain(server, watchConnections(server))
      server.on('request', ({ url }, response) => {
        if (url === '/pending' || url === '/next') pending.push(response)
        else response.end(url === '/idle' ? 'answered' : LARGE)
      })
    })
    const requested = once(server, 'request')
    client.pause().write('GET / HTTP/1.1\r\nHost: test\r\n\r\n')
    await requested
    for (const path of others) {
      const other = path === 'next' ? client : connect(port, '127.0.0.1')
      onTestFinished(() => void other.destroy())
      const arrived = once(server, 'request')
      other.write(`GET /${path} HTTP/1.1\r\nHost: test\r\n\r\n`)
      await arrived
      if (path === 'idle') await once(other, 'data')
      if (path === 'pending') other.resume()
    }
    const drained = drain?.(0, NEVER_MS)
    // Several searches for idle connections.
    await pause(300)
    for (const response of pending) response.end('answered')
    client.resume()
    await once(client, 'close')
    expect(client.bytesRead).toBeGreaterThan(LARGE.length)
    await drained
  },
)

it.each([
  ['of one request', 1, 0],
  ['of two requests that are sent together', 2, 0],
  ['after the first of three requests that are sent together', 3, 1],
])(
  'the answers that are pending when the server stops are all sent, and the last one states the end: %s',
  async (_, count, answered) => {
    let drain: ReturnType<typeof createDrain> | undefined
    let begun = 0
    let answerPending: (() => void) | undefined
    const { server, client } = await connectRaw((server) => {
      const connections = watchConnections(server)
      drain = createDrain(server, connections)
      const onRequest: RequestListener = (_, response) => {
        begun += 1
        const answer = () => void response.end(`answer ${begun}`)
        if (begun === answered + 1) answerPending = answer
        else answer()
      }
      server.on('request', inTurn(connections, onRequest))
    })
    let text = ''
    client.on('data', (bytes) => {
      text += bytes
    })
    const closed = once(client, 'close')
    client.write('GET / HTTP/1.1\r\nHost: test\r\n\r\n'.repeat(count))
    await expect.poll(() => begun).toBe(answered + 1)
    const drained = drain?.(NEVER_MS, NEVER_MS)
    await expect.poll(() => server.listening).toBe(false)
    answerPending?.()
    await closed
    const answers = [...text.matchAll(/Connection: (\S+)[\s\S]*?(answer \d)/g)]
    expect(answers.map(([, connection, body]) => [body, connection])).toEqual(
      Array.from({ length: count }, (_, index) => [
        `answer ${index + 1}`,
        index === count - 1 ? 'close' : 'keep-alive',
      ]),
    )
    await drained
  },
)

it('a connection without a request stays open for the time that is given, and its next request is answered', async () => {
  let drain: ReturnType<typeof createDrain> | undefined
  const { server, client } = await connectRaw((server) => {
    server.keepAliveTimeout = NEVER_MS
    drain = createDrain(server, watchConnections(server))
    server.on('request', (_, response) => response.end('answered'))
  })
  let text = ''
  client.on('data', (bytes) => {
    text += bytes
  })
  const closed = once(client, 'close')
  const ask = () => client.write('GET / HTTP/1.1\r\nHost: test\r\n\r\n')
  ask()
  await expect.poll(() => text).toContain('answered')
  const drained = drain?.(NEVER_MS, NEVER_MS)
  await expect.poll(() => server.listening).toBe(false)
  // Several searches for idle connections.
  await pause(300)
  ask()
  await closed
  expect(text).toMatch(/Connection: keep-alive[\s\S]*answered[\s\S]*Connection: close[\s\S]*answered/)
  await drained
})

it('requests that a client sent together are all answered, and the last answer states that the connection closes', async () => {
  let drain: ReturnType<typeof createDrain> | undefined
  const pending: ServerResponse[] = []
  const { server, client } = await connectRaw((server) => {
    server.keepAliveTimeout = NEVER_MS
    drain = createDrain(server, watchConnections(server))
    server.on('request', (_, response) => pending.push(response))
  })
  client.write('GET / HTTP/1.1\r\nHost: test\r\n\r\n'.repeat(3))
  await expect.poll(() => pending.length).toBe(3)
  const drained = drain?.(0, NEVER_MS)
  await expect.poll(() => server.listening).toBe(false)
  let text = ''
  client.on('data', (bytes) => {
    text += bytes
  })
  for (const [index, response] of pending.entries()) response.end(`answer ${index}`)
  await once(client, 'close')
  const stated = [...text.matchAll(/Connection: (\S+)|answer \d/g)].map(
    ([found, connection]) => connection ?? found,
  )
  expect(stated).toEqual(['keep-alive', 'answer 0', 'keep-alive', 'answer 1', 'close', 'answer 2'])
  await drained
})
