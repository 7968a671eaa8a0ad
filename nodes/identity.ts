import { type Hex, numberToHex } from 'viem'
import { z } from 'zod'
import type { Ask } from './connect.ts'
import { Refusal } from './refusal.ts'

export type KnownBlock = { number: bigint; hash: Hex }

/**
 * The chain that all nodes must serve. Chain id and genesis block, if not set, are set by the first node that answers.
 */
export type Identity = {
  chainId?: number
  genesis?: Hex
  /** A block that the chain must contain. */
  known?: KnownBlock | undefined
}

const hash = z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]{64}$/)])
const quantity = z.string().regex(/^0x[0-9a-f]+$/)
const withHash = z.object({ hash })

/**
 * Checks the chain id, the genesis block and the known block of a node against `identity`, and sets the first two if
 * `identity` lacks them.
 * @throws Refusal when it serves another chain; the node's own error when it does not answer
 */
export async function checkIdentity(ask: Ask, identity: Identity): Promise<void> {
  const [answer, first] = await Promise.all([
    ask({ method: 'eth_chainId' }),
    ask({ method: 'eth_getBlockByNumber', params: ['0x0', false] }),
  ])
  const chainId = Number(parsed(quantity, answer, 'answers no chain id'))
  const genesis = parsed(withHash, first, 'has no genesis block').hash
  requireSame('chain', chainId, identity.chainId ?? chainId)
  requireSame('the genesis block', genesis, identity.genesis ?? genesis)
  if (identity.known) await requireContains(ask, identity.known)
  identity.chainId = chainId
  identity.genesis = genesis
}

async function requireContains(ask: Ask, { number, hash }: KnownBlock): Promise<void> {
  const answer = await ask({ method: 'eth_getBlockByNumber', params: [numberToHex(number), false] })
  const found = parsed(withHash, answer, `does not have block ${number}, which was read before`).hash
  if (found !== hash) throw anotherChain({ number, hash })
}

/** The chain of the node does not contain a block that was read before. */
export function anotherChain({ number, hash }: KnownBlock): Refusal {
  return new Refusal(`serves another chain: it does not contain block ${number} with hash ${hash}`)
}

function requireSame(what: string, found: number | Hex, expected: number | Hex): void {
  if (found !== expected) throw new Refusal(`serves ${what} ${found}, not ${expected}`)
}

function parsed<T>(shape: z.ZodType<T>, answer: unknown, otherwise: string): T {
  const result = shape.safeParse(answer)
  if (!result.success) throw new Refusal(otherwise)
  return result.data
}
