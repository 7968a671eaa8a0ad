/** Settings of the indexer. No row depends on their declaration, so it is no input of the index. */
import { z } from 'zod'
import { blockHash, blockId, oneOf, text, wholeNumber } from './formats.ts'
import { setting } from './setting.ts'
import { shared } from './shared.ts'

const { LOG_LEVEL: _, ...ofAll } = shared

export const indexerGroup = {
  GENESIS_HASH: setting(blockHash.optional(), 'Hash of the genesis block, which every node must have.', {
    byDefault: 'that of the first node that answers',
  }),
  KNOWN_BLOCK: setting(
    blockId.optional(),
    'A block that every node must have. The service sets it to a block that was indexed.',
  ),
  VERIFY_BLOCKS: setting(
    oneOf(['yes', 'no']).default('yes'),
    '`no` omits the checks of block hashes and logs, for chains that compute the hash of headers or receipts differently.',
  ),
  POLLING_INTERVAL_MS: setting(
    wholeNumber(100, 3_600_000).default(1000),
    'Time between two reads of the finalized block.',
    { unit: 'milliseconds' },
  ),
  RPC_REQUESTS_PER_SECOND: setting(
    wholeNumber(1, 500).default(20),
    'Requests to the nodes with which an index begins. They are raised while they succeed, and lowered after an HTTP 429. Set it higher for a node of your own.',
    { unit: 'requests per second' },
  ),
  METRICS_HOST: setting(
    text.default('127.0.0.1'),
    'Address of `/metrics` and `/status`, never a public one.',
  ),
  METRICS_PORT: setting(
    wholeNumber(0, 65_535).default(42_069),
    'Port of `/metrics` and `/status`. 0 takes any free port. Where it is taken, the next free one is used.',
  ),
  REPUBLISH: setting(
    oneOf(['yes', 'no']).default('no'),
    '`yes` publishes this version although a later one was published: a rollback.',
  ),
}

export const indexerSettings = z.object({ ...ofAll, ...indexerGroup })
