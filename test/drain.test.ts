/** A server that stops while a client reads, over real HTTP. */
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { watchConnections } from '../api/http/connections.ts'
import { createDrain } from '../api/http/drain.ts'
import { connectRaw } from './support/raw-server.ts'

/** More than the buffers of the operating system hold. */
const LARGE = Buffer.alloc(32 << 20)
const NEVER_MS = 600_000

it('a drain waits for an answer that is complete and not yet sent, and then closes its connection', async () => {
  let drain: ReturnType<typeof createDrain> | undefined
  const { server, client } = await connectRaw((server) => {
    drain = createDrain(server, watchConnections(server))
    server.on('request', (_, response) => response.end(LARGE))
  })
  const requested = once(server, 'request')
  client.pause().write('GET / HTTP/1.1\r\nHost: test\r\n\r\n')
  await requested
  const drained = drain?.(0, NEVER_MS)
  // Several searches for idle connections.
  await pause(300)
  client.resume()
  await once(client, 'close')
  expect(client.bytesRead).toBeGreaterThan(LARGE.length)
  await drained
})
