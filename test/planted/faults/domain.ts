import type { PlantedFault } from '../fault.ts'

/** api/domain and api/typed-data. */
export const domainFaults: readonly PlantedFault[] = [
  {
    name: 'the effective discount of a route is rounded down',
    file: 'api/domain/discount.ts',
    caughtBy: ['test/flow/route-optimize.test.ts', 'test/graphql/aggregates.test.ts'],
    find: 'ceilDiv(totalCost * BPS_DENOMINATOR, totalFace)',
    replace: '(totalCost * BPS_DENOMINATOR) / totalFace',
  },
  {
    name: 'the least face for an advance is rounded down, and advances a unit too little',
    file: 'api/domain/discount.ts',
    caughtBy: ['test/domain/discount.test.ts'],
    find: 'return ceilDiv(advance * BPS_DENOMINATOR, BPS_DENOMINATOR - rateBps)',
    replace: 'return (advance * BPS_DENOMINATOR) / (BPS_DENOMINATOR - rateBps)',
  },
  {
    name: "a vault's utilization is rounded up",
    file: 'api/domain/vault.ts',
    caughtBy: ['test/graphql/reads.test.ts', 'test/rest/reads.test.ts', 'test/graphql/aggregates.test.ts'],
    find: 'Number((outstandingAdvance * BPS_DENOMINATOR) / total)',
    replace: 'Number((outstandingAdvance * BPS_DENOMINATOR + total - 1n) / total)',
  },
  {
    name: 'a claim is overdue in the second in which it is due',
    file: 'api/domain/claim.ts',
    caughtBy: ['test/domain/books.test.ts'],
    find: 'return isOwed && claim.dueAt < now ? claim.dueAt : null',
    replace: 'return isOwed && claim.dueAt <= now ? claim.dueAt : null',
  },
  {
    name: 'locked profit is rounded down',
    file: 'api/domain/vault.ts',
    caughtBy: ['test/domain/books.test.ts', 'test/indexer/agreement.test.ts'],
    find: 'return unlockingAmount - unlocked',
    replace:
      'return (unlockingAmount * (unlockingUntil - now)) / (unlockingUntil - unlockingSince) + 0n * unlocked',
  },
  {
    name: 'a claim is not matured yet in the second in which it is due',
    file: 'api/domain/claim.ts',
    caughtBy: ['test/rest/reads.test.ts', 'test/graphql/reads.test.ts'],
    find: 'return claim.dueAt <= now',
    replace: 'return claim.dueAt < now',
  },
  {
    name: 'a fraction of a second below a millisecond is dropped instead of refused',
    file: 'api/domain/time.ts',
    find: String.raw`const FRACTION = /\.\d*[1-9]/`,
    replace: String.raw`const FRACTION = /\.\d{0,2}[1-9]/`,
  },
  {
    name: 'an address in mixed case is taken with a wrong checksum',
    file: 'api/domain/address.ts',
    caughtBy: ['test/domain/address.test.ts'],
    find: '!isAddress(text, { strict: true })',
    replace: '!isAddress(text, { strict: false })',
  },
  {
    name: 'the largest amount that a contract holds is refused',
    file: 'api/domain/money.ts',
    find: 'return amount <= MAX_UINT256 ? amount : undefined',
    replace: 'return amount < MAX_UINT256 ? amount : undefined',
  },
  {
    name: 'the last claim type of a mandate is never listed',
    file: 'api/domain/mandate.ts',
    caughtBy: ['test/domain/discount.test.ts'],
    find: 'Array.from({ length: 256 }',
    replace: 'Array.from({ length: 255 }',
  },
  {
    name: 'lists in lists do not count as levels of JSON',
    file: 'api/domain/json-shape.ts',
    find: 'depth: depth + 1 })',
    replace: 'depth: isList ? depth : depth + 1 })',
  },
  {
    name: 'an id that is sent in capitals is not brought to lowercase',
    file: 'api/domain/hash.ts',
    caughtBy: ['test/rest/bad-input.test.ts', 'test/graphql/refusals.test.ts', 'test/rest/reads.test.ts'],
    find: 'text.slice(2).toLowerCase()',
    replace: 'text.slice(2)',
  },
  {
    name: 'small integers of a message to sign are written as JSON numbers',
    file: 'api/typed-data/signable.ts',
    caughtBy: ['test/typed-data/wallets.test.ts'],
    find: "if (typeof value === 'bigint' || typeof value === 'number') return value.toString()",
    replace: "if (typeof value === 'bigint') return value.toString()",
  },
  {
    name: 'the fields of EIP712Domain are listed in another order than the contracts hash them',
    file: 'api/typed-data/signable.ts',
    find: "{ name: 'chainId', type: 'uint256' },\n  { name: 'verifyingContract', type: 'address' },",
    replace: "{ name: 'verifyingContract', type: 'address' },\n  { name: 'chainId', type: 'uint256' },",
  },
  {
    name: 'the price of a share leaves out the virtual asset of the contract',
    file: 'api/domain/vault.ts',
    caughtBy: ['test/domain/books.test.ts'],
    find: '(totalAssets(vault, now) + 1n)',
    replace: 'totalAssets(vault, now)',
  },
]
