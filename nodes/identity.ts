import type { Hex } from 'viem'
import { z } from 'zod'
import type { Ask } from './connect.ts'
import { Refusal } from './refusal.ts'

/** The chain that all nodes must serve. A field that is not set is set by the first node that answers. */
export type Identity = { chainId?: number; genesis?: Hex }

const hash = z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]{64}$/)])
const quantity = z.string().regex(/^0x[0-9a-f]+$/)
const genesisBlock = z.object({ hash })

/**
 * Checks the chain id and the genesis block of a node against `identity`, and sets the fields that `identity` lacks.
 * @throws Refusal when it serves another chain; the node's own error when it does not answer
 */
export async function checkIdentity(ask: Ask, identity: Identity): Promise<void> {
  const [answer, first] = await Promise.all([
    ask({ method: 'eth_chainId' }),
    ask({ method: 'eth_getBlockByNumber', params: ['0x0', false] }),
  ])
  const chainId = Number(parsed(quantity, answer, 'answers no chain id'))
  const genesis = parsed(genesisBlock, first, 'has no genesis block').hash
  requireSame('chain', chainId, identity.chainId ?? chainId)
  requireSame('the genesis block', genesis, identity.genesis ?? genesis)
  identity.chainId = chainId
  identity.genesis = genesis
}

function requireSame(what: string, found: number | Hex, expected: number | Hex): void {
  if (found !== expected) throw new Refusal(`serves ${what} ${found}, not ${expected}`)
}

function parsed<T>(shape: z.ZodType<T>, answer: unknown, otherwise: string): T {
  const result = shape.safeParse(answer)
  if (!result.success) throw new Refusal(otherwise)
  return result.data
}
