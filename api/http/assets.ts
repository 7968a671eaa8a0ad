/**
 * Texts that this server sends to everyone, compressed once. Files of pages are named by their content and cached by
 * browsers permanently.
 */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Context } from 'hono'
import { accepts } from 'hono/accepts'
import type { AppEnv } from './env.ts'
import { onNotFound } from './problem.ts'

const TYPES = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json',
  // These have no registered type that browsers show.
  graphql: 'text/plain; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
} as const

/** The best first. Browsers accept `br` only over https or from this machine. */
const ENCODINGS = ['br', 'gzip'] as const
type Encoding = (typeof ENCODINGS)[number] | 'identity'

/**
 * On zlib's threads, so the event loop is not blocked. From 5 to 11 brotli takes 30 times as long to save another
 * tenth.
 */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }
const encoders: Record<Encoding, (bytes: Uint8Array<ArrayBuffer>) => Promise<Uint8Array<ArrayBuffer>>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, BROTLI),
  gzip: (bytes) => promisify(gzip)(bytes),
  identity: async (bytes) => bytes,
}

/** A text that answers many requests, and is the answer to none in particular: it has no secret of a caller. */
export type ConstantText = {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Compressed at its first request. */
  readonly body: (encoding: Encoding) => Promise<Uint8Array<ArrayBuffer>>
}

export type Asset = ConstantText & {
  /** With a hash of the content, like `graphiql.1f0c2e7a9b3d4c5e.js`: other content has another name. */
  readonly file: string
  /** Hash of the content. */
  readonly hash: string
  readonly type: string
}

export function createConstantText(text: string): ConstantText {
  const bytes = new TextEncoder().encode(text)
  const bodies = new Map<Encoding, Promise<Uint8Array<ArrayBuffer>>>()
  const body = (encoding: Encoding) => {
    const made = bodies.get(encoding) ?? encoders[encoding](bytes)
    bodies.set(encoding, made)
    return made
  }
  return { bytes, body }
}

/** To be called at start: encoding and hashing megabytes would delay requests. */
export function createAsset(name: string, extension: keyof typeof TYPES, text: string): Asset {
  const constant = createConstantText(text)
  const hash = createHash('sha256').update(constant.bytes).digest('hex').slice(0, 16)
  return { ...constant, file: `${name}.${hash}.${extension}`, hash, type: TYPES[extension] }
}

/** Answers a route that ends with `/:file`. A file of another version of the page is a 404 that is not cached. */
export function serveAssets(assets: readonly Asset[]) {
  const byFile = new Map(assets.map((asset) => [asset.file, asset]))
  return async (c: Context<AppEnv, '/:file'>): Promise<Response> => {
    const asset = byFile.get(c.req.param('file'))
    if (!asset) return onNotFound(c)
    return sendAsset(c, asset, { 'Cache-Control': 'public, max-age=31536000, immutable' })
  }
}

/**
 * Answers a route whose path has no hash: clients revalidate the file by a weak tag, since each encoding has other
 * bytes.
 */
export function serveDocument(document: Asset) {
  return (c: Context<AppEnv>): Promise<Response> =>
    sendAsset(c, document, { 'Cache-Control': 'no-cache', ETag: `W/"${document.hash}"` })
}

async function sendAsset(c: Context, asset: Asset, headers: Record<string, string>): Promise<Response> {
  const { body, encoding } = await encodeFor(c, asset)
  return c.body(body, 200, { 'Content-Type': asset.type, ...headers, ...encoding })
}

/** Encodes the text as the client accepts it. @returns also the header that names the encoding, if there is one */
export async function encodeFor(
  c: Context,
  { body }: ConstantText,
): Promise<{ body: Uint8Array<ArrayBuffer>; encoding: Record<string, string> }> {
  const encoding = encodingOf(c)
  return {
    body: await body(encoding),
    encoding: encoding === 'identity' ? {} : { 'Content-Encoding': encoding },
  }
}

function encodingOf(c: Context): Encoding {
  const match = (accepted: readonly { type: string; q: number }[]) =>
    ENCODINGS.find((encoding) => accepted.some(({ type, q }) => type.toLowerCase() === encoding && q > 0)) ??
    'identity'
  const name = accepts(c, { header: 'Accept-Encoding', supports: [...ENCODINGS], default: 'identity', match })
  return ENCODINGS.find((encoding) => encoding === name) ?? 'identity'
}
