/** A node between a gateway and its node: passes everything on and remembers what was asked. */
import { text } from 'node:stream/consumers'
import { listen } from './listener.ts'

export type Recorded = { method: string; params: unknown }

/**
 * `requests` holds one entry for each round trip; a batch counts as one. Checks of the chain that the node serves occur
 * every 5 seconds and are left out.
 */
export async function startRecordingProxy(target: string) {
  const requests: Recorded[][] = []
  const { url, stop } = await listen(async (request, response) => {
    const body = await text(request)
    const parsed: unknown = JSON.parse(body)
    const recorded = (Array.isArray(parsed) ? parsed : [parsed]).map(toRecorded)
    if (!recorded.every(isCheck)) requests.push(recorded)
    const answer = await fetch(target, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
    })
    response.writeHead(answer.status, { 'Content-Type': 'application/json' })
    response.end(await answer.text())
  })
  return { url, requests, stop }
}

function toRecorded(call: unknown): Recorded {
  if (typeof call !== 'object' || call === null || !('method' in call)) throw new Error('not a JSON-RPC call')
  return { method: String(call.method), params: 'params' in call ? call.params : [] }
}

function isCheck({ method, params }: Recorded): boolean {
  if (method === 'eth_chainId') return true
  return method === 'eth_getBlockByNumber' && Array.isArray(params) && params[0] === '0x0'
}
