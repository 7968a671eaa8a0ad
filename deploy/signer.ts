/** The account that deploys: with its key, or with an account that the node has unlocked. */
import { type Address, type Hex, keccak256, numberToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { lowercase } from '../contracts/protocol.ts'
import { DeployError } from './errors.ts'
import { type Node, send } from './node.ts'

export type Transaction = {
  chainId: number
  nonce: number
  /** Absent: creates a contract. */
  to?: Address
  data: Hex
  gas: bigint
  /** Wei per gas. */
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
}

export type Signed = {
  /** Known before the transaction is sent, unless the node signs it. */
  hash?: Hex
  /** Safe to repeat: the nonce allows one. @returns its hash */
  send: (node: Node) => Promise<Hex>
}

export type Signer = { address: Address; sign: (transaction: Transaction) => Promise<Signed> }

/** @throws DeployError `KEY_INVALID`, without the key */
export function keySigner(key: string): Signer {
  const account = accountOf(key)
  return {
    address: lowercase(account.address),
    async sign(transaction) {
      const raw = await account.signTransaction({ ...transaction, type: 'eip1559' })
      const hash = keccak256(raw)
      return {
        hash,
        // The hash is that of what was signed, whatever the node answers.
        send: async (node) => {
          await send(node, 'eth_sendRawTransaction', raw)
          return hash
        },
      }
    },
  }
}

/** The node signs: for a node of one's own that has unlocked the account. */
export function unlockedSigner(address: Address): Signer {
  return {
    address,
    async sign({ chainId, nonce, to, data, gas, maxFeePerGas, maxPriorityFeePerGas }) {
      const parameter = {
        from: address,
        ...(to && { to }),
        data,
        chainId: numberToHex(chainId),
        nonce: numberToHex(nonce),
        gas: numberToHex(gas),
        maxFeePerGas: numberToHex(maxFeePerGas),
        maxPriorityFeePerGas: numberToHex(maxPriorityFeePerGas),
      }
      return { send: (node) => send(node, 'eth_sendTransaction', parameter) }
    },
  }
}

function accountOf(key: string) {
  const digits = key.trim().replace(/^0x/, '')
  try {
    if (/^[0-9a-fA-F]{64}$/.test(digits)) return privateKeyToAccount(`0x${digits}`)
  } catch {
    // Reported below without its cause, whose message may contain the key.
  }
  throw new DeployError(
    'KEY_INVALID',
    'the private key must be 32 bytes in hex, 64 digits, and below the order of secp256k1',
  )
}
