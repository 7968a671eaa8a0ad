import type { PlantedFault } from '../fault.ts'

/** api/chain, api/head and api/transactions. */
export const chainFaults: readonly PlantedFault[] = [
  {
    name: 'a pause of the router is no pending change',
    in: 'touching',
    find: 'ALWAYS.has(event.name) ||',
    replace: '',
    caughtBy: ['pending'],
  },
  {
    name: 'an answer before the first block of the view does not state that events are missing',
    in: 'selectEvents',
    find: '|| after < view.base',
    replace: '',
    caughtBy: ['pending'],
  },
  {
    name: 'funds that no node answered for count as 0',
    in: 'amountOf',
    find: 'if (error instanceof BaseError && (isRevert(error) || isUndecodable(error))) return 0n',
    replace: 'if (error instanceof BaseError) return 0n',
  },
  {
    name: 'balances of several wallets are cut apart by the number of wallets',
    in: 'readBalances',
    find: 'balances.slice(i * tokens.length, (i + 1) * tokens.length)',
    replace: 'balances.slice(i * wallets.length, i * wallets.length + tokens.length)',
  },
  {
    name: 'a wallet contract that signs in can name a host that the gateway asks',
    in: 'createBoundedChain',
    find: 'ccipRead: false, transport: custom(',
    replace: 'transport: custom(',
  },
  {
    name: 'of an odd range of vaults that a node refuses, the last is never read',
    in: 'readRange',
    find: 'readRange(offset + half, limit - half)',
    replace: 'readRange(offset + half, half)',
  },
  {
    name: 'the nonce of a route is read at the finalized block',
    in: 'readRouterNonce',
    find: "blockTag: 'latest'",
    replace: "blockTag: 'finalized'",
  },
  {
    name: 'a request is refused once exactly the block that it waited for is final',
    in: 'createPinAt',
    find: 'if (later.number >= minBlock) return later',
    replace: 'if (later.number > minBlock) return later',
    caughtBy: ['prepare-at-block'],
  },
  {
    name: 'a read joins one that began before it, whose answer may be older than the call',
    in: 'shareReads',
    find: 'if (last && !last.hasBegun) return last.answer',
    replace: 'if (last) return last.answer',
  },
  {
    name: 'a route that a node without state overrides tried is reported to pass',
    in: 'simulateRoute',
    find: "ignored ? { outcome: 'UNKNOWN' } : simulation",
    replace: "ignored ? { outcome: 'PASSES' } : simulation",
  },
  {
    name: 'direct executions count as uses of a router nonce',
    in: 'usesOfNonces',
    find: 'log.args.kind === ROUTE ? { executionId: log.args.executionId } : []',
    replace: '{ executionId: log.args.executionId }',
  },
  {
    name: 'a cancellation counts as another execution',
    in: 'findUse',
    find: "use && (use.executionId === null ? 'CANCELLATION' : 'EXECUTION')",
    replace: "use && 'EXECUTION'",
  },
  {
    name: 'why a transaction failed is remembered across a reorganisation',
    in: 'recallFailure',
    find: `const key = \`\${receipt.blockHash} \${sent.hash}\``,
    replace: 'const key: string = sent.hash',
  },
  {
    name: 'an execution counts as expired in the last second of its deadline',
    in: 'isPast',
    find: 'BigInt(deadline.getTime()) < blockTime * 1000n',
    replace: 'BigInt(deadline.getTime()) <= blockTime * 1000n',
  },
  {
    name: 'a failure whose reason no node could give is remembered without a reason for good',
    in: 'isSettled',
    find: 'mined?.final === true && (!mined.failure || isLasting(mined.failure))',
    replace: 'mined?.final === true',
  },
  {
    name: 'the end of a pause in its own block does not count',
    in: 'isAfter',
    find: 'one.block.number > number || (one.block.number === number && one.logIndex > other.logIndex)',
    replace: 'one.block.number > number',
    area: 'api/head',
    caughtBy: ['pending'],
  },
  {
    name: 'a vault that a block registers is not followed in later blocks',
    in: 'readView',
    find: 'for (const vault of registeredIn(block.events)) vaults.add(vault)',
    replace: '',
    caughtBy: ['unfinalized'],
  },
]
