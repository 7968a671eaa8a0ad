/** Changes of the bytes of a request, whatever it asks for: method, path, headers and body. */
import { gzipSync } from 'node:zlib'
import { below, type Draw, oneIn, pick } from './draw.ts'
import { hostileText } from './hostile-json.ts'
import { type FuzzRequest, withHeader, withoutHeader } from './request.ts'

type Change = (draw: Draw, request: FuzzRequest) => FuzzRequest

const METHODS = ['HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'POST', 'GET', 'QUERY']
const TAILS = [
  ...[
    '/',
    '//',
    '/.',
    '/..',
    '/%2e%2e',
    '/%00',
    '/%ff%fe',
    '/%c0%af',
    '/%',
    '/%zz',
    ';a=b',
    '%20',
    '%0d%0a',
    '\\',
  ],
  ...[
    '?',
    '??',
    '?a',
    '?=',
    '?&&',
    '?a[]=1',
    '?a[b]=1',
    '?%ff=%fe',
    '?limit=1&limit=2',
    '?__proto__=1',
    '#a',
  ],
]
const HEADERS: readonly (readonly [string, readonly string[]])[] = [
  ['Authorization', ['', 'Bearer', 'Bearer ', 'Bearer a.b.c', 'Basic YTpi', `Bearer ${'a'.repeat(5_000)}`]],
  ['Authorization', ['Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIweDAifQ.', 'bearer \t a', 'Bearer a, Bearer b']],
  ['X-Min-Block', ['0', '-1', '1e9', '999999999999999', '9999999999999999', '0x10', '1, 2', '']],
  ['If-None-Match', ['*', '""', 'W/"a"', '"a", "b", W/"c"', '"', `"${'a'.repeat(2_000)}"`]],
  ['X-Request-Id', ['', 'a b', '../a', '{"a":1}', 'a'.repeat(5_000), '\u00ff\u00fe', '=1+1']],
  ['X-Forwarded-For', ['::1', '1.2.3.4', '1.2.3.4, evil', '[::1]:1', 'a'.repeat(999), '']],
  ['Origin', ['null', 'https://evil.example', '*', '\u00e9', '']],
  ['Accept', ['', '*/*', 'text/html', 'a', 'application/json;q=0', ', ,', `${'a/b,'.repeat(900)}c/d`]],
  ['Accept-Encoding', ['gzip', 'br, gzip', 'identity;q=0', '*;q=0', 'a']],
  [
    'Content-Type',
    ['', 'text/plain', 'application/xml', 'application/json; charset=\u00ff', 'multipart/form-data'],
  ],
  ['Content-Encoding', ['gzip', 'br', 'deflate, gzip', 'a']],
  ['Idempotency-Key', ['', 'a', 'a'.repeat(256), '\u00e9', 'a b']],
  ['Range', ['bytes=0-1', 'bytes=5-1', 'a']],
  ['Cookie', ['a=b', `a=${'b'.repeat(4_000)}`]],
  ['X-HTTP-Method-Override', ['DELETE']],
  ['Expect', ['100-continue']],
]

const changes: readonly Change[] = [
  (draw, request) => ({ ...request, method: pick(draw, METHODS), isElsewhere: true }),
  (draw, request) => ({ ...request, target: withTail(request.target, pick(draw, TAILS)), isElsewhere: true }),
  (draw, request) => {
    const [name, values] = pick(draw, HEADERS)
    return withHeader(request, name, oneIn(draw, 4) ? headerText(hostileText(draw)) : pick(draw, values))
  },
  (draw, request) => withoutHeader(request, pick(draw, ['Content-Type', 'Accept', 'Authorization'])),
  (draw, request) => ({ ...request, body: changedBody(draw, request.body ?? Buffer.from('{}')) }),
  (draw, request) => ({
    ...request,
    isRaw: true,
    isElsewhere: true,
    mayGoUnanswered: true,
    ...brokenWire(draw, request),
  }),
  (_, request) => ({
    ...withHeader(request, 'Content-Type', 'application/json'),
    body: Buffer.alloc(TOO_LARGE, ' '),
    mayGoUnanswered: true,
  }),
]

/** Above `BODY_LIMIT_BYTES`. */
const TOO_LARGE = 150_000

export function withWireChanges(draw: Draw, request: FuzzRequest): FuzzRequest {
  const once = pick(draw, changes)(draw, { ...request, isChanged: true })
  return oneIn(draw, 3) ? withWireChanges(draw, once) : once
}

function withTail(target: string, tail: string): string {
  const [path = '', query] = target.split('?')
  return query === undefined || tail.startsWith('?') ? target + tail : `${path}${tail}?${query}`
}

const INVALID_UTF8 = [
  [0xff],
  [0xc0, 0xaf],
  [0xed, 0xa0, 0x80],
  [0xf4, 0x90, 0x80, 0x80],
  [0xe2, 0x82],
  [0x80],
  [0x00],
]

function changedBody(draw: Draw, body: Buffer): Buffer {
  const at = below(draw, body.length + 1)
  const bodies: (() => Buffer)[] = [
    () => body.subarray(0, at),
    () => Buffer.concat([body.subarray(0, at), Buffer.from(pick(draw, INVALID_UTF8)), body.subarray(at)]),
    () => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body]),
    () => Buffer.from(body.toString('utf8'), 'utf16le'),
    () => Buffer.concat([body, body]),
    () => Buffer.concat([body, Buffer.from(hostileText(draw))]),
    () => gzipSync(body),
    () => Buffer.alloc(0),
  ]
  return pick(draw, bodies)()
}

