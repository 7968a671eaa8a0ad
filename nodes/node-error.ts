import { BaseError } from 'viem'

/**
 * A node that must not be used, or whose answer must not be used. `node` is its position in RPC_URLS, "node 1 of 2".
 */
export class NodeError extends BaseError {
  readonly node: string
  readonly fault: string

  constructor(node: string, fault: string) {
    super(`${node} ${fault}`, { name: 'NodeError' })
    this.node = node
    this.fault = fault
  }
}
