import type { PlantedFault } from '../fault.ts'

/** Faults of the processes themselves: states of the projection, chains of nodes, logs, traces, restarts. */
export const operationFaults: readonly PlantedFault[] = [
  {
    name: 'an answer that was read before a block is kept under the next one',
    in: 'createKeptAnswers',
    find: 'present() !== before ||',
    replace: '',
    caughtBy: ['kept-answers'],
  },
  {
    name: 'a state is the latest however long no poll has been answered',
    in: 'watchProjection',
    find: 'isCertain && wantedAt - confirmedAt <= 2 * POLL_INTERVAL_MS',
    replace: 'isCertain',
    caughtBy: ['watch'],
  },
  {
    name: 'a chain that is replaced at a height already seen is accepted',
    in: 'createSeenBlocks',
    find: 'else requireHash(BigInt(block.number), block.hash, seen)',
    replace: '',
    caughtBy: ['seen-blocks'],
  },
  {
    name: 'Ponder continues on another chain whose head has the height of the last one',
    in: 'pathBetween',
    find: 'if (start === end && from.hash !== newest.hash) throw anotherChain(knownAs(from))',
    replace: '',
    caughtBy: ['chain-path'],
  },
  {
    name: 'headers of a chain that was refused stay cached',
    in: 'createProvenRanges',
    find: 'headers.clear()',
    replace: '',
    caughtBy: ['proven-ranges'],
  },
  {
    name: 'the deadline of a financing counts from the time of the block alone',
    in: 'prepare',
    area: 'api',
    find: 'latestOf(clock(), block) + BigInt(deadlineSeconds)',
    replace: 'block.timestamp + BigInt(deadlineSeconds)',
    caughtBy: ['prepare-execution-direct'],
  },
  {
    name: 'repeated ends of the indexer delay its start by up to half a minute',
    in: 'BACK_OFF',
    find: 'longestMs: 5000',
    replace: 'longestMs: 30_000',
    caughtBy: ['supervise'],
  },
  {
    name: 'a caller that samples its trace makes the gateway keep it',
    in: 'sampleShare',
    find: '{ root: drawn, remoteParentSampled: drawn }',
    replace: '{ root: drawn }',
    caughtBy: ['sampling'],
  },
  {
    name: 'a client writes a warning by the block that it names',
    in: 'codedAndLogged',
    find: '&& !isOfMinBlock(error)',
    replace: '',
    caughtBy: ['request-log'],
  },
  {
    name: 'the log has a path at its full length',
    in: 'requestLog',
    find: 'path: shortPath(path)',
    replace: 'path',
    caughtBy: ['request-log'],
  },
  {
    name: 'fields of a sign-in message are parsed at any length',
    in: 'parse',
    area: 'api',
    find: 'if (fields.length > MESSAGE_FIELDS_LENGTH_MAX)',
    replace: 'if (fields.length > text.length)',
    caughtBy: ['siwe'],
  },
]
