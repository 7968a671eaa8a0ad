import type { PlantedFault } from '../fault.ts'

/** api/domain and api/typed-data. */
export const domainFaults: readonly PlantedFault[] = [
  {
    name: 'the effective discount of a route is rounded down',
    in: 'effectiveDiscountBps',
    find: 'ceilDiv(totalCost * BPS_DENOMINATOR, totalFace)',
    replace: '(totalCost * BPS_DENOMINATOR) / totalFace',
  },
  {
    name: 'the least face for an advance is rounded down, and advances a unit too little',
    in: 'faceForAdvance',
    find: 'ceilDiv(advance * BPS_DENOMINATOR, BPS_DENOMINATOR - rateBps)',
    replace: '(advance * BPS_DENOMINATOR) / (BPS_DENOMINATOR - rateBps)',
  },
  {
    name: "a vault's utilization is rounded up",
    in: 'utilizationSql',
    find: 'else div(',
    replace: 'else 1 + div(',
  },
  {
    name: 'a claim is overdue in the second in which it is due',
    in: 'overdueSince',
    find: 'owedStates.includes(claim.state) && claim.dueAt < now',
    replace: 'owedStates.includes(claim.state) && claim.dueAt <= now',
  },
  {
    name: 'a claim is not matured yet in the second in which it is due',
    in: 'isMatured',
    find: 'claim.dueAt <= now',
    replace: 'claim.dueAt < now',
    caughtBy: ['reads', 'reads'],
  },
  {
    name: 'a fraction of a second below a millisecond is dropped instead of refused',
    in: 'FRACTION',
    find: '\\.\\d*[1-9]',
    replace: '\\.\\d{0,2}[1-9]',
  },
  {
    name: 'an address in mixed case is taken with a wrong checksum',
    in: 'addressInput',
    find: '!isAddress(text, { strict: true })',
    replace: '!isAddress(text, { strict: false })',
  },
  {
    name: 'the largest amount that a contract holds is refused',
    in: 'parseMoney',
    find: 'amount <= MAX_UINT256 ? amount : undefined',
    replace: 'amount < MAX_UINT256 ? amount : undefined',
  },
  {
    name: 'the last claim type of a mandate is never listed',
    in: 'CLAIM_TYPES',
    find: 'Array.from({ length: 256 }',
    replace: 'Array.from({ length: 255 }',
    area: 'api',
  },
  {
    name: 'lists in lists do not count as levels of JSON',
    in: 'requireShape',
    find: 'depth: depth + 1 })',
    replace: 'depth: isList ? depth : depth + 1 })',
  },
  {
    name: 'an id that is sent in capitals is not brought to lowercase',
    in: 'hashInput',
    find: 'text.slice(2).toLowerCase()',
    replace: 'text.slice(2)',
    caughtBy: ['bad-input', 'refusals', 'reads'],
  },
  {
    name: 'small integers of a message to sign are written as JSON numbers',
    in: 'toJson',
    find: "if (typeof value === 'bigint' || typeof value === 'number') return value.toString()",
    replace: "if (typeof value === 'bigint') return value.toString()",
  },
  {
    name: 'the fields of EIP712Domain are listed in another order than the contracts hash them',
    in: 'DOMAIN_FIELDS',
    find: "{ name: 'chainId', type: 'uint256' }, { name: 'verifyingContract', type: 'address' }",
    replace: "{ name: 'verifyingContract', type: 'address' },\n{ name: 'chainId', type: 'uint256' }",
  },
  {
    name: 'the price of a share leaves out the virtual asset of the contract',
    in: 'assetsSql',
    find: '(vault)} + 1)',
    replace: '(vault)})',
  },
]
