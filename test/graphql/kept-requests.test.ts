/** A request is collected once it is answered: what kept one would grow with every request until the process ends. */
import { connect } from 'node:net'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { GRAPHQL_PATH } from '../../api/graphql/serve/endpoint.ts'
import { serveHttp } from '../support/serve.ts'
import { sharedWorld } from '../support/world.ts'
import { createClient } from './client.ts'

const REQUESTS = 40
/** The last ones may still stand in a register, in a pool or on a connection that is kept alive. */
const KEPT_MAX = 5
const ROUNDS_MAX = 500

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

const gateway = createClient(sharedWorld().databaseUrl)
const requests: WeakRef<Request>[] = []
let server: Awaited<ReturnType<typeof serveHttp>>

beforeAll(async () => {
  server = await serveHttp((request, env) => {
    requests.push(new WeakRef(request))
    return gateway.app.fetch(request, env)
  })
})
afterAll(async () => {
  await server.close()
  await gateway.stop()
})

async function keptAfter(send: () => Promise<void>): Promise<number> {
  requests.length = 0
  for (let sent = 0; sent < REQUESTS; sent++) await send()
  expect(requests).toHaveLength(REQUESTS)
  let kept = REQUESTS
  // The gateway ends a request after its client has left, and a weak reference is read in a later turn than its object
  // was used in.
  for (let round = 0; round < ROUNDS_MAX && kept > KEPT_MAX; round++) {
    await pause(20)
    collectGarbage()
    kept = requests.filter((request) => request.deref() !== undefined).length
  }
  return kept
}

function pathOf(query: string): string {
  return `${GRAPHQL_PATH}?${new URLSearchParams({ query })}`
}

function open(query: string, accept: string): Promise<Response> {
  return fetch(server.url + pathOf(query), { headers: { Accept: accept } })
}

async function leaveEarly(query: string): Promise<void> {
  const sent = requests.length
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  socket.write(`GET ${pathOf(query)} HTTP/1.1\r\nHost: gateway\r\nAccept: text/event-stream\r\n\r\n`)
  while (requests.length === sent) await nextTurn()
  socket.destroy()
}

const EVENTS = { Accept: 'text/event-stream' }
const BLOCK = '{ finalizedBlock { blockNumber } }'

const cases: [title: string, send: () => Promise<void>][] = [
  [
    'a query',
    async () => void (await (await open('{ claims(first: 1) { totalCount } }', 'application/json')).text()),
  ],
  [
    'a subscription whose client leaves',
    async () => {
      const reader = (await open(`subscription ${BLOCK}`, 'text/event-stream')).body?.getReader()
      await reader?.read()
      await reader?.cancel()
    },
  ],
  ['a subscription whose client leaves before it begins', () => leaveEarly(`subscription ${BLOCK}`)],
  [
    'a query as events whose client leaves before its answer',
    () => leaveEarly('{ claims(first: 1) { totalCount } }'),
  ],
  [
    'a HEAD request for events',
    async () => void (await fetch(`${server.url}${pathOf(BLOCK)}`, { method: 'HEAD', headers: EVENTS })),
  ],
  ['a list', async () => void (await (await fetch(`${server.url}/api/v1/vaults`)).text())],
  ['an export', async () => void (await (await fetch(`${server.url}/api/v1/exports/claims.csv`)).text())],
]

describe('the memory of the gateway', () => {
  it.each(cases)('does not keep the request of %s', async (_, send) => {
    expect(await keptAfter(send)).toBeLessThanOrEqual(KEPT_MAX)
  })
})
