/** One round: audits the rows that new blocks changed, the rows that differed before, and a random sample. */

import { SECONDS_PER_DAY } from '../api/domain/limits.ts'
import type { Random } from '../api/domain/random.ts'
import { type Auditor, auditRows } from './audit.ts'
import type { AuditedBlock, Evidence } from './chain/evidence.ts'
import { type BlockRange, partsOf, readLogs } from './chain/logs.ts'
import { type Comparison, type Difference, differs } from './comparison.ts'
import { entities } from './entities/index.ts'
import type { Entity } from './entity.ts'
import { rollups } from './rollups/index.ts'
import { compareRollup, type Days } from './rollups/rollup.ts'
import type { Scope } from './rows.ts'
import { drawSample } from './sample.ts'
import { findAbsentRows, findMissingRows } from './scan-logs.ts'
import { idOf, isMissingRow, type Outcome } from './store.ts'
import { addKeys, addKeysOfRows, type Keys, keysOfLogs, scopesOf } from './touched.ts'

export type RoundOptions = {
  auditor: Auditor
  random: Random
  sampleRows: number
  /**
   * Block through which all changes were audited before; undefined for the first round, which begins at its own block.
   */
  through: bigint | undefined
  /** Differences that were found before. */
  before: readonly Difference[]
}

export type Round = { block: AuditedBlock; outcome: Outcome; rows: number }

export async function auditRound(options: RoundOptions): Promise<Round> {
  const { auditor, random, sampleRows, through, before } = options
  const block = await auditor.read(async (_db, _schema, block) => block)
  const evidence = await auditor.evidenceAt(block)
  const tally = createTally()
  if (through === undefined || through < block.number) {
    if (through !== undefined) await auditBlocks(auditor, evidence, through + 1n, tally)
    tally.add(block, await findAbsentRows(auditor.read, entities, evidence))
  }
  await auditAgain(auditor, before, tally)
  const sample = await drawSample(random, sampleRows, evidence)
  if (sample) await auditInto(tally, auditor, sample.entity, sample.scope, [])
  return { block, outcome: tally.outcome(), rows: tally.rows() }
}

/** Audits the rows that the blocks since `from` changed, in parts of the range. */
async function auditBlocks(auditor: Auditor, evidence: Evidence, from: bigint, tally: Tally): Promise<void> {
  const { block, contracts, state } = evidence
  const addresses = [...Object.values(contracts), ...(await state.vaults())]
  for (const part of partsOf({ from, to: block.number })) {
    const logs = await readLogs(auditor.chain, addresses, part)
    tally.add(block, await findMissingRows(auditor.read, entities, logs))
    const keys = keysOfLogs(logs)
    await addKeysOfRows(auditor, keys, part)
    const isEmpty = [...keys.values()].every(({ size }) => size === 0)
    if (isEmpty) continue
    await auditKeys(auditor, keys, tally)
    await auditRollups(auditor, await daysOf(evidence, part), tally)
  }
}

/** Audits again the rows that differed before. */
async function auditAgain(auditor: Auditor, before: readonly Difference[], tally: Tally): Promise<void> {
  const keys: Keys = new Map()
  for (const { entity, key } of before) addKeys(keys, entity, [key])
  await auditKeys(auditor, keys, tally)
  const names = new Set<string>(before.map(({ entity }) => entity))
  for (const rollup of rollups.filter(({ name }) => names.has(name))) {
    await auditor.read(async (db, schema, at) => {
      tally.add(at, await compareRollup(db, schema, rollup))
      tally.cover(({ entity }) => entity === rollup.name)
    })
  }
}

async function auditKeys(auditor: Auditor, keys: Keys, tally: Tally): Promise<void> {
  for (const entity of entities) {
    for (const { scope, keys: asked } of scopesOf(entity, keys)) {
      await auditInto(tally, auditor, entity, scope, asked)
    }
  }
}

async function auditInto(
  tally: Tally,
  auditor: Auditor,
  entity: Entity,
  scope: Scope,
  asked: readonly string[],
): Promise<void> {
  const { block, comparisons, keys } = await auditRows(auditor, entity, scope)
  tally.add(block, comparisons)
  tally.addRows(keys.length)
  // A row that was removed has no wrong value. Whether it should exist is determined by its event.
  const gone = new Set(asked.filter((key) => !keys.includes(key)))
  tally.cover((one) => one.entity === entity.name && gone.has(one.key) && !isMissingRow(one))
}

/** Audits some days in every rollup. */
async function auditRollups(auditor: Auditor, days: Days, tally: Tally): Promise<void> {
  await auditor.read(async (db, schema, at) => {
    for (const rollup of rollups) tally.add(at, await compareRollup(db, schema, rollup, days))
  })
}

async function daysOf({ timestamp, firstBlockAt }: Evidence, { from, to }: BlockRange): Promise<Days> {
  const [first = 0n, last = 0n] = await Promise.all([timestamp(from), timestamp(to)])
  const midnight = first - (first % SECONDS_PER_DAY)
  return {
    from: midnight,
    to: last - (last % SECONDS_PER_DAY) + SECONDS_PER_DAY,
    firstBlock: await firstBlockAt(midnight),
  }
}

type Tally = ReturnType<typeof createTally>

/** The results of a round so far. */
function createTally() {
  const found = new Map<string, Difference>()
  const equal = new Set<string>()
  const covers: ((one: Difference) => boolean)[] = []
  let rows = 0
  return {
    add: (block: AuditedBlock, comparisons: readonly Comparison[]) => {
      for (const one of comparisons) {
        if (differs(one)) found.set(idOf(one), { ...one, block: block.number })
        else equal.add(idOf(one))
      }
    },
    /** Declares differences as covered: one that exists would have been found in this round. */
    cover: (covered: (one: Difference) => boolean) => {
      covers.push(covered)
    },
    addRows: (count: number) => {
      rows += count
    },
    rows: () => rows,
    outcome: (): Outcome => ({
      found: [...found.values()],
      isGone: (one) => equal.has(idOf(one)) || covers.some((covered) => covered(one)),
    }),
  }
}
