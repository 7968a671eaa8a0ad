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
