/** The error of a contract in the error of a wallet, which wallets and nodes put in different places. */
import { decodeErrorResult, type Hex } from 'viem'
import type { Revert } from './errors.ts'
import { contractErrors, reverts } from './generated/reverts.ts'

/** Members in which wallets, nodes and libraries keep the data of a revert, or the error that has it. */
const MEMBERS = ['data', 'cause', 'error', 'originalError', 'info', 'message']
/** Causes can be each other's, and a hostile error can be of any size. */
const OBJECTS_MAX = 50
const TEXT_MAX = 100_000
const CANDIDATES_MAX = 20

/** A selector and whole words in one hex string, or separated by `: ` as anvil writes them. */
const REVERT_DATA = /\b0x([0-9a-f]{8})(?:: ?)?((?:[0-9a-f]{64})*)\b/gi

const EXPLAINED: ReadonlyMap<string, { cause: string; fix: string }> = new Map(Object.entries(reverts))

/**
 * Returns the error with which a contract refuses the transaction; undefined if the wallet names none that is known.
 */
export function revertOf(error: unknown): Revert | undefined {
  const candidates = textsOf(error).flatMap((text) => [...text.slice(0, TEXT_MAX).matchAll(REVERT_DATA)])
  for (const [, selector, words] of candidates.slice(0, CANDIDATES_MAX)) {
    const revert = decode(`0x${selector}${words}`)
    if (revert) return revert
  }
  return undefined
}

/** Cause and remedy of an error of the contracts, as the error playbook of the gateway has them. */
export function explainRevert(errorName: string | null): string {
  const help = EXPLAINED.get(errorName ?? '')
  return help ? `${help.cause} ${help.fix}` : ''
}

function decode(data: Hex): Revert | undefined {
  try {
    const { errorName, args = [] } = decodeErrorResult({ abi: contractErrors, data })
    const texts = args.map((arg) => String(arg))
    return { errorName, arguments: texts, message: `It would revert with ${errorName}(${texts.join(', ')}).` }
  } catch {
    return undefined
  }
}

function textsOf(error: unknown): string[] {
  const queue = [error]
  const seen = new Set<object>()
  for (const value of queue) {
    if (typeof value !== 'object' || value === null || seen.has(value) || seen.size === OBJECTS_MAX) continue
    seen.add(value)
    queue.push(...MEMBERS.map((name) => memberOf(value, name)))
  }
  return queue.filter((value) => typeof value === 'string')
}

/** A getter of the wallet may throw. */
function memberOf(value: object, name: string): unknown {
  try {
    return Reflect.get(value, name)
  } catch {
    return undefined
  }
}
