/** Clients that read no answer, at a gateway with a heap that holds few of them. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { getIntrospectionQuery } from 'graphql'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { residentMegabytes } from '../../../bench/processes.ts'
import { freePort } from '../../support/anvil.ts'
import { type Replica, startReplicaWorld } from '../../support/replica.ts'
import { readJson } from '../../support/sign-in.ts'

const ADDRESSES = 100
const HEAP_MB = 192
/** Resident memory: the heap, what the socket of each reader holds, and the code of the process. */
const RESIDENT_MAX_MB = 400
/** Requests that each client sends together, in one packet; their answers have 13 MB. */
const TOGETHER = 30

let the: Awaited<ReturnType<typeof startReplicaWorld>>
let gateway: Replica
let port: number
const sockets: Socket[] = []

beforeAll(async () => {
  ;[the, port] = await Promise.all([startReplicaWorld(), freePort()])
  const limits = { RATE_LIMIT_DEFAULT: '1000000', RATE_LIMIT_COST: '1000000000' }
  gateway = await the.start({ port, heapMb: HEAP_MB, env: { ...limits, TRUSTED_PROXIES: '1' } })
})
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await the?.stop()
})

const introspection = getIntrospectionQuery().replaceAll(/\s+/g, ' ')

/** Each query has a name of its own: answers to one query share their memory. */
const request = (address: number, index: number) =>
  [
    `GET /api/v1/graphql?query=${encodeURIComponent(introspection.replace('IntrospectionQuery', `Q${address}_${index}`))} HTTP/1.1`,
    'Host: test',
    `X-Forwarded-For: 198.51.100.${address}`,
    'Accept: application/json\r\n\r\n',
  ].join('\r\n')

async function askAndIgnore(address: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket.pause().on('error', () => {}))
  await once(socket, 'connect')
  socket.write(Array.from({ length: TOGETHER }, (_, i) => request(address, i)).join(''))
}

it('a hundred of them, who ask for more than the heap holds, take nothing from a client that reads', async () => {
  await Promise.all(Array.from({ length: ADDRESSES }, (_, i) => askAndIgnore(i + 1)))
  const answer = await gateway.request('/api/v1/graphql', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': '203.0.113.1' },
    body: JSON.stringify({ query: '{ __typename }' }),
  })
  expect(await readJson(answer)).toMatchObject({ data: { __typename: 'Query' } })
  const resident = residentMegabytes(gateway.process.pid)
  console.log(`resident memory: ${resident} MB`)
  expect(resident).toBeLessThan(RESIDENT_MAX_MB)
})
