/** Clients that send requests before they have the answers to earlier ones, over real HTTP. */
import { once } from 'node:events'
import type { RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { inTurn, UNANSWERED_MAX, watchConnections } from '../api/http/connections.ts'
import { connectRaw } from './support/raw-server.ts'

async function start(answer: RequestListener): Promise<Socket> {
  const { client } = await connectRaw((server) => {
    server.on('request', inTurn(watchConnections(server), answer))
  })
  return client.setEncoding('latin1')
}

const requests = (paths: readonly string[]) =>
  paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: test\r\n\r\n`).join('')

const numbered = (count: number) => Array.from({ length: count }, (_, i) => `/${i}`)

describe('requests that a client sends together', () => {
  it('are answered one after another: none begins before the one before it is complete', async () => {
    const begun: string[] = []
    const answers: ServerResponse[] = []
    const socket = await start(({ url = '' }, response) => {
      begun.push(url)
      answers.push(response)
    })
    socket.write(requests(['/a', '/b', '/c']))
    for (const [i, path] of ['/a', '/b', '/c'].entries()) {
      await expect.poll(() => begun.at(-1)).toBe(path)
      expect(begun).toHaveLength(i + 1)
      answers[i]?.end(path)
    }
  })

  it('are all answered, in their order', async () => {
    const paths = numbered(UNANSWERED_MAX)
    const socket = await start(({ url }, response) => {
      setImmediate(() => response.end(`<${url}>`))
    })
    let text = ''
    socket.on('data', (data) => {
      text += data
    })
    socket.write(requests(paths))
    await expect.poll(() => [...text.matchAll(/<(.+?)>/g)].map(([, path]) => path)).toEqual(paths)
  })

  it('are answered while each is sent, however many there are in all', async () => {
    const socket = await start(({ url }, response) => {
      response.end(`<${url}>`)
    })
    for (const path of numbered(3 * UNANSWERED_MAX)) {
      const answered = once(socket, 'data')
      socket.write(requests([path]))
      expect(String(await answered)).toContain(`<${path}>`)
    }
  })

  it('close their connection if too many wait, and none of them is begun', async () => {
    const begun: (string | undefined)[] = []
    const socket = await start(({ url }) => {
      begun.push(url)
    })
    socket.write(requests(numbered(UNANSWERED_MAX + 1)))
    await once(socket, 'close')
    expect(begun).toEqual(['/0'])
  })
})