function headerText(text: string): string {
  return text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '?').slice(0, 4_000)
}

/**
 * Draws a violation of HTTP itself: bytes that no client library writes. They go into the raw headers and the target.
 */
function brokenWire(draw: Draw, { headers, target, body }: FuzzRequest): Partial<FuzzRequest> {
  const length = (body?.length ?? 0) + 1 + below(draw, 1_000)
  const broken: Partial<FuzzRequest>[] = [
    { headers: [...headers, ['Content-Length', String(length)]], body: body ?? Buffer.from('{"a":') },
    { target: `${target}\u00ff\u00fe` },
    { target: `${target}/ ` },
    { target: `${target}?\u0001` },
    { target: `http://evil.example${target}` },
    { target: '*' },
    { target: '' },
    { target: `/${'a'.repeat(20_000)}` },
    { method: 'CONNECT' },
    { method: 'G\u00cbT' },
    { headers: [...headers, ['X-A', 'a\u0000b']] },
    { headers: [...headers, ['X A', 'b']] },
    { headers: [...headers, ['X-A', '\u00ff'.repeat(20_000)]] },
    { headers: [...headers, ['Host', '[']] },
    { headers: [...headers, ['Host', 'a b']] },
    { headers: [...headers, ['Content-Length', '1'], ['Content-Length', '2']] },
    { headers: [...headers, ['Content-Length', '-1']] },
    {
      headers: [...headers, ['Content-Length', '2'], ['Transfer-Encoding', 'chunked']],
      body: Buffer.from('0\r\n\r\n'),
    },
    { headers: [...headers, ['Transfer-Encoding', 'chunked']], body: Buffer.from('5\r\n{"a"') },
    { headers: [...headers, ['Transfer-Encoding', 'chunked']], body: Buffer.from('zz\r\n{}\r\n0\r\n\r\n') },
    { headers: [...headers, ['Transfer-Encoding', 'gzip, chunked']], body: Buffer.from('0\r\n\r\n') },
    {
      headers: [...headers, ['Connection', 'Upgrade'], ['Upgrade', 'websocket'], ['Sec-WebSocket-Key', 'a']],
    },
    { headers: [...headers, ['Authorization', 'Bearer \u00ff\u00fe']] },
    { headers: [...headers, ['Content-Type', 'application/json; \u00ff=\u00fe']] },
  ]
  return pick(draw, broken)
}
