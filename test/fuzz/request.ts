/** One request as it goes over the wire. */
export type FuzzRequest = {
  /** The documented operation that it is meant for. */
  operation: string
  kind: 'rest' | 'graphql'
  method: string
  /** Path and query, encoded. */
  target: string
  headers: readonly (readonly [string, string])[]
  body: Buffer | undefined
  /** Whether anything of it was changed after the description was followed. */
  isChanged: boolean
  /** Whether it needs a socket of its own, because no HTTP client would write it. */
  isRaw: boolean
  /** Whether the server may close the connection without an answer: it was sent less, or more, than it can take. */
  mayGoUnanswered: boolean
  /** Whether its method or path is another than described, so that another route may answer. */
  isElsewhere: boolean
}

export function withHeader(request: FuzzRequest, name: string, value: string): FuzzRequest {
  const others = request.headers.filter(([given]) => given.toLowerCase() !== name.toLowerCase())
  return { ...request, headers: [...others, [name, value]] }
}

export function withoutHeader(request: FuzzRequest, name: string): FuzzRequest {
  return {
    ...request,
    headers: request.headers.filter(([given]) => given.toLowerCase() !== name.toLowerCase()),
  }
}

/** Enough of a request to send it again. */
export function asText({ method, target, headers, body }: FuzzRequest): string {
  const sent = headers.map(([name, value]) => `${name}: ${name === 'Authorization' ? '…' : value}`)
  const text = body === undefined ? '' : `\n\n${shortened(body.toString('latin1'))}`
  return `${method} ${shortened(target)}\n${sent.map(shortened).join('\n')}${text}`
}

const SHOWN_MAX = 3_000

function shortened(text: string): string {
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}… (${text.length} characters)` : text
}
