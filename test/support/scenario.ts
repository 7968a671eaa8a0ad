/**
 * The named actions of every test: each does one thing on the chain as the party it names and returns what the
 * test needs to go on. All of them throw `ContractReverted` where the contracts refuse.
 */
export * from './scenario/administration.ts'
export * from './scenario/claims.ts'
export * from './scenario/execution.ts'
export * from './scenario/time.ts'
export * from './scenario/tokens.ts'
export * from './scenario/vaults.ts'
