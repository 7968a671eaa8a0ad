/** Logs of an old range are those that two nodes agree on, whichever node is the first to answer. */
import { describe, expect, it } from 'vitest'
import { agreedLogs } from '../../../indexer/verify/agree.ts'
import type { Log } from '../../../indexer/verify/log.ts'

const log = (data: Log['data']): Log => ({
  address: `0x${'11'.repeat(20)}`,
  topics: [`0x${'22'.repeat(32)}`],
  data,
  blockHash: `0x${'33'.repeat(32)}`,
  blockNumber: '0x1',
  transactionHash: `0x${'44'.repeat(32)}`,
  transactionIndex: '0x0',
  logIndex: '0x0',
})
const [honest, changed, other] = [[log('0x01')], [log('0x02')], [log('0x03')]]

describe('the logs of a range', () => {
  it.each([
    ['the first two', [honest, [log('0x01')], changed]],
    ['the last two', [changed, honest, [log('0x01')]]],
    ['the first and the last', [honest, changed, [log('0x01')]]],
    ['two, while another lacks them', [[], honest, [log('0x01')]]],
  ])('are those of %s', (_, answers) => {
    expect(agreedLogs(answers)).toEqual(honest)
  })

  it('are the same in capital letters, and with zeros before a number', () => {
    const plain = log('0xab')
    const written = { ...log('0xAB'), address: `0x${'AA'.repeat(20)}`, blockNumber: '0x0A', logIndex: '0x00' }
    const same = { ...plain, address: `0x${'aa'.repeat(20)}`, blockNumber: '0xa' }
    expect(agreedLogs([changed, [same], [written]])).toEqual([written])
  })

  it.each([
    ['address', { address: `0x${'12'.repeat(20)}` }],
    ['first topic', { topics: [`0x${'23'.repeat(32)}`] }],
    ['number of topics', { topics: [`0x${'22'.repeat(32)}`, `0x${'22'.repeat(32)}`] }],
    ['block', { blockHash: `0x${'34'.repeat(32)}` }],
    ['height', { blockNumber: '0x2' }],
    ['transaction', { transactionHash: `0x${'45'.repeat(32)}` }],
    ['place of the transaction', { transactionIndex: '0x1' }],
    ['place', { logIndex: '0x1' }],
  ])('are others with another %s', (_, change) => {
    expect(() => agreedLogs([honest, [{ ...log('0x01'), ...change }]])).toThrow('different logs')
  })

  it('are those of the only node that answers', () => {
    expect(agreedLogs([changed])).toBe(changed)
  })

  it('are refused if no two nodes agree', () => {
    expect(() => agreedLogs([honest, changed, other, []])).toThrow(
      'different logs of one range of blocks (1, 1, 1, 0',
    )
    expect(() => agreedLogs([honest, 'none'])).toThrow('not well-formed')
  })
})
