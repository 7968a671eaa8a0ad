/**
 * An event that the ABI allows is indexed, whatever its numbers: each numeric argument at its least and at its largest
 * value.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isEnumType } from 'graphql'
import type { AbiEvent, AbiParameter } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { schema } from '../../api/graphql/schema.ts'
import { exportedLists } from '../../api/graphql/serve/define-exports.ts'
import { createClient } from '../graphql/client.ts'
import { asked, connectionsOf, objectType, ordersOf } from '../graphql/walk.ts'
import { createUncheckedGateway } from '../support/gateway.ts'
import { createIndexedDatabase, finalizeAndProject, type IndexedDatabase } from '../support/indexer.ts'
import { startWorld } from '../support/protocol.ts'
import { EXTREMES, emitExtremes, protocolAbis } from './emit-extremes.ts'
import { readHistory } from './truth/history.ts'
import { asCells, readTables, truthOf } from './truth/tables.ts'

let world: Awaited<ReturnType<typeof startWorld>>
let database: IndexedDatabase
let emitted: Awaited<ReturnType<typeof emitExtremes>>
let block: bigint

beforeAll(async () => {
  world = await startWorld()
  emitted = await emitExtremes(world)
  database = await createIndexedDatabase(world)
  await (await database.start()).ready()
  block = await finalizeAndProject(world, database.pool)
})

afterAll(async () => {
  await database?.remove()
  await world?.stop()
})

/** Every event that has a handler, as `Contract:Event`. */
function handledEvents(): string[] {
  const folder = join(import.meta.dirname, '../../src')
  const files = readdirSync(folder).filter((file) => file.endsWith('.ts'))
  return files.flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(/ponder\.on\('(\w+:\w+)'/g)].map(
      ([, name]) => name ?? '',
    ),
  )
}

function eventOf(name: string): AbiEvent | undefined {
  const [contract = '', event] = name.split(':')
  const abi = protocolAbis[contract] ?? []
  return abi.find((item): item is AbiEvent => item.type === 'event' && item.name === event)
}

type Argument = { path: string; min: bigint; max: bigint }

/** The integers among some parameters, those in tuples and arrays too. An enumeration is a name, not a number. */
function integersOf(parameters: readonly AbiParameter[], prefix: string): Argument[] {
  return parameters.flatMap((parameter) => {
    const path = `${prefix}.${parameter.name}`
    if ('components' in parameter) return integersOf(parameter.components, path)
    const [, bits] = /^uint(\d+)(\[\])?$/.exec(parameter.type) ?? []
    if (!bits || parameter.internalType?.startsWith('enum')) return []
    return { path, min: 0n, max: 2n ** BigInt(bits) - 1n }
  })
}

const integers = handledEvents().flatMap((name) => integersOf(eventOf(name)?.inputs ?? [], name))

/** An execution has fewer legs than the largest number, so no index of a leg is that number. */
const LARGEST = new Map([['FinancingRouter:LegExecuted.legIndex', 2n ** 256n - 2n]])

describe('an event of the protocol', () => {
  it('has integer arguments in each contract with amounts', () => {
    const contracts = new Set(integers.map(({ path }) => path.split(':')[0]))
    expect([...contracts].toSorted()).toEqual([
      'ClaimRegistry',
      'FinancingRouter',
      'FinancingVault',
      'TokenRegistry',
      'VaultRegistry',
    ])
  })

  for (const { path, min, max } of integers) {
    it(`was emitted with the least and the largest ${path}`, () => {
      const seen = emitted.valuesOf(path)
      expect(seen).toContain(min)
      expect(seen).toContain(LARGEST.get(path) ?? max)
    })
  }

  it('is projected with all of its columns, whatever its numbers, and the sums of a day have no limit', async () => {
    const expected = truthOf(await readHistory(world, block))
    const tables = await readTables(database.pool)
    expect(Object.keys(tables)).toEqual(Object.keys(expected).toSorted())
    for (const [table, rows] of Object.entries(expected))
      expect([table, tables[table]]).toEqual([table, asCells(rows)])
    const deposited = expected.vault_day.map((row) => BigInt(String(Reflect.get(row, 'deposited'))))
    expect(deposited.some((amount) => amount >= 10n ** 78n)).toBe(true)
  })
})

