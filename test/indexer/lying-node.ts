/** A node that answers truthfully until it is given a lie. */
import { connectNodes } from '../../nodes/connect.ts'
import { NODE_TIMEOUT_MS } from '../support/limits.ts'
import { type Answer, type RpcRequest, startNodeProxy } from './node-proxy.ts'

/** @param truth what the node behind would answer */
export type Lie = (request: RpcRequest, truth: () => Promise<unknown>) => Answer | Promise<Answer>

export async function startLyingNode(rpcUrl: string) {
  let lie: Lie | undefined
  const proxy = await startNodeProxy((request) => lie?.(request, () => ask(rpcUrl, request)), rpcUrl)
  return {
    ...proxy,
    lieWith(next: Lie | undefined): void {
      lie = next
    },
  }
}

/** Makes all answers those of another chain. */
export function fromChain(rpcUrl: string): Lie {
  return async (request) => ({ result: await ask(rpcUrl, request) })
}

async function ask(rpcUrl: string, { method, params }: RpcRequest): Promise<unknown> {
  const [node] = connectNodes([rpcUrl], { timeout: NODE_TIMEOUT_MS })
  return node?.ask({ method, params })
}
