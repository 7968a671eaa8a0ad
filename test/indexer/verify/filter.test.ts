import { describe, expect, it } from 'vitest'
import { bloomOf } from '../../../indexer/verify/bloom.ts'
import { maySelectFrom, parseRangeFilter, selects } from '../../../indexer/verify/filter.ts'
import { logShape } from '../../../indexer/verify/log.ts'

const VAULT = `0x${'a1'.repeat(20)}`
const ROUTER = `0x${'b2'.repeat(20)}`
const DEPOSIT = `0x${'c3'.repeat(32)}`
const WITHDRAW = `0x${'d4'.repeat(32)}`

const filterOf = (filter: object) => {
  const range = parseRangeFilter({ fromBlock: '0x1', toBlock: '0x2', ...filter })
  if (!range) throw new Error('the filter has another form')
  return range
}
const logOf = (address: string, ...topics: string[]) =>
  logShape.parse({
    ...{ address, topics, data: '0x', blockHash: '0x', transactionHash: '0x' },
    ...{ blockNumber: '0x1', transactionIndex: '0x0', logIndex: '0x0' },
  })

describe('a filter of logs', () => {
  it.each([
    [{}, logOf(VAULT), true],
    [{ address: VAULT }, logOf(VAULT), true],
    [{ address: ROUTER }, logOf(VAULT, DEPOSIT), false],
    [{ address: [ROUTER, VAULT.toUpperCase().replace('0X', '0x')] }, logOf(VAULT, DEPOSIT), true],
    [{ topics: [DEPOSIT] }, logOf(VAULT, DEPOSIT), true],
    [{ topics: [DEPOSIT] }, logOf(VAULT, WITHDRAW), false],
    [{ topics: [DEPOSIT] }, logOf(VAULT, WITHDRAW, DEPOSIT), false],
    [{ topics: [[WITHDRAW, DEPOSIT]] }, logOf(VAULT, DEPOSIT), true],
    [{ topics: [DEPOSIT] }, logOf(VAULT), false],
    [{ topics: [null] }, logOf(VAULT), true],
    [{ address: VAULT, topics: [DEPOSIT] }, logOf(ROUTER, DEPOSIT), false],
    [{ address: VAULT, topics: [DEPOSIT] }, logOf(VAULT, DEPOSIT), true],
  ])('%j selects %j: %j', (filter, log, expected) => {
    expect(selects(filterOf(filter), log)).toBe(expected)
    if (expected) expect(maySelectFrom(bloomOf([log]), filterOf(filter))).toBe(true)
  })

  it.each([
    [{ address: ROUTER }, false],
    [{ address: [ROUTER, VAULT] }, true],
    [{ topics: [WITHDRAW] }, false],
    [{ topics: [[WITHDRAW, DEPOSIT]] }, true],
    [{ address: ROUTER, topics: [DEPOSIT] }, false],
    [{ address: VAULT, topics: [WITHDRAW] }, false],
  ])('%j selects from a block with one deposit of a vault: %j', (filter, expected) => {
    expect(maySelectFrom(bloomOf([logOf(VAULT, DEPOSIT)]), filterOf(filter))).toBe(expected)
  })
})