describe('the gateway over such rows', () => {
  let client: ReturnType<typeof createClient>
  beforeAll(() => {
    client = createClient(database.url, 3, world.rpcUrl, createUncheckedGateway)
  })
  afterAll(() => client?.stop())

  const { least, largest, unfinanced, empty, token, wallet } = EXTREMES
  const AMOUNT_MAX = String(2n ** 256n - 1n)

  async function get(path: string): Promise<Response> {
    const response = await client.app.request(`/api/v1${path}`)
    expect([path, response.status]).toEqual([path, 200])
    return response
  }
  /** Reads the gateway's answer to a query, which has to be without errors. */
  async function ask(query: string) {
    const { data, errors } = await client.ask(query)
    expect([query, errors]).toEqual([query, undefined])
    return data
  }

  it('answers every read of REST', async () => {
    for (const path of [
      '/vaults?active=all',
      `/activity/${wallet}`,
      ...[least.claim, largest.claim, unfinanced].map((id) => `/claims/${id}`),
      ...[least.execution, largest.execution, empty].map((id) => `/executions/${id}`),
    ]) {
      expect(await (await get(path)).json()).toHaveProperty('finalizedThrough')
    }
  })

  it('writes numbers beyond 32 bits over REST', async () => {
    const { items } = await (await get('/vaults?active=all')).json()
    const mandate = items.map((vault: { mandate: object }) => vault.mandate)
    expect(mandate).toContainEqual({
      supportedTypesBitmap: AMOUNT_MAX,
      supportedTypes: Array.from({ length: 256 }, (_, type) => type),
      minDurationDays: 4_294_967_295,
      maxDurationDays: 4_294_967_295,
      minFace: AMOUNT_MAX,
      maxFace: AMOUNT_MAX,
      maxClaimFace: AMOUNT_MAX,
      maxIssuerFace: AMOUNT_MAX,
    })
    const claim = await (await get(`/claims/${largest.claim}`)).json()
    expect(claim).toMatchObject({
      faceValue: AMOUNT_MAX,
      dueDate: '9999-12-31T23:59:59Z',
      dueDateUnix: Number.MAX_SAFE_INTEGER,
    })
    const { legs } = await (await get(`/executions/${largest.execution}`)).json()
    expect(legs).toMatchObject([
      { legIndex: Number.MAX_SAFE_INTEGER, sliceIndex: 255, faceAmount: AMOUNT_MAX },
    ])
  })

  it('lists every row of every list over GraphQL, page by page, in every order, and finds each by its id', async () => {
    for (const list of connectionsOf(objectType('Query')).filter(
      ({ name }) => !name.endsWith('Aggregates'),
    )) {
      for (const orderBy of ordersOf(list)) {
        let after = 'null'
        const ids: string[] = []
        do {
          const page = `${asked(list, { first: '2', orderBy, after })} { totalCount nodes { id } pageInfo { hasNextPage endCursor } }`
          const data = await ask(`{ list: ${page} }`)
          ids.push(...data.list.nodes.map(({ id }: { id: string }) => id))
          after = data.list.pageInfo.hasNextPage ? JSON.stringify(data.list.pageInfo.endCursor) : 'null'
          if (after === 'null') expect(new Set(ids).size).toBe(data.list.totalCount)
        } while (after !== 'null')
        expect(ids.length).toBeGreaterThan(0)
        const { nodes } = await ask(`{ nodes(ids: ${JSON.stringify(ids.slice(0, 200))}) { id } }`)
        expect(nodes.map((node: { id: string } | null) => node?.id)).toEqual(ids.slice(0, 200))
      }
    }
  })

  it('exports every list with all of its columns', async () => {
    for (const { name, parameters } of exportedLists()) {
      const required = parameters.some(({ isRequired }) => isRequired) ? '?claimType=255' : ''
      const lines = (await (await get(`/exports/${name}.csv${required}`)).text()).trimEnd().split('\r\n')
      expect([name, lines.length > 1]).toEqual([name, true])
    }
  })

  it('compares and orders by numbers beyond 32 and 256 bits', async () => {
    const data = await ask(`{
      vaults(filter: { maxDurationDays_gt: 4294967294, maxDurationDays_in: [4294967295, 9007199254740991],
        minDurationDays_gte: 4294967295, maxClaimFace_gte: "${AMOUNT_MAX}" }) {
        nodes { address mandate { maxDurationDays } terms { maxDurationDays totalBps(daysToDue: 36500) } } }
      vaultTerms(claimType: 0, filter: { maxDurationDays_lte: 4294967295 }) { totalCount }
      executions(filter: { legCount_gt: 4294967295 }) { nodes { executionId legCount } }
      tokenDays(filter: { token: "${token}" }) { nodes { deposited withdrawn } }
      claims(filter: { dueDate_gte: "9999-12-31T23:59:59Z" }) { nodes { claimId dueDateUnix daysToDue } } }`)
    expect(data.vaults.nodes.map(({ address }: { address: string }) => address)).toEqual([least.vault])
    expect(data.vaults.nodes[0].mandate.maxDurationDays).toBe(4_294_967_295)
    expect(data.vaults.nodes[0].terms).toHaveLength(256)
    expect(data.vaults.nodes[0].terms[0]).toEqual({
      maxDurationDays: 4_294_967_295,
      totalBps: 2 * 65_535 + 36_500 * 65_535,
    })
    expect(data.vaultTerms.totalCount).toBe(1)
    expect(data.executions.nodes).toEqual([
      { executionId: largest.execution, legCount: Number.MAX_SAFE_INTEGER },
    ])
    expect(data.tokenDays.nodes).toEqual([
      { deposited: String(10n * (2n ** 256n - 1n)), withdrawn: String(9n * (2n ** 256n - 1n)) },
    ])
    expect(data.claims.nodes).toMatchObject([
      { claimId: largest.claim, dueDateUnix: Number.MAX_SAFE_INTEGER },
      { claimId: least.claim, dueDateUnix: 2 ** 40 },
    ])
  })

  it('has pending terms of any number, with each claim type of their bitmap', async () => {
    const { least: none, largest: all } = await ask(`{
      least: vault(address: "${least.vault}") { ...terms }
      largest: vault(address: "${largest.vault}") { ...terms }
    }
    fragment terms on Vault {
      noticePeriod
      pendingTerms { effectiveAt mandate { supportedTypes maxFace } pricing { premiumBps } }
    }`)
    expect(none).toEqual({
      noticePeriod: 0,
      pendingTerms: {
        effectiveAt: '1970-01-01T00:00:00Z',
        mandate: { supportedTypes: [], maxFace: '0' },
        pricing: { premiumBps: [0] },
      },
    })
    expect(all).toEqual({
      noticePeriod: 2 ** 32 - 1,
      pendingTerms: {
        effectiveAt: '9999-12-31T23:59:59Z',
        mandate: { supportedTypes: Array.from({ length: 256 }, (_, type) => type), maxFace: AMOUNT_MAX },
        pricing: { premiumBps: Array.from({ length: 256 }, () => 65_535) },
      },
    })
  })

  it('adds them up in aggregates by every grouping, and in series of every period', async () => {
    const amount = '{ sum average min max }'
    const groups = {
      claim: `count faceValue ${amount} financedFaceValue ${amount} remainingFace`,
      execution: `count totalFace ${amount} totalAdvance ${amount}`,
      allocation: `count faceAmount ${amount} advanceAmount ${amount}`,
      settlement: `count faceAmount ${amount} vaultsAmount ${amount}`,
      vault: `count fundableLiquidity ${amount} discountEarned ${amount} assetsAtCost utilizationBps`,
    }
    for (const [noun, fields] of Object.entries(groups)) {
      const names = namesOf(`${noun.charAt(0).toUpperCase()}${noun.slice(1)}GroupBy`)
      for (const groupBy of ['', ...names]) {
        const { list } = await ask(
          `{ list: ${noun}Aggregates(groupBy: [${groupBy}]) { nodes { ${fields} } } }`,
        )
        expect(list.nodes.length).toBeGreaterThan(0)
      }
    }
    for (const period of ['day', 'week', 'month']) {
      const { marketSeries, vault } = await ask(`{
        marketSeries(token: "${token}", period: ${period}) { deposited withdrawn idleAssets outstandingFace }
        vault(address: "${largest.vault}") { capital { totalAssets } series(period: ${period}) { deposited outstandingAdvance totalAssets sharePrice yieldToDateBps } } }`)
      expect(marketSeries.at(-1)).toEqual({
        deposited: String(10n * (2n ** 256n - 1n)),
        withdrawn: String(9n * (2n ** 256n - 1n)),
        idleAssets: AMOUNT_MAX,
        outstandingFace: '0',
      })
      expect(vault.series.at(-1)).toMatchObject({
        deposited: marketSeries.at(-1).deposited,
        totalAssets: vault.capital.totalAssets,
      })
    }
  })
})

function namesOf(enumeration: string): string[] {
  const type = schema.getType(enumeration)
  if (!isEnumType(type)) throw new Error(`there is no enumeration ${enumeration}`)
  return type.getValues().map(({ name }) => name)
}
