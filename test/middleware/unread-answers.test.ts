/** Clients that do not read their answers, over real HTTP. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { toCodedError, toProblem } from '../../api/errors.ts'
import { defineMiddleware, startChain } from '../../api/http/define-middleware.ts'
import { type RouteRules, routeRules } from '../../api/http/route-rules.ts'
import { unreadAnswers } from '../../api/limits/unread-answers.ts'
import { serveHttp } from '../support/serve.ts'

/** The buffers of the operating system hold at most 10 MiB of it. */
const LARGE = 'x'.repeat(16 << 20)
/** At least 2 MiB of it stay unread. With all of it unread, a client may still ask for an answer without bytes. */
const MEDIUM = 'x'.repeat(12 << 20)
/** Three large answers exceed the limit of an address. Four addresses with one each exceed their shares. */
const LIMITS = { perAddress: 16 << 20, max: 20 << 20 }
const SLOW = '192.0.2.1'
const OTHER = '192.0.2.2'

let server: Awaited<ReturnType<typeof serveHttp>>
let sockets: Socket[]
/** Ends the wait of requests to `/waiting` and `/constant`. */
let admit: () => void
/** Requests to `/constant` whose handler has begun. */
let arrived: number
/** To be called by the handler of `/left`. */
let left = () => {}

/** Delays requests to `/left` until their connections have closed. */
const untilClosed = defineMiddleware(async (c, next) => {
  const { outgoing } = c.env ?? {}
  if (outgoing && c.req.path === '/left') await once(outgoing, 'close')
  await next()
})

beforeEach(async () => {
  const admitted = new Promise<void>((resolve) => {
    admit = resolve
  })
  const counted: RouteRules = { access: 'public', limit: 'default' }
  const rules = new Map<string, RouteRules>([
    ['GET /large', counted],
    ['GET /medium', counted],
    ['GET /small', counted],
    ['GET /waiting', counted],
    ['GET /constant', counted],
    ['GET /sized/:bytes', counted],
    ['GET /left', counted],
    ['GET /probe', { access: 'public', limit: 'none' }],
  ])
  const app = startChain()
    .use(routeRules(rules))
    .use(untilClosed)
    .use(unreadAnswers({ trustedProxies: 1 }, LIMITS))
    .createApp()
  app.get('/large', (c) => c.text(LARGE))
  app.get('/medium', (c) => c.text(MEDIUM))
  app.get('/small', (c) => c.text('small'))
  app.get('/probe', (c) => c.text('alive'))
  app.get('/waiting', async (c) => {
    await admitted
    c.get('requireRead')()
    return c.text('read')
  })
  arrived = 0
  app.get('/constant', async (c) => {
    arrived += 1
    await admitted
    c.get('requireRead')(LARGE.length)
    // Answers of one turn are written at its end.
    await nextTurn()
    return c.text(LARGE)
  })
  app.get('/sized/:bytes', async (c) => {
    arrived += 1
    await admitted
    c.get('requireRead')(Number(c.req.param('bytes')))
    await nextTurn()
    return c.text('sized')
  })
  app.get('/left', async (c) => {
    c.get('requireRead')(LIMITS.max + 1)
    left()
    await admitted
    return c.text('nobody reads it')
  })
  app.onError((error) => Response.json(toProblem(toCodedError(error), 'a request'), { status: 429 }))
  server = await serveHttp(app.fetch)
  sockets = []
})
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  await server.close()
})

/** Requests the large answer three times, and reads nothing. */
const askThriceAndIgnore = (address: string) => [0, 1, 2].map(() => askAndIgnore(address))

