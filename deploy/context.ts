import type { Address, Hex } from 'viem'
import type { Protocol, Roles } from '../contracts/protocol.ts'
import type { Journal } from './journal.ts'
import type { Node, Pause } from './node.ts'
import type { Signer } from './signer.ts'

/** A token of a claim. `resetsApproval`: it refuses to change an allowance that is not zero. */
export type TokenChoice = { address: Address; resetsApproval: boolean }

/** A deployment that is asked for, and its limits. */
export type Request = {
  chainId: number
  /** Holders that are not named are the deployer. */
  roles: Partial<Roles>
  /** To list and to write to the manifest. */
  tokens: readonly TokenChoice[]
  /** Maximum of the fee per gas, wei. */
  maxFee: bigint
  /** Blocks from that of a transaction on, its own included, after which it counts as mined. At least 1. */
  confirmations: number
  /** Milliseconds to wait for one transaction. */
  waitMs: number
  /** Milliseconds between two looks at the chain. */
  pollMs: number
  /** Ends before anything is sent or written. */
  dryRun: boolean
  /** Folder of the manifest and the journal. */
  folder: string
}

export type Environment = {
  node: Node
  /** Absent: nothing can be sent; a complete deployment can be verified. */
  signer?: Signer
  /** Milliseconds. */
  clock: () => number
  pause: Pause
  print: (line: string) => void
}

/** A deployment whose addresses are known. */
export type Context = Environment & { request: Request; journal: Journal; protocol: Protocol }

/** One transaction. It is sent unless its effect is there. */
export type Step = {
  /** A contract, or `token 0x…`. */
  name: string
  nonce: number
  /** Absent: creates a contract. */
  to?: Address
  data: Hex
  /** Gas below which no chain can execute it. */
  leastGas: bigint
  /** Whether its effect is there at a block. @throws DeployError if another effect is */
  isDone: (block: number) => Promise<boolean>
}
