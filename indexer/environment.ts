/** The indexer's settings; those that the gateway has too bear the same names there. */
import { z } from 'zod'

const hash = z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]{64}$/)])

export const indexerEnvironment = z.object({
  CHAIN_ID: z.coerce.number().int().positive(),
  /** Tried in this order: the next one answers when one fails. */
  RPC_URLS: z
    .string()
    .transform((text) => text.split(',').map((url) => url.trim()))
    .pipe(z.array(z.url({ protocol: /^https?$/ })).min(1)),
  /** Hash of the genesis block, which every node must have. Default: that of the first node that answers. */
  GENESIS_HASH: hash.optional(),
  /** `<number>:<hash>` of a block that every node must have. The service sets it to a block that was indexed. */
  KNOWN_BLOCK: z
    .string()
    .regex(/^\d+:0x[0-9a-f]{64}$/)
    .transform((text) => {
      const [number = '', blockHash] = text.split(':')
      return { number: BigInt(number), hash: hash.parse(blockHash) }
    })
    .optional(),
  /** `no` omits the checks of hashes and logs, for chains that compute the hash of headers or receipts differently. */
  VERIFY_BLOCKS: z.enum(['yes', 'no']).default('yes'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }),
  /** Folder of `<chainId>.json` manifests, when not the ones that ship with the service. */
  DEPLOYMENTS_DIR: z.string().min(1).optional(),
  /** Milliseconds between two reads of the finalized block. */
  POLLING_INTERVAL_MS: z.coerce.number().int().min(100).default(1000),
  /** Requests per second to the nodes to begin with; raised to at most 500 while they succeed, lowered after an HTTP 429. */
  RPC_REQUESTS_PER_SECOND: z.coerce.number().int().min(1).max(500).default(20),
  /** Loopback port of `/metrics` and `/status`, 0 for any free one; when it is taken, the next free one is used. */
  METRICS_PORT: z.coerce.number().int().min(0).max(65_535).default(42_069),
  /** `yes` publishes this version although a later one was published: a rollback. */
  REPUBLISH: z.enum(['yes', 'no']).default('no'),
})

export type IndexerEnvironment = z.output<typeof indexerEnvironment>

/** Reads the settings. @throws Error that names every invalid variable, never its value */
export function parseIndexerEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): IndexerEnvironment {
  const result = indexerEnvironment.safeParse(env)
  if (result.success) return result.data
  const faults = result.error.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}`)
  throw new Error(`the indexer cannot start. ${faults.join('; ')}`)
}
