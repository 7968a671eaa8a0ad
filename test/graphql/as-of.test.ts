/** Plans of operations with fields that are read as of a block of the past. */
import { parse } from 'graphql'
import { describe, expect, it } from 'vitest'
import { bindBlocks, sharedBlock } from '../../api/graphql/operation/plan/past.ts'
import { plan } from '../../api/graphql/operation/plan/plan.ts'
import { prepareOperation } from '../../api/graphql/operation/run.ts'
import { schema } from '../../api/graphql/schema.ts'
import { encodeCursor } from '../../api/projection/sql/cursor.ts'
import { loadLabels } from '../../deployments/labels.ts'

const GATEWAY = { labels: loadLabels(31_337), router: `0x${'11'.repeat(20)}` } as const
const CLAIM = `0x${'22'.repeat(32)}`

const shapeOf = (query: string, variableValues: Record<string, unknown> = {}, document = parse(query)) =>
  prepareOperation({ schema, document, variableValues }).shape

describe('the plan of a read as of a block', () => {
  it('is made once for all blocks and times of a document, and keeps that of the present', () => {
    const query = 'query ($asOf: AsOf) { claims(first: 5, asOf: $asOf) { nodes { claimId state } } }'
    const document = parse(query)
    const planOf = (asOf?: object) => {
      const shape = shapeOf(query, { asOf }, document)
      const made = plan(shape, GATEWAY)
      return { ...made, blocks: made.pasts.map(({ wantedBy }) => wantedBy(shape.variables)) }
    }
    const first = planOf({ block: 1 })
    expect(first.blocks).toEqual([{ block: 1n }])
    for (let block = 2; block < 20; block += 1) {
      const other = planOf({ block })
      expect(other.pasts).toBe(first.pasts)
      expect(other.blocks).toEqual([{ block: BigInt(block) }])
    }
    const time = planOf({ time: '2026-01-01T00:00:00Z' })
    expect(time.pasts).toBe(first.pasts)
    expect(time.blocks).toEqual([{ time: 1_767_225_600n }])
    const now = planOf()
    expect(now.pasts).toEqual([])
    expect(planOf().holes).toBe(now.holes)
    expect(() => planOf({})).toThrow(/either block or time/)
  })

  it.each([
    ['claims', 'registeredAt', true],
    ['claims', 'dueDate', false],
    ['claims', 'faceValue', false],
    ['capitalChanges', 'at', true],
    ['capitalChanges', 'amount', false],
    ['executions', 'totalFace', false],
  ])('of %s by %s is prepared for any block: %s', (list, orderBy, isPrepared) => {
    const nodes = `(first: 5, orderBy: ${orderBy}, asOf: { block: 1 }) { nodes { __typename id } }`
    const { statement } = plan(shapeOf(`{ ${list}${nodes} }`), GATEWAY)
    // The planner's estimate bounds any other: its order can pass over all rows that are later than the block.
    expect([statement.name !== undefined, statement.isFiltered]).toEqual([isPrepared, !isPrepared])
  })

  it('is made once for the cursors of all blocks', () => {
    const query = `query ($asOf: AsOf, $after: String) {
      claims(first: 5, asOf: $asOf, after: $after) { nodes { claimId } pageInfo { endCursor } }
    }`
    const document = parse(query)
    const planOf = (block: bigint) => {
      const key = { name: 'registeredAt', kinds: [] }
      const after = encodeCursor(key, [1_700_000_000n, 2n ** 40n, `0x${block.toString(16)}`])
      return plan(shapeOf(query, { asOf: { block: Number(block) }, after }, document), GATEWAY)
    }
    expect(planOf(20n).pasts).toBe(planOf(10n).pasts)
    expect(planOf(20n).statement.values).toContain('0x14')
  })

  it('costs 1,000 points for each block, and 5,000 for each time, whose block is searched', () => {
    const workOf = (...wanted: readonly string[]) => {
      const fields = wanted.map((one, i) => `a${i}: router(asOf: { ${one} }) { paused }`)
      return plan(shapeOf(`{ now: router { paused } ${fields.join(' ')} }`), GATEWAY).work
    }
    const [block, time] = ['block: 1', 'time: "2026-01-01T00:00:00Z"']
    expect([workOf(), workOf(block), workOf(time)]).toEqual([0, 1000, 5000])
    expect([workOf(block, block), workOf(block, time)]).toEqual([2000, 6000])
  })

  it('reads no rows that are not projected, which belong to the present', () => {
    const shape = shapeOf(`{
      then: claim(claimId: "${CLAIM}", asOf: { block: 1 }) { legs { faceAmount } }
      now: claim(claimId: "${CLAIM}") { legs { faceAmount } }
    }`)
    const legs = [{ executionId: CLAIM, legIndex: 0n, claimId: CLAIM, faceAmount: 1n }]
    const { statement } = plan(shape, GATEWAY, { elsewhere: { executionLeg: legs } })
    expect(statement.text.split('json_to_recordset')).toHaveLength(2)
  })

  it('requires the latest of its blocks, and names a block only if all fields are read at it', () => {
    const fields = [1, 2].map((block) => `a${block}: router(asOf: { block: ${block} }) { paused }`)
    const { statement, pasts } = plan(shapeOf(`{ ${fields.join(' ')} }`), GATEWAY)
    const blocksOf = (...numbers: readonly bigint[]) =>
      new Map(
        numbers.map((blockNumber, i) => [pasts[i]?.field ?? '', { blockNumber, timestamp: blockNumber }]),
      )
    for (const [one, other] of [
      [3n, 7n],
      [7n, 3n],
    ] as const) {
      expect(bindBlocks(statement, blocksOf(one, other)).leastBlock).toBe(7n)
      expect(sharedBlock(blocksOf(one, other), 2)).toBeUndefined()
    }
    expect(sharedBlock(blocksOf(3n, 3n), 2)).toEqual({ blockNumber: 3n, timestamp: 3n })
    // The others are read at the last finalized block.
    expect(sharedBlock(blocksOf(3n, 3n), 3)).toBeUndefined()
    expect(sharedBlock(new Map(), 2)).toBeUndefined()
  })
})
