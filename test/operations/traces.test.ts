/** Traces of a gateway process, as a collector receives them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { statementName } from '../../api/tracing/parts.ts'
import { startNodeProxy } from '../support/node-proxy.ts'
import { type Replica, startReplicaWorld } from '../support/replica.ts'
import { type ReceivedSpan, startTraceReceiver } from '../support/trace-receiver.ts'

let the: Awaited<ReturnType<typeof startReplicaWorld>>
let receiver: Awaited<ReturnType<typeof startTraceReceiver>>
let node: Awaited<ReturnType<typeof startNodeProxy>>
let gateway: Replica
/** Request ids that the node received, by method. */
const received: [string, string | string[] | undefined][] = []

const CALLER = { trace: '0af7651916cd43dd8448eb211c80319c', span: 'b7ad6b7169203331' }

beforeAll(async () => {
  the = await startReplicaWorld()
  receiver = await startTraceReceiver()
  node = await startNodeProxy(({ method }, headers) => {
    received.push([method, headers['x-request-id']])
    return undefined
  }, the.world.rpcUrl)
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url }
  gateway = await the.start({ rpcUrl: node.url, env })
  await gateway.request('/api/v1/health/ready', {
    headers: { 'X-Request-Id': 'request-of-the-test', traceparent: `00-${CALLER.trace}-${CALLER.span}-01` },
  })
  await gateway.request(`/api/v1/claims/0x${'0'.repeat(64)}`)
  await gateway.request('/api/v1/vaults')
  await gateway.request('/api/v1/graphql', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: 'query Mine { __typename }' }),
  })
  // A graceful stop sends the spans that are left.
  await gateway.process.stop()
})
afterAll(async () => {
  await the.stop()
  await node.stop()
  receiver.stop()
})

function spanOf(name: string): ReceivedSpan {
  const [found, ...others] = receiver.spans.filter((span) => span.name === name)
  if (!found || others.length > 0) throw new Error(`${others.length + (found ? 1 : 0)} spans named ${name}`)
  return found
}

const childrenOf = ({ spanId }: ReceivedSpan) =>
  receiver.spans.filter(({ parentSpanId }) => parentSpanId === spanId)

it('names the service that it is from', () => {
  expect(receiver.services).toEqual(new Set(['claim-financing-gateway']))
})

describe('a request', () => {
  it('is a span with its route, status and id, within the trace of its caller', () => {
    const { traceId, parentSpanId, attributes } = spanOf('GET /api/v1/health/ready')
    expect([traceId, parentSpanId]).toEqual([CALLER.trace, CALLER.span])
    expect(attributes).toEqual({
      'http.request.method': 'GET',
      'http.route': 'GET /api/v1/health/ready',
      'http.response.status_code': 503,
      'request.id': 'request-of-the-test',
    })
  })

  it('begins a trace of its own without one, and has no parameter of its path', () => {
    const span = spanOf('GET /api/v1/claims/:claimId')
    expect(span.parentSpanId).toBeUndefined()
    expect(JSON.stringify(receiver.spans)).not.toContain('0x0000')
  })

  it('states the name of its GraphQL operation', () => {
    expect(spanOf('POST /api/v1/graphql').attributes['graphql.operation.name']).toBe('Mine')
  })
})

describe('a collector that is gone', () => {
  it('keeps no gateway from stopping', async () => {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }
    const alone = await the.start({ env })
    const warned = alone.process.line(/"level":40,.*"msg":"traces were not exported"/)
    expect((await alone.request('/api/v1/health')).status).toBe(200)
    expect((await alone.process.stop())?.code).toBe(0)
    await warned
  })
})

describe('the parts of a request', () => {
  it('are spans of it: requests to nodes, which carry its id', () => {
    const calls = childrenOf(spanOf('GET /api/v1/health/ready'))
    expect(calls).toContainEqual(
      expect.objectContaining({
        name: 'eth_getBlockByNumber',
        attributes: { 'rpc.system.name': 'jsonrpc', 'rpc.method': 'eth_getBlockByNumber' },
      }),
    )
    expect(received).toContainEqual(['eth_getBlockByNumber', 'request-of-the-test'])
  })

  it('are spans of it: statements, by verb and table', () => {
    // Without the statement that sets up a connection, which any request can be the first to need.
    const partsOf = (route: string) =>
      childrenOf(spanOf(route)).flatMap(({ name }) => (name === 'select' ? [] : [name]))
    expect(partsOf('GET /api/v1/claims/:claimId')).toEqual(['select projection.issuer'])
    expect(partsOf('GET /api/v1/vaults')).toEqual(['explain projection.token'])
    const statements = childrenOf(spanOf('GET /api/v1/vaults'))
    expect(statements.find(({ name }) => name === 'explain projection.token')?.attributes).toMatchObject({
      'db.system.name': 'postgresql',
      'db.query.summary': 'explain projection.token',
    })
  })

  it('have no value of a statement in their names', () => {
    expect([
      statementName(
        `/* request a-1 */ select x, (select 'secret' from "projection"."claim") from (select) as one`,
      ),
      statementName('insert into "gateway"."route_intent" values ($1)'),
      statementName('select pg_backend_pid()'),
      statementName(''),
    ]).toEqual(['select projection.claim', 'insert gateway.route_intent', 'select', 'statement'])
  })
})
