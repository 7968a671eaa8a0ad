/** A node that answers truthfully until it is given a lie. */
import { connectNodes, type Request } from '../../nodes/connect.ts'
import { NODE_TIMEOUT_MS } from '../support/limits.ts'
import { type Answer, type RpcRequest, startNodeProxy } from '../support/node-proxy.ts'

/**
 * The wrong answer to a request; undefined where the node answers truthfully.
 *
 * @param truth what the node behind answers to the same request, or to another one
 */
export type Lie = (
  request: RpcRequest,
  truth: (other?: Request) => Promise<unknown>,
) => Answer | Promise<Answer>

export type LyingNode = Awaited<ReturnType<typeof startLyingNode>>

export async function startLyingNode(rpcUrl: string) {
  let lie: Lie | undefined
  let lies = 0
  const proxy = await startNodeProxy(async (request) => {
    const answer = await lie?.(request, (asked = request) => ask(rpcUrl, asked))
    if (answer) lies += 1
    return answer
  }, rpcUrl)
  return {
    ...proxy,
    lieWith(next: Lie | undefined): void {
      lie = next
      lies = 0
    },
    /** Whether a wrong answer was given since the last `lieWith`. */
    hasLied: () => lies > 0,
  }
}

/** Makes all answers those of another chain. */
export function fromChain(rpcUrl: string): Lie {
  return () => ({ from: rpcUrl })
}

export async function ask(rpcUrl: string, { method, params }: Request): Promise<unknown> {
  const [node] = connectNodes([rpcUrl], { timeout: NODE_TIMEOUT_MS })
  return node?.ask({ method, params })
}

/** The true answer, with blanks at its end. @param blanks bytes */
export async function askPadded(rpcUrl: string, request: Request, blanks: number): Promise<Answer> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, result: await ask(rpcUrl, request) })
  return { status: 200, body: body + ' '.repeat(blanks) }
}
