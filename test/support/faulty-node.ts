/**
 * A node in front of a node that fails from a chosen request on, so that a fault reaches every step of what asks it.
 */
import type { ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { listen } from './listener.ts'

/** `cut` closes the connection; `html` is a proxy's error page; `limit` refuses by rate; `hold` never answers. */
export type NodeFault = 'cut' | 'html' | 'limit' | 'hold'

export async function startFaultyNode(target: string) {
  let left = Number.POSITIVE_INFINITY
  let fault: NodeFault = 'cut'
  let hasFailed = false
  let onFailed = () => {}

  const fail = (response: ServerResponse): void => {
    hasFailed = true
    onFailed()
    if (fault === 'cut') response.destroy()
    if (fault === 'html') response.writeHead(502, { 'Content-Type': 'text/html' }).end('<h1>Bad Gateway</h1>')
    if (fault === 'limit') response.writeHead(429).end('{"error":"too many requests"}')
  }
  const { url, stop } = await listen(async (request, response) => {
    const body = await text(request)
    left -= 1
    if (left < 0) return fail(response)
    const headers = { 'Content-Type': 'application/json' }
    const answer = await fetch(target, { method: 'POST', headers, body })
    response.writeHead(answer.status, headers).end(await answer.text())
  })
  return {
    url,
    /**
     * Fails every request after the given number of good ones, until it is mended. @returns a promise of the first
     * failure
     */
    failAfter: (goodRequests: number, how: NodeFault): Promise<void> => {
      left = goodRequests
      fault = how
      hasFailed = false
      return new Promise((resolve) => {
        onFailed = resolve
      })
    },
    /** @returns whether a request has failed since `failAfter` */
    mend: (): boolean => {
      left = Number.POSITIVE_INFINITY
      return hasFailed
    },
    stop,
  }
}
