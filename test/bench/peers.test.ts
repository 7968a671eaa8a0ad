/**
 * The benchmark of reads beside other servers: what it asks, compares and reports. Nothing is installed and no load is
 * sent.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSchema, parse, validate } from 'graphql'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { aims, isMissed } from '../../bench/peers/aims.ts'
import { assertEqual, readsOf } from '../../bench/peers/equality.ts'
import { byPackage } from '../../bench/peers/profile.ts'
import type { Peer, Sample } from '../../bench/peers/read.ts'
import { insertReport, renderReport } from '../../bench/peers/report.ts'
import { figuresOf, type Results, type Round, resultsShape } from '../../bench/peers/results.ts'
import { workloads } from '../../bench/peers/workloads/index.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

const SAMPLE: Sample = { issuer: '0x01', wallet: '0x02', claimId: '0x03', registeredAt: '1700000000' }
const round = (requests: number, p99 = 10): Round => ({
  requests,
  seconds: 2,
  p50: 5,
  p99,
  server: 1,
  postgres: 0.5,
  megabytes: 200,
})
const measurement = (peer: Peer, requests: number) => ({
  workload: 'list',
  peer,
  rounds: [round(requests - 20), round(requests), round(requests + 1000)],
})
const results: Results = {
  date: '2026-01-01',
  machine: { processor: 'a processor', cores: 2, gigabytes: 8, system: 'Linux', load: [0, 1] },
  versions: { Node: '24' },
  claims: 1000,
  connections: 32,
  pool: 10,
  measurements: [
    measurement('ours', 1400),
    measurement('postgraphile', 1000),
    measurement('ponder', 500),
    measurement('sql', 3000),
  ],
}

describe('requests', () => {
  const schema = buildSchema(read('api/graphql/generated/schema.graphql'))
  const documents = workloads.flatMap(({ id, reads }) => {
    const body = reads.ours?.request(SAMPLE, '').body
    return body === undefined ? [] : [[id, z.object({ query: z.string() }).parse(JSON.parse(body)).query]]
  })

  it.each(documents)('to the gateway for %s are valid', (_, query = '') => {
    expect(validate(schema, parse(query))).toEqual([])
  })

  it('differ from sample to sample, so that no answer of another request serves them', () => {
    const other: Sample = { issuer: '0x11', wallet: '0x12', claimId: '0x13', registeredAt: '1700000001' }
    const fixed = workloads.filter(
      (workload) =>
        !workload.repeats &&
        readsOf(workload).some(
          ([, one]) => JSON.stringify(one.request(SAMPLE, 'a')) === JSON.stringify(one.request(other, 'b')),
        ),
    )
    expect(fixed.map(({ id }) => id)).toEqual(['health'])
  })
})

describe('equality', () => {
  const rows = [
    { id: '0x01', faceValue: '1', allocations: [{ vault: { name: 'V' } }] },
    { id: '0x02', faceValue: '2', allocations: [] },
  ]
  const compare = (other: readonly Record<string, unknown>[]) =>
    assertEqual('a list', [
      ['ours', rows],
      ['sql', other],
    ])

  it('accepts the same rows', () => {
    expect(() => compare(structuredClone(rows))).not.toThrow()
  })

  it.each([
    ['another value', [{ ...rows[0], faceValue: '3' }, rows[1]]],
    ['another value of a nested row', [{ ...rows[0], allocations: [{ vault: { name: 'W' } }] }, rows[1]]],
    ['a number in place of a text', [{ ...rows[0], faceValue: 1 }, rows[1]]],
    ['a missing column', [{ id: '0x01', allocations: rows[0]?.allocations }, rows[1]]],
    ['another order', rows.toReversed()],
    ['a missing row', rows.slice(1)],
  ])('rejects %s', (_, other) => {
    expect(() => compare(other.map((row) => ({ ...row })))).toThrow('a list: sql and ours differ')
  })

  it('reads every column that a list selects', () => {
    const list = workloads.find(({ id }) => id === 'list')
    const claim = {
      id: '0x01',
      issuer: '0x02',
      beneficiary: '0x03',
      token: '0x04',
      faceValue: '5',
      dueAt: '6',
    }
    expect(list?.reads.sql?.rows.parse([{ ...claim, claimType: 7, state: 'SETTLED' }])).toEqual([
      { ...claim, claimType: 7, state: 'SETTLED' },
    ])
    expect(list?.reads.sql?.rows.safeParse([claim]).success).toBe(false)
  })
})

describe('report', () => {
  it('takes medians of the rounds, and processor time of all of them', () => {
    const rounds = [round(1000, 30), round(4000, 10), round(2000, 20)]
    expect(figuresOf(rounds)).toEqual({
      perSecond: 1000,
      p50: 5,
      p99: 20,
      server: 3000 / 7000,
      postgres: 1500 / 7000,
    })
  })

  it('has a row for each read, and states for each aim whether it holds', () => {
    const report = renderReport(results)
    expect(report).toContain('| list of 50, 8 fields | 700 | 500 | 250 | 1500 |')
    expect(report).toContain(
      '| list of 50, 8 fields: requests per second, PostGraphile = 1 | at least 1.3 | 1.40 | yes | 1.30 |',
    )
    expect(report).toContain(
      '| list of 50, 8 fields: requests per second, SQL = 1 | at least 0.6 | 0.47 | **no** | 0.52 |',
    )
    expect(isMissed({ id: 'list' }, results)).toBe(true)
  })

  it('has an aim for each read of the gateway, but for REST, repeated reads and `/health`', () => {
    const without = workloads.filter(({ id }) => !aims.some((aim) => aim.workload === id))
    const repeated = workloads.filter(({ repeats }) => repeats).map(({ id }) => id)
    expect(without.map(({ id }) => id)).toEqual(['rest', 'rest-unchanged', ...repeated, 'health'])
  })

  it('stands in bench/README.md as it was measured', () => {
    const document = read('bench/README.md')
    const measured = resultsShape.parse(JSON.parse(read('bench/peers/results.json')))
    expect(insertReport(document, renderReport(measured))).toBe(document)
  })

  it('sums a profile by package without idle time', () => {
    const frame = (id: number, functionName: string, url: string) => ({
      id,
      callFrame: { functionName, url },
    })
    const sampled = {
      nodes: [
        frame(1, '(idle)', ''),
        frame(2, 'parse', 'file:///project/node_modules/@scope/name/index.js'),
        frame(3, 'read', 'file:///project/api/graphql/run.ts'),
        frame(4, '(garbage collector)', ''),
      ],
      samples: [1, 2, 3, 2, 4],
      timeDeltas: [1000, 20, 30, 40, 10],
    }
    expect(byPackage(sampled)).toEqual([
      ['@scope/name', 60],
      ['api/graphql', 30],
      ['garbage collector', 10],
    ])
  })
})