/** Requests a large answer, and reads nothing of it. */
function askAndIgnore(address: string, path = '/large'): Socket {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  socket.pause().on('error', () => {})
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: test\r\nX-Forwarded-For: ${address}\r\nConnection: close\r\n\r\n`,
  )
  sockets.push(socket)
  return socket
}

async function ask(path: string, address: string): Promise<[number, string]> {
  const response = await fetch(server.url + path, { headers: { 'X-Forwarded-For': address } })
  const text = await response.text()
  return [response.status, response.ok ? text : JSON.parse(text).code]
}

describe('an address with too many unread bytes', () => {
  it('is refused until it has read them, while others and probes are answered', async () => {
    const slow = askThriceAndIgnore(SLOW)
    await expect.poll(() => ask('/small', SLOW)).toEqual([429, 'ANSWERS_UNREAD'])
    expect(await ask('/small', OTHER)).toEqual([200, 'small'])
    expect(await ask('/probe', SLOW)).toEqual([200, 'alive'])
    for (const socket of slow) socket.resume()
    await Promise.all(slow.map((socket) => once(socket, 'close')))
    expect(Math.max(...slow.map(({ bytesRead }) => bytesRead))).toBeGreaterThan(LARGE.length)
    await expect.poll(() => ask('/small', SLOW)).toEqual([200, 'small'])
  })

  it('is admitted again once its connections are closed', async () => {
    askThriceAndIgnore(SLOW)
    await expect.poll(() => ask('/small', SLOW)).toEqual([429, 'ANSWERS_UNREAD'])
    for (const socket of sockets) socket.destroy()
    await expect.poll(() => ask('/small', SLOW)).toEqual([200, 'small'])
  })

  it('has the others unread after one of its answers is sent', async () => {
    admit()
    askAndIgnore(SLOW, '/medium')
    const more = () => ask(`/sized/${LIMITS.perAddress - (1 << 20)}`, SLOW)
    await expect.poll(more).toEqual([429, 'ANSWERS_UNREAD'])
    expect(await ask('/small', SLOW)).toEqual([200, 'small'])
    expect(await more()).toEqual([429, 'ANSWERS_UNREAD'])
  })

  it('is refused the work of a request that came before', async () => {
    const waiting = ask('/waiting', SLOW)
    askThriceAndIgnore(SLOW)
    await expect.poll(() => ask('/small', SLOW)).toEqual([429, 'ANSWERS_UNREAD'])
    admit()
    expect(await waiting).toEqual([429, 'ANSWERS_UNREAD'])
  })
})

it('the networks of 64 bits of one client have one limit together', async () => {
  const networkOf = (group: number) => `2001:db8:0:${group}::1`
  for (const group of [1, 2, 3]) askAndIgnore(networkOf(group))
  await expect.poll(() => ask('/small', networkOf(4))).toEqual([429, 'ANSWERS_UNREAD'])
  expect(await ask('/small', '2001:db8:1:1::1')).toEqual([200, 'small'])
})

describe('answers without a read', () => {
  it('count before they are written: requests that arrive together exceed the limit', async () => {
    const together = Array.from({ length: 10 }, () => ask('/constant', SLOW))
    await expect.poll(() => arrived).toBe(10)
    admit()
    const answers = await Promise.all(together)
    expect(answers.map(([status]) => status).toSorted()).toEqual([200, ...Array(9).fill(429)])
    await expect.poll(() => ask('/constant', SLOW)).toEqual([200, LARGE])
  })

  it('may have exactly the bytes of the limit together', async () => {
    const together = Array.from({ length: 5 }, () => ask(`/sized/${LIMITS.perAddress / 2}`, SLOW))
    await expect.poll(() => arrived).toBe(5)
    admit()
    const answers = await Promise.all(together)
    expect(answers.map(([status]) => status).toSorted()).toEqual([200, 200, 429, 429, 429])
  })

  it('may exceed the limit alone: a client without unread bytes is never refused', async () => {
    admit()
    expect(await ask(`/sized/${LIMITS.max + 1}`, SLOW)).toEqual([200, 'sized'])
  })

  it('of an address leave no count behind when their clients leave before them', async () => {
    admit()
    for (let i = 0; i < 20; i += 1) {
      const socket = askAndIgnore(SLOW, '/constant')
      await once(socket, 'connect')
      socket.destroy()
    }
    await expect.poll(() => ask('/constant', SLOW)).toEqual([200, LARGE])
  })
})

it('an answer whose connection closed before it was counted does not count', async () => {
  const handled = new Promise<void>((resolve) => {
    left = resolve
  })
  const socket = askAndIgnore(SLOW, '/left')
  await once(socket, 'connect')
  socket.end()
  await handled
  expect(await ask('/small', SLOW)).toEqual([200, 'small'])
  admit()
})

describe('many addresses that read nothing', () => {
  it('have equal shares of one limit, and take nothing from a client that reads', async () => {
    const slow = [3, 4, 5, 6].map((last) => `192.0.2.${last}`)
    for (const address of slow) askAndIgnore(address)
    for (const address of slow) {
      await expect.poll(() => ask('/small', address)).toEqual([429, 'ANSWERS_UNREAD'])
    }
    const headers = { 'X-Forwarded-For': slow[0] ?? '' }
    const share = async () => (await (await fetch(`${server.url}/small`, { headers })).json()).maximum
    await expect.poll(share).toBe(LIMITS.max / slow.length)
    expect(await ask('/small', OTHER)).toEqual([200, 'small'])
    for (const socket of sockets) socket.destroy()
    await expect.poll(() => ask('/small', slow[0] ?? '')).toEqual([200, 'small'])
  })
})
