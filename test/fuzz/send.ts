/** Sends a request on a connection of its own and reads the answer as it comes over the wire. */
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import type { FuzzRequest } from './request.ts'

export type FuzzAnswer = { status: number; headers: ReadonlyMap<string, string>; body: Buffer }

/** Ends a request that hangs; it is far above what any takes on a busy machine. */
const HANG_MS = 240_000

/** @returns undefined where the server closed the connection without an answer */
export async function send(url: URL, request: FuzzRequest): Promise<FuzzAnswer | undefined> {
  const [signal, stop] = timeLimit()
  try {
    return await (request.isRaw ? sendRaw(url, request, signal) : sendHttp(url, request, signal))
  } catch (error) {
    if (isClosed(error)) return undefined
    throw error
  } finally {
    stop()
  }
}

function timeLimit(): [AbortSignal, () => void] {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new Error(`no answer within ${HANG_MS} ms`)), HANG_MS)
  return [controller.signal, () => clearTimeout(timer)]
}

function isClosed(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['ECONNRESET', 'EPIPE'].includes(String(error.code))
}

async function sendHttp(url: URL, request: FuzzRequest, signal: AbortSignal): Promise<FuzzAnswer> {
  const { method, target, headers, body } = request
  const outgoing = httpRequest({
    ...{ host: url.hostname, port: url.port, method, path: target, agent: false, signal },
    headers: { ...Object.fromEntries(headers), ...(body && { 'Content-Length': body.length }) },
  })
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve)
    outgoing.on('error', reject)
  })
  outgoing.end(body)
  const incoming = await answered
  const received = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)] as const)
  return { status: incoming.statusCode ?? 0, headers: new Map(received), body: await bodyOf(incoming) }
}

/** Reads the body; the first event alone of a stream that never ends. */
async function bodyOf(incoming: IncomingMessage): Promise<Buffer> {
  const isStream = incoming.headers['content-type']?.startsWith('text/event-stream')
  const chunks: Buffer[] = []
  for await (const chunk of incoming) {
    chunks.push(chunk)
    if (isStream && Buffer.concat(chunks).includes('data:')) break
  }
  return Buffer.concat(chunks)
}

async function sendRaw(url: URL, request: FuzzRequest, signal: AbortSignal): Promise<FuzzAnswer | undefined> {
  const socket = connect({ host: url.hostname, port: Number(url.port), signal })
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.end(wireBytes(url, request))
  await once(socket, 'close', { signal })
  return parseAnswer(Buffer.concat(chunks))
}

function wireBytes(url: URL, { method, target, headers, body }: FuzzRequest): Buffer {
  const given = new Set(headers.map(([name]) => name.toLowerCase()))
  const isFramed = given.has('content-length') || given.has('transfer-encoding')
  const added: [string, string][] = [
    ...(given.has('host') ? [] : ([['Host', url.host]] satisfies [string, string][])),
    ...(given.has('connection') ? [] : ([['Connection', 'close']] satisfies [string, string][])),
    ...(body && !isFramed ? ([['Content-Length', String(body.length)]] satisfies [string, string][]) : []),
  ]
  const lines = [...headers, ...added].map(([name, value]) => `${name}: ${value}`)
  const head = Buffer.from([`${method} ${target} HTTP/1.1`, ...lines, '', ''].join('\r\n'), 'latin1')
  return body ? Buffer.concat([head, body]) : head
}

/** The first final answer of a connection. */
function parseAnswer(bytes: Buffer): FuzzAnswer | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  const [first = '', ...lines] = bytes.subarray(0, Math.max(end, 0)).toString('latin1').split('\r\n')
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1])
  if (!status) return undefined
  const rest = bytes.subarray(end + 4)
  if (status === CONTINUE) return parseAnswer(rest)
  const headers = new Map(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  const body =
    headers.get('transfer-encoding') === 'chunked'
      ? withoutChunks(rest)
      : rest.subarray(0, Number(headers.get('content-length') ?? rest.length))
  return { status, headers, body }
}

const CONTINUE = 100

function withoutChunks(bytes: Buffer): Buffer {
  const end = bytes.indexOf('\r\n')
  const size = Number.parseInt(bytes.subarray(0, Math.max(end, 0)).toString('latin1'), 16)
  if (!size) return Buffer.alloc(0)
  const start = end + 2
  return Buffer.concat([bytes.subarray(start, start + size), withoutChunks(bytes.subarray(start + size + 2))])
}
