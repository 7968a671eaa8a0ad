import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { watchConnections } from '../api/http/connections.ts'
import { limitUnread, type UnreadLimits } from '../api/http/unread.ts'
import { connectRaw } from './support/raw-server.ts'

/** More than the buffers of the operating system hold. */
const LARGE = Buffer.alloc(32 << 20)
const NEVER_MS = 600_000
/** `LARGE` takes 31 ms. */
const FAST = 1 << 30

/** A client that has asked and reads nothing yet, and the server's end of its connection. */
async function ask(limits: UnreadLimits, answer: RequestListener): Promise<{ client: Socket; peer: Socket }> {
  const ends = await connectTo(limits, answer)
  ends.client.pause().write('GET / HTTP/1.1\r\nHost: test\r\n\r\n')
  return ends
}

/** A client that has not asked yet, and the server's end of its connection. */
async function connectTo(
  limits: UnreadLimits,
  answer: RequestListener = (_, response) => response.end('answered'),
): Promise<{ client: Socket; peer: Socket }> {
  return connectRaw((server) => {
    server.on('request', answer)
    limitUnread(server, watchConnections(server), limits)
  })
}

const isClosed = (peer: Socket) => expect.poll(() => peer.destroyed, { message: 'is closed' }).toBe(true)

describe('a connection with unread bytes', () => {
  it('is closed once the client has read nothing for the time limit', async () => {
    const { peer } = await ask({ stalledMs: 200, graceMs: NEVER_MS, bytesPerSecond: FAST }, (_, response) =>
      response.end(LARGE),
    )
    await isClosed(peer)
  })

  it('is closed once a client that reads slowly has taken too long for one answer', async () => {
    const { client, peer } = await ask(
      { stalledMs: NEVER_MS, graceMs: 500, bytesPerSecond: FAST },
      (_, response) => response.end(LARGE),
    )
    const reading = setInterval(() => client.read(1024), 20)
    await isClosed(peer)
    clearInterval(reading)
    expect(client.bytesRead).toBeLessThan(LARGE.length)
  })

  it('stays open for the time that its bytes take at the least rate', async () => {
    const limits = { stalledMs: NEVER_MS, graceMs: 100, bytesPerSecond: LARGE.length / 20 }
    const { client } = await ask(limits, (_, response) =>
      response.writeHead(200, { Connection: 'close' }).end(LARGE),
    )
    await pause(500)
    client.resume()
    await once(client, 'close')
    expect(client.bytesRead).toBeGreaterThan(LARGE.length)
  })

  it('stays open while a client reads, however often it pauses', async () => {
    const { client } = await ask(
      { stalledMs: 2_000, graceMs: NEVER_MS, bytesPerSecond: FAST },
      (_, response) => response.writeHead(200, { Connection: 'close' }).end(LARGE),
    )
    let read = 0
    client.on('data', (bytes) => {
      read += bytes.length
      client.pause()
      setTimeout(() => client.resume(), 5)
    })
    client.resume()
    await once(client, 'close')
    expect(read).toBeGreaterThan(LARGE.length)
  })

  it('stays open if nothing is left to read, as between two events of a stream', async () => {
    const { client, peer } = await ask(
      { stalledMs: 100, graceMs: 100, bytesPerSecond: FAST },
      async (_, response) => {
        response.write('first')
        await pause(500)
        response.end('second')
      },
    )
    let text = ''
    client.on('data', (bytes) => {
      text += bytes
      if (text.includes('second')) client.end()
    })
    client.resume()
    await isClosed(peer)
    expect(text).toContain('second')
  })
})

describe('a connection with requests that were sent before the last answer', () => {
  const TWO = 'GET /1 HTTP/1.1\r\nHost: test\r\n\r\nGET /2 HTTP/1.1\r\nHost: test\r\n\r\n'

  it('is closed once the first answer has taken too long, whatever the second waits for', async () => {
    const { client, peer } = await connectTo(
      { stalledMs: NEVER_MS, graceMs: 500, bytesPerSecond: FAST },
      ({ url }, response) => {
        if (url === '/1') response.end(LARGE)
      },
    )
    client.pause().write(TWO)
    const reading = setInterval(() => client.read(1024), 20)
    await isClosed(peer)
    clearInterval(reading)
    expect(client.bytesRead).toBeLessThan(LARGE.length)
  })

  it('stays open while the first answer is a stream, though the second has ended', async () => {
    const { client, peer } = await connectTo(
      { stalledMs: 100, graceMs: 100, bytesPerSecond: FAST },
      async ({ url }, response) => {
        if (url === '/1') await pause(500)
        response.end(`answer to ${url}`)
      },
    )
    let text = ''
    client.on('data', (bytes) => {
      text += bytes
      if (text.includes('answer to /2')) client.end()
    })
    client.write(TWO)
    await isClosed(peer)
    expect(text).toMatch(/answer to \/1[\s\S]*answer to \/2/)
  })

  it('closes all of their answers when its client leaves', async () => {
    const closed: (string | undefined)[] = []
    let answers = 0
    const { client } = await connectTo(
      { stalledMs: NEVER_MS, graceMs: NEVER_MS, bytesPerSecond: FAST },
      ({ url }, response) => {
        response.on('close', () => closed.push(url))
        answers += 1
        if (answers === 2) client.destroy()
      },
    )
    client.write(TWO)
    await expect.poll(() => closed.length).toBe(2)
    expect(closed.toSorted()).toEqual(['/1', '/2'])
  })
})

describe('a connection without a request', () => {
  it('is closed after the time limit', async () => {
    const { client, peer } = await connectTo({ stalledMs: 200, graceMs: NEVER_MS, bytesPerSecond: FAST })
    await isClosed(peer)
    client.destroy()
  })

  it('stays open if its request came while the process was stalled', async () => {
    const { client } = await connectTo({ stalledMs: 200, graceMs: NEVER_MS, bytesPerSecond: FAST })
    client.write('GET / HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n')
    stall(400)
    let text = ''
    client.on('data', (bytes) => {
      text += bytes
    })
    await once(client, 'close')
    expect(text).toContain('answered')
  })
})

function stall(milliseconds: number): void {
  const until = performance.now() + milliseconds
  while (performance.now() < until);
}
