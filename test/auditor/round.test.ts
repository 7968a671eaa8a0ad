/** Parts of a round: which rows it audits, in which pages, and what a difference proves. */
import pg from 'pg'
import { pino } from 'pino'
import { type Address, concatHex, encodeFunctionResult, type Hex, numberToHex, pad, size, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { claimRegistryAbi } from '../../abis/ClaimRegistry.ts'
import { issuerRegistryAbi } from '../../abis/IssuerRegistry.ts'
import { tokenRegistryAbi } from '../../abis/TokenRegistry.ts'
import { createChain } from '../../api/chain/client.ts'
import { firstOrdinalOf } from '../../api/domain/ordinal.ts'
import { drawBetween, seededRandom } from '../../api/domain/random.ts'
import { createPool, createProjectionDb } from '../../api/projection/session/database.ts'
import { auditRows, publishedProjection, type ReadProjection } from '../../auditor/audit.ts'
import { auditAll } from '../../auditor/audit-all.ts'
import { createEvidence } from '../../auditor/chain/evidence.ts'
import { historyOf } from '../../auditor/chain/history.ts'
import { event, type ProtocolLog, partsOf, readLogs } from '../../auditor/chain/logs.ts'
import { type State, stateAt } from '../../auditor/chain/state.ts'
import { differs } from '../../auditor/comparison.ts'
import { findMissingLogs } from '../../auditor/counters.ts'
import { entities } from '../../auditor/entities/index.ts'
import { BETWEEN, type Entity, type Loaded } from '../../auditor/entity.ts'
import { createMetrics } from '../../auditor/metrics.ts'
import { auditRound } from '../../auditor/round.ts'
import type { Page, Scope } from '../../auditor/rows.ts'
import { drawSample } from '../../auditor/sample.ts'
import { presentKeys } from '../../auditor/scan-logs.ts'
import { follow, type Service } from '../../auditor/service.ts'
import { openStore } from '../../auditor/store.ts'
import { addKeysOfRows, type Keys, keysOfLogs } from '../../auditor/touched.ts'
import { playRandomHistory } from '../indexer/random-world.ts'
import { rejection } from '../support/coded.ts'
import { NODE_TIMEOUT_MS } from '../support/limits.ts'
import { startNodeProxy } from '../support/node-proxy.ts'
import { createDatabase } from '../support/postgres.ts'
import { type AuditedWorld, startAuditedWorld } from './audited.ts'
import { camel, snake, whilePlanted } from './planted.ts'

/** An address with the code of a vault. */
const UNLISTED = `0x${'5a'.repeat(20)}` as const
const NOWHERE = `0x${'5b'.repeat(20)}` as const

/** The largest answers of the contracts, each from an address that answers every call with it. */
const LARGEST = {
  claim: encodeFunctionResult({
    abi: claimRegistryAbi,
    functionName: 'claim',
    result: {
      issuer: UNLISTED,
      beneficiary: UNLISTED,
      token: UNLISTED,
      faceValue: 2n ** 128n - 1n,
      financedFaceValue: 2n ** 128n - 1n,
      paidFaceValue: 2n ** 128n - 1n,
      dueDate: 2n ** 64n - 1n,
      claimType: 255,
      sliceCount: 8,
      state: 1,
    },
  }),
  allocations: encodeFunctionResult({
    abi: claimRegistryAbi,
    functionName: 'allocations',
    result: Array.from({ length: 8 }, () => ({ vault: UNLISTED, faceAmount: 1n, advanceAmount: 1n })),
  }),
  tokenMetadata: encodeFunctionResult({
    abi: tokenRegistryAbi,
    functionName: 'metadata',
    result: { known: true, decimals: 36, symbol: 's'.repeat(64), name: 'n'.repeat(64) },
  }),
  isIssuerActive: encodeFunctionResult({ abi: issuerRegistryAbi, functionName: 'isActive', result: true }),
} as const
type Answer = keyof typeof LARGEST

const answering = (answer: Answer) => pad(toHex(Object.keys(LARGEST).indexOf(answer) + 0x5c00), { size: 20 })

/** Returns the text that follows these ten bytes of code. */
const codeThatAnswers = (answer: Hex) =>
  concatHex(['0x61', numberToHex(size(answer), { size: 2 }), '0x80600a5f395ff3', answer])

let audited: AuditedWorld
let logs: readonly ProtocolLog[]
beforeAll(async () => {
  audited = await startAuditedWorld(async (world) => {
    const { vaults } = await playRandomHistory(world, 5, 20)
    const bytecode = await world.chain.getCode({ address: vaults[0]?.vault ?? UNLISTED })
    await world.chain.setCode({ address: UNLISTED, bytecode: bytecode ?? '0x' })
    for (const answer of ['claim', 'allocations', 'tokenMetadata', 'isIssuerActive'] as const)
      await world.chain.setCode({ address: answering(answer), bytecode: codeThatAnswers(LARGEST[answer]) })
  })
  logs = await readLogs(audited.auditor.chain, await addresses(), range())
})
afterAll(() => audited?.stop())

const range = () => ({ from: audited.world.startBlock, to: audited.block })
const evidence = async () =>
  audited.auditor.evidenceAt(await audited.auditor.read(async (_db, _schema, at) => at))
const addresses = async () => [
  ...Object.values(audited.manifest.contracts),
  ...(await (await evidence()).state.vaults()),
]
const relationOf = (entity: string) => `${audited.schema}.${snake(entity)}`
const named = (name: string): Entity => {
  const entity = entities.find((one) => one.name === name)
  if (!entity) throw new Error(`there is no entity ${name}`)
  return entity
}

it('an audit of everything finds no difference, and reports how many rows of each table it compared', async () => {
  const rows = new Map<string, unknown>()
  const { block, differences } = await auditAll(audited.auditor, ({ of, done }) => rows.set(of, done))
  expect([block.number, differences]).toEqual([audited.block, []])
  for (const { name } of entities) {
    if (name === 'wallet') continue
    const { rows: found } = await audited.owner.query(`select count(*)::int as rows from ${relationOf(name)}`)
    expect([name, rows.get(name)]).toEqual([name, found[0]?.rows])
  }
})

describe('the pages of a table', () => {
  async function keysOf(entity: Entity, limit: number): Promise<string[]> {
    const keys: string[] = []
    let page: Page | undefined = { after: [], limit }
    while (page) {
      const scope: Scope = { page }
      const loaded: Loaded = await audited.auditor.read((db, schema) => entity.load(db, schema, scope))
      expect(loaded.keys.length).toBeLessThanOrEqual(limit)
      keys.push(...loaded.keys)
      page = loaded.next
    }
    return keys
  }

  it.each(entities)('have each row once, in the order of one page of all: $name', async (entity) => {
    const all = await keysOf(entity, 100_000)
    expect(new Set(all).size).toBe(all.length)
    expect(await keysOf(entity, 7)).toEqual(all)
    expect(await keysOf(entity, Math.max(1, all.length))).toEqual(all)
  })
})

describe('a sample', () => {
  /** Draws the table of an index, then a place. */
  const drawn = (entity: Entity, place: number) => {
    const numbers = [(entities.indexOf(entity) + 0.5) / entities.length, place]
    return () => numbers.shift() ?? 0
  }
  const places = [0, 0.25, 0.6, 1 - 2 ** -32]

  async function sampled(entity: Entity, place: number): Promise<readonly string[]> {
    const sample = await drawSample(drawn(entity, place), 5, await evidence())
    if (!sample) throw new Error('nothing was drawn')
    expect(sample.entity.name).toBe(entity.name)
    return (await auditRows(audited.auditor, sample.entity, sample.scope)).keys
  }
  const keysFrom = async (entity: string, key: string, condition: string, order: string) => {
    const text = `select ${key} as key from ${relationOf(entity)} where ${condition} order by ${order} limit 5`
    return (await audited.owner.query<{ key: string }>(text)).rows.map(({ key }) => key)
  }
  const blockAt = (place: number) => drawBetween(() => place, range().from, range().to)

  it('is counted by its rows, in a round without a new block', async () => {
    const activity = named('activity')
    const options = { auditor: audited.auditor, sampleRows: 5, through: audited.block, before: [] }
    const { rows } = await auditRound({ ...options, random: drawn(activity, 0) })
    expect([rows, (await sampled(activity, 0)).length]).toEqual([5, 5])
  })

  it('begins at a block of the protocol: at the first of them or later, up to the last', async () => {
    const whole = await evidence()
    const startBlock = whole.block.number - 7n
    const [first, last] = await Promise.all([startBlock, whole.block.number].map(whole.timestamp))
    const bounds = [
      ['activity', firstOrdinalOf(startBlock), firstOrdinalOf(whole.block.number)],
      ['claim', first, last],
    ] as const
    for (const [name, ...expected] of bounds) {
      for (const [index, place] of [0, 1 - 2 ** -32].entries()) {
        const sample = await drawSample(drawn(named(name), place), 5, { ...whole, startBlock })
        expect(sample?.scope).toEqual({ page: { after: [String(expected[index])], limit: 5 } })
      }
    }
  })

  it.each(places)('is of the rows from a block on, for a table of events (%d)', async (place) => {
    const first = firstOrdinalOf(blockAt(place))
    const expected = await keysFrom('activity', 'id::text', `id >= ${first}`, 'id')
    expect(await sampled(named('activity'), place)).toEqual(expected)
  })

  it.each(places)('is of the rows from the time of a block on, for a table of times (%d)', async (place) => {
    const { timestamp } = await audited.world.chain.getBlock({ blockNumber: blockAt(place) })
    const expected = await keysFrom('claim', 'id', `registered_at >= ${timestamp}`, 'registered_at, ordinal')
    expect(await sampled(named('claim'), place)).toEqual(expected)
  })

  it.each(places)('is of the rows from an address on, for a table of addresses (%d)', async (place) => {
    const address = `0x${drawBetween(() => place, 0n, 2n ** 32n - 1n)
      .toString(16)
      .padStart(8, '0')}`
    const key = `vault || '${BETWEEN}' || owner`
    const expected = await keysFrom('vaultPosition', key, `vault >= '${address}'`, 'vault, owner')
    expect(await sampled(named('vaultPosition'), place)).toEqual(expected)
  })
})

const OF_CAPITAL = ['Deposit', 'Funded', 'Repaid', 'Withdraw']
const OF_TERMS = ['MandateChanged', 'PricingChanged', 'VaultRegistered', 'VaultStatusChanged']
const OF_VAULT = [...OF_TERMS, 'OwnershipTransferred']
const OF_STATUS = ['IssuerStatusChanged', 'Paused', 'TokenAdded', 'TokenStatusChanged', 'Unpaused']

/** The events that lead to rows of each table. */
const EVENTS: Readonly<Record<string, readonly string[]>> = {
  router: ['Paused', 'Unpaused'],
  issuer: ['ClaimRegistered', 'IssuerStatusChanged'],
  token: ['TokenAdded', 'TokenStatusChanged'],
  vault: [...OF_VAULT, ...OF_CAPITAL, 'Transfer'],
  vaultTerms: OF_TERMS,
  vaultVersion: OF_VAULT,
  pendingTerms: ['MandateChanged', 'TermsRevoked', 'TermsSubmitted'],
  vaultPosition: ['Transfer'],
  claim: [
    ...['AllocationRegistered', 'ClaimPaid', 'ClaimRegistered', 'ClaimStateChanged', 'Credited', 'Funded'],
    ...['LegExecuted', 'Repaid', 'RepaymentHeld', 'SliceReserved'],
  ],
  wallet: ['Executed', 'RoutesCancelled'],
  allocation: ['AllocationRegistered', 'ClaimPaid', 'ClaimStateChanged', 'Repaid', 'RepaymentHeld'],
  execution: ['AllocationRegistered', 'Executed', 'LegExecuted'],
  executionLeg: ['LegExecuted'],
  routeCancellation: ['RoutesCancelled'],
  statusVersion: OF_STATUS,
  settlement: ['ClaimPaid'],
  capitalChange: OF_CAPITAL,
  positionChange: ['Deposit', 'Transfer', 'Withdraw'],
  credit: ['CreditWithdrawn', 'Credited'],
  activity: [
    ...['ClaimPaid', 'ClaimRegistered', 'ClaimStateChanged', 'CreditWithdrawn', 'Credited'],
    ...['Deposit', 'Executed', 'Withdraw'],
  ],
}

describe('a block', () => {
  /** The keys that an audit of the block covers. */
  async function covered(block: bigint): Promise<(entity: string, key: string) => boolean> {
    const keys: Keys = keysOfLogs(logs.filter(({ blockNumber }) => blockNumber === block))
    await addKeysOfRows(audited.auditor, keys, { from: block, to: block })
    return (entity, key) =>
      [...(keys.get(entity) ?? [])].some((one) => key === one || key.startsWith(`${one}${BETWEEN}`))
  }

  it('has every row audited whose columns name the block', async () => {
    const { rows: blockColumns } = await audited.owner.query<{ table: string; column: string }>(
      `select table_name as table, column_name as column from information_schema.columns
       where table_schema = $1 and column_name ~ '(^|_)block$' and table_name !~ '^_ponder' order by 1, 2`,
      [audited.schema],
    )
    const isKnown = ({ table }: { table: string }) => entities.some(({ name }) => name === camel(table))
    const missed: string[] = []
    let rows = 0
    for (const { table, column } of blockColumns.filter(isKnown)) {
      const entity = named(camel(table))
      const columns = entity.keyColumns.map((each) => `${pg.escapeIdentifier(snake(each))}::text`)
      const key = columns.join(` || '${BETWEEN}' || `)
      const { rows: found } = await audited.owner.query<{ key: string; block: string }>(
        `select ${key} as key, ${column}::text as block from ${relationOf(entity.name)}
         where ${column} > ${range().from} and ${column} <= ${range().to}`,
      )
      for (const { key, block } of found) {
        rows += 1
        if (!(await covered(BigInt(block)))(entity.name, key)) missed.push(`${table}.${column} ${key}`)
      }
    }
    expect(missed).toEqual([])
    expect(rows).toBeGreaterThan(100)
  })

  it.each(Object.entries(EVENTS))(
    'has rows of %s audited for each event that changes one',
    async (name, events) => {
      const leading = logs.filter((log) => keysOfLogs([log]).get(name)?.size)
      expect([...new Set(leading.map(({ eventName }) => eventName))].toSorted()).toEqual(events.toSorted())
      const keys = [...(keysOfLogs(leading).get(name) ?? [])]
      expect(keys).toEqual(keys.map((key) => key.toLowerCase()))
      expect(await presentKeys(audited.auditor.read, named(name), keys)).not.toEqual([])
    },
  )

  it('has rows of every table audited for some event', () => {
    expect(Object.keys(EVENTS).toSorted()).toEqual(entities.map(({ name }) => name).toSorted())
  })

  it('is audited in the round after the block before it, and in no later one', async () => {
    const { auditor, owner } = audited
    const relation = relationOf('settlement')
    const { rows } = await owner.query<{ id: string; block: string }>(
      `select id::text, block::text from ${relation} order by id desc limit 1`,
    )
    const [last] = rows
    if (!last) throw new Error('nothing was settled')
    const found = async (through: bigint) => {
      const round = await auditRound({ auditor, random: () => 0, sampleRows: 0, through, before: [] })
      return round.outcome.found.map(({ entity, key, field, kind }) => [entity, key, field, kind])
    }
    const wrong = `update ${relation} set payer = '0x${'77'.repeat(20)}' where id = ${last.id}`
    const block = BigInt(last.block)
    const looks = await whilePlanted(owner, relation, wrong, async () => [
      await found(block - 1n),
      await found(block),
    ])
    expect(looks).toEqual([[['settlement', last.id, 'payer', 'WRONG_VALUE']], []])
  })
})

describe('a sum that differs', () => {
  const differencesWhile = async (entity: string, statement: (relation: string) => string) => {
    const relation = relationOf(entity)
    return whilePlanted(audited.owner, relation, statement(relation), async () => {
      const scope = { page: { after: [], limit: 10_000 } }
      return (await auditRows(audited.auditor, named('claim'), scope)).comparisons.filter(differs)
    })
  }

  it('proves no missing event where one of its rows is wrong', async () => {
    const found = await differencesWhile('allocation', (relation) => {
      const one = `(select min(ctid) from ${relation})`
      return `update ${relation} set face_amount = face_amount + 1 where ctid = ${one}`
    })
    expect(found.map(({ field, kind }) => [field, kind])).toContainEqual([
      'sum(allocation.faceAmount)',
      'WRONG_VALUE',
    ])
    expect(found.map(({ entity, field }) => `${entity} ${field}`)).toContain('allocation faceAmount')
    expect(found.filter(({ kind }) => kind === 'MISSING_LOGS')).toEqual([])
  })

  it('proves a missing event where all of its rows are right', async () => {
    const found = await differencesWhile('settlement', (relation) => {
      const one = `(select min(ctid) from ${relation})`
      return `delete from ${relation} where ctid = ${one}`
    })
    expect(found.map(({ field, kind }) => [field, kind])).toContainEqual([
      'sum(settlement.faceAmount)',
      'MISSING_LOGS',
    ])
  })

  it('does not keep an index with a wrong row from its publication: no event is missing', async () => {
    const relation = relationOf('allocation')
    const one = `(select min(ctid) from ${relation})`
    const wrong = `update ${relation} set face_amount = face_amount + 1 where ctid = ${one}`
    const pool = createPool(audited.database.urls.indexer, 2)
    const { schema, manifest, owner, auditor } = audited
    const check = { db: createProjectionDb(pool), schema, chain: auditor.chain, manifest }
    expect(await whilePlanted(owner, relation, wrong, () => findMissingLogs(check))).toEqual([])
    await pool.end()
  })
})

describe('the events of a range', () => {
  it.each([
    [{ from: 5n, to: 4n }, []],
    [{ from: 5n, to: 5n }, [[5n, 5n]]],
    [{ from: 5n, to: 1004n }, [[5n, 1004n]]],
    [
      { from: 5n, to: 1005n },
      [
        [5n, 1004n],
        [1005n, 1005n],
      ],
    ],
    [
      { from: 0n, to: 2999n },
      [
        [0n, 999n],
        [1000n, 1999n],
        [2000n, 2999n],
      ],
    ],
  ])('are read in parts of at most 1,000 blocks: %o', (whole, parts) => {
    expect([...partsOf(whole)].map(({ from, to }) => [from, to])).toEqual(parts)
  })

  it('are all of them from a node that refuses all but a few blocks at once', async () => {
    const sizes: number[] = []
    const node = await startNodeProxy(({ method, params: [filter] }) => {
      if (method !== 'eth_getLogs' || typeof filter !== 'object' || filter === null) return undefined
      const [from, to] = [Reflect.get(filter, 'fromBlock'), Reflect.get(filter, 'toBlock')].map(Number)
      sizes.push(Number(to) - Number(from) + 1)
      return Number(to) - Number(from) < 5
        ? undefined
        : { error: { code: -32_005, message: 'too many blocks' } }
    }, audited.world.rpcUrl)
    const chain = createChain({ urls: [node.url], timeout: NODE_TIMEOUT_MS })
    expect(await readLogs(chain, await addresses(), range())).toEqual(logs)
    expect(Math.min(...sizes)).toBeLessThan(6)
    await node.stop()
  })

  it('are those of each of its blocks, which are read together', async () => {
    const history = historyOf(audited.auditor.chain, addresses)
    const blocks = Array.from(
      { length: Number(range().to - range().from) + 1 },
      (_, i) => range().from + BigInt(i),
    )
    const apart = await Promise.all(blocks.filter((_, i) => i % 3 > 0).map(history.logs))
    const expected = blocks
      .filter((_, i) => i % 3 > 0)
      .map((block) => logs.filter(({ blockNumber }) => blockNumber === block))
    expect(apart).toEqual(expected)
  })

  it('are found by the time of their block: the first block at or after a time', async () => {
    const { from, to } = range()
    const { chain } = audited.world
    const all = Array.from({ length: Number(to - from) + 1 }, (_, i) => from + BigInt(i))
    const blocks = await Promise.all(all.map((blockNumber) => chain.getBlock({ blockNumber })))
    const history = historyOf(audited.auditor.chain, addresses)
    const times = new Set(blocks.flatMap(({ timestamp }) => [timestamp - 1n, timestamp, timestamp + 1n]))
    for (const time of times) {
      const first = blocks.find(({ timestamp }) => timestamp >= time)?.number ?? to + 1n
      expect([time, await history.firstAt(time, { from, to })]).toEqual([time, first])
    }
    const { logsAt } = await evidence()
    for (const time of new Set(blocks.map(({ timestamp }) => timestamp))) {
      const ofTime = blocks.filter(({ timestamp }) => timestamp === time).map(({ number }) => number)
      expect(await logsAt(time)).toEqual(logs.filter(({ blockNumber }) => ofTime.includes(blockNumber)))
    }
  })
})

it('a block of another time is that of another chain, which proves nothing', async () => {
  const { block } = await evidence()
  for (const timestamp of [block.timestamp - 1n, block.timestamp + 1n])
    expect(await rejection(audited.auditor.evidenceAt({ ...block, timestamp }))).toBe('CHAIN_UNAVAILABLE')
})

it('a list of vaults that a node did not give is read again, also at the block of the failure', async () => {
  let isAway = true
  const node = await startNodeProxy(
    ({ method }) => (isAway && method === 'eth_call' ? { status: 502 } : undefined),
    audited.world.rpcUrl,
  )
  const chain = createChain({ urls: [node.url], timeout: NODE_TIMEOUT_MS })
  const evidenceAt = createEvidence(chain, audited.manifest)
  const { block, state } = await evidence()
  const vaults = async () => (await evidenceAt(block)).state.vaults()
  try {
    await expect(vaults()).rejects.toThrow()
    isAway = false
    expect(await vaults()).toEqual(await state.vaults())
  } finally {
    await node.stop()
  }
})

it('an event is found by its transaction, unless that is malformed, unknown, or later than the audited block', async () => {
  const registered = logs.find(event('ClaimRegistered'))
  if (!registered) throw new Error('no claim was registered')
  const { transactionHash: hash, blockNumber, logIndex } = registered
  const isOwn = event(
    'ClaimRegistered',
    (log) => log.blockNumber === blockNumber && log.logIndex === logIndex,
  )
  const { find } = await evidence()
  expect(await find(isOwn, -1n, hash)).toEqual(registered)
  const none = ['0x', '0x77', hash.slice(0, -1), `${hash}0`, hash.replace(/.$/, 'g'), `0x${'77'.repeat(32)}`]
  for (const tx of none) expect(await find(isOwn, -1n, `0x${tx.slice(2)}`), tx).toBeUndefined()
  const number = blockNumber - 1n
  const { timestamp } = await audited.world.chain.getBlock({ blockNumber: number })
  const earlier = await audited.auditor.evidenceAt({ number, timestamp })
  expect(await earlier.find(isOwn, -1n, hash)).toBeUndefined()
})

it.each([[{ status: 502 }], [{ error: { code: -32_000, message: 'header not found' } }]])(
  'an event, a block or a time that a node does not give (%o) is not missing, and is read again',
  async (answer) => {
    const registered = logs.find(event('ClaimRegistered'))
    if (!registered) throw new Error('no claim was registered')
    let refused = ''
    const node = await startNodeProxy(
      ({ method }) => (method === refused ? answer : undefined),
      audited.world.rpcUrl,
    )
    onTestFinished(node.stop)
    const chain = createChain({ urls: [node.url], timeout: NODE_TIMEOUT_MS })
    const { block } = await evidence()
    const { find, logs: logsOf, timestamp } = await createEvidence(chain, audited.manifest)(block)
    const { blockNumber, transactionHash } = registered
    const reads = [
      ['eth_getLogs', () => logsOf(blockNumber)],
      ['eth_getBlockByNumber', () => timestamp(blockNumber)],
      ['eth_getTransactionReceipt', () => find(event('ClaimRegistered'), -1n, transactionHash)],
    ] as const
    for (const [method, read] of reads) {
      refused = method
      await expect(read(), method).rejects.toThrow()
      refused = ''
      expect(await read(), method).toBeTruthy()
    }
  },
)

describe('the state of the contracts', () => {
  const readsOf = async (state: State) => {
    const { rows } = await audited.owner.query<{
      claimId: Hex
      vault: Address
      token: Address
      issuer: Address
    }>(`select claim_id as "claimId", vault, token, issuer from ${relationOf('allocation')} limit 1`)
    const [row] = rows
    if (!row) throw new Error('nothing was financed')
    const { claimId, vault, token, issuer } = row
    const slice = { claimId, sliceIndex: 0 }
    return [
      () => state.claim(claimId),
      () => state.allocations(claimId),
      () => state.isIssuerActive(issuer),
      () => state.isTokenListed(token),
      () => state.tokenMetadata(token),
      () => state.isVaultActive(vault),
      () => state.shares({ vault, owner: issuer }),
      () => state.heldFace(slice),
      () => state.credit({ account: issuer, token }),
      () => state.nonce(issuer),
      () => state.vault(vault),
      () => state.isPaused(audited.manifest.contracts.financingRouter),
    ]
  }

  it.each([
    ['is out of order', { status: 502 }],
    ['answers with an error', { error: { code: -32_000, message: 'header not found' } }],
  ])('is read again where a node %s: it is not that of a call which reverts', async (_, answer) => {
    let isAway = true
    // A call of several contracts has no address.
    const node = await startNodeProxy(({ method, params: [call] }) => {
      const isOfMany = method === 'eth_call' && typeof call === 'object' && call !== null && !('to' in call)
      return isAway && isOfMany ? answer : undefined
    }, audited.world.rpcUrl)
    onTestFinished(node.stop)
    const chain = createChain({ urls: [node.url], timeout: NODE_TIMEOUT_MS })
    const { block } = await evidence()
    const reads = await readsOf((await createEvidence(chain, audited.manifest)(block)).state)
    const failed = await Promise.allSettled(reads.map((read) => read()))
    expect(failed.map(({ status }) => status)).toEqual(reads.map(() => 'rejected'))
    isAway = false
    for (const read of reads) expect(await read()).toBeDefined()
  })

  it('is read of many keys at once, also where each answer is the largest one', async () => {
    const { block } = await evidence()
    const { contracts } = audited.manifest
    const keys = Array.from({ length: 200 }, (_, key) => pad(toHex(key + 1), { size: 20 }))
    const at = (registry: keyof typeof contracts, answer: Answer) =>
      stateAt(audited.auditor.chain, { ...contracts, [registry]: answering(answer) }, block.number)
    const [claims, slices] = [at('claimRegistry', 'claim'), at('claimRegistry', 'allocations')]
    const [tokens, issuers] = [at('tokenRegistry', 'tokenMetadata'), at('issuerRegistry', 'isIssuerActive')]
    const read = {
      claims: await Promise.all(keys.map((key) => claims.claim(pad(key)))),
      slices: await Promise.all(keys.map((key) => slices.allocations(pad(key)))),
      tokens: await Promise.all(keys.map(tokens.tokenMetadata)),
      issuers: await Promise.all(keys.map(issuers.isIssuerActive)),
    }
    expect(new Set(read.claims.map((claim) => claim?.sliceCount))).toEqual(new Set([8]))
    expect(new Set(read.slices.map((of) => of?.length))).toEqual(new Set([8]))
    expect(new Set(read.tokens.map((token) => token?.name.length))).toEqual(new Set([64]))
    expect(new Set(read.issuers)).toEqual(new Set([true]))
  })

  it('is none where there is no contract', async () => {
    const { block } = await evidence()
    const names = Object.keys(audited.manifest.contracts)
    const nowhere = Object.fromEntries(names.map((name) => [name, NOWHERE]))
    const state = stateAt(audited.auditor.chain, { ...audited.manifest.contracts, ...nowhere }, block.number)
    const own = await readsOf(state)
    const found = await Promise.all(own.map((read) => read()))
    // Shares and the state of a vault are read from the vault itself.
    expect(found.filter((one) => one !== undefined)).toHaveLength(2)
    expect(await state.vault(NOWHERE)).toBeUndefined()
  })

  it('is that of no vault which the registry does not list, although a contract answers like one', async () => {
    const { state, block } = await evidence()
    const { usd, parties } = audited.world
    const unguarded = stateAt(audited.auditor.chain, audited.manifest.contracts, block.number)
    const owner = parties.beneficiary.address
    expect(await unguarded.shares({ vault: usd, owner })).toBeGreaterThan(0n)
    expect(await state.shares({ vault: usd, owner })).toBeUndefined()
    expect(await unguarded.vault(UNLISTED)).toBeDefined()
    expect(await state.vault(UNLISTED)).toBeUndefined()
  })
})

describe('the rounds of a service', () => {
  /** Follows the projection in `projection` until it was read a few times. */
  async function follows(projection: pg.Pool, evidenceAt = audited.auditor.evidenceAt) {
    const end = new AbortController()
    const published = publishedProjection(createProjectionDb(projection))
    let reads = 0
    const read: ReadProjection = (work) => {
      reads += 1
      if (reads === 3) end.abort()
      return published(work)
    }
    const metrics = createMetrics()
    const warnings: unknown[] = []
    const service: Service = {
      auditor: { ...audited.auditor, read, evidenceAt },
      store: await openStore(audited.pool),
      random: seededRandom(3),
      sampleRows: 0,
      metrics,
      log: pino({}, { write: (line) => void warnings.push(JSON.parse(line)) }),
      clock: Date.now,
    }
    await follow(service, 1, end.signal)
    const failures = await metrics.registry.getSingleMetric('audit_failures_total')?.get()
    return { reads, failures: failures?.values[0]?.value, warnings: warnings.length }
  }

  it('that fail are counted and repeated', async () => {
    const projection = createPool(audited.database.urls.auditor, 1)
    await projection.end()
    expect(await follows(projection)).toEqual({ reads: 3, failures: 3, warnings: 3 })
  })

  it('fail where no node answers', async () => {
    const node = await startNodeProxy(() => ({ status: 502 }))
    const chain = createChain({ urls: [node.url], timeout: NODE_TIMEOUT_MS })
    const failed = await follows(audited.pool, createEvidence(chain, audited.manifest))
    expect(failed).toEqual({ reads: 3, failures: 3, warnings: 3 })
    await node.stop()
  })

  it('do not fail while nothing is indexed', async () => {
    const empty = await createDatabase()
    const projection = createPool(empty.urls.auditor, 1)
    expect(await follows(projection)).toEqual({ reads: 3, failures: 0, warnings: 0 })
    await projection.end()
    await empty.drop()
  })
})

it('metrics have the open differences of each kind, the rows of all rounds, and times in seconds', async () => {
  const metrics = createMetrics()
  const valuesOf = async () => {
    const text = await metrics.registry.metrics()
    return Object.fromEntries(
      text
        .split('\n')
        .filter((line) => line && !line.startsWith('#'))
        .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
    )
  }
  metrics.completed(7n, 30, ['WRONG_VALUE', 'MISSING_LOGS', 'WRONG_VALUE'], 1_700_000_000_500)
  metrics.failed()
  expect(await valuesOf()).toEqual({
    'audit_differences{kind="MISSING_LOGS"}': 1,
    'audit_differences{kind="WRONG_VALUE"}': 2,
    audit_block: 7,
    audit_last_success_timestamp_seconds: 1_700_000_000.5,
    audit_rows_total: 30,
    audit_failures_total: 1,
  })
  metrics.completed(8n, 12, [], 1_700_000_001_000)
  expect(await valuesOf()).toMatchObject({
    'audit_differences{kind="MISSING_LOGS"}': 0,
    'audit_differences{kind="WRONG_VALUE"}': 0,
    audit_block: 8,
    audit_rows_total: 42,
  })
})
