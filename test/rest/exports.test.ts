/** Every list of GraphQL as CSV: the same rows, the same values, asked for in the same way. */
import {
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  isLeafType,
  isListType,
  isObjectType,
} from 'graphql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { GRAPHQL_PATH } from '../../api/graphql/serve/endpoint.ts'
import { createClient } from '../graphql/client.ts'
import { connectionsOf, objectType, rowType } from '../graphql/walk.ts'
import { makeClaims } from '../projection/large.ts'
import { isObject } from '../support/hostile.ts'
import { createDatabase } from '../support/postgres.ts'
import { readCsv } from './csv.ts'
import { queryOf, questions } from './export-questions.ts'
import { type ReadGateway, startReadGateway } from './gateway.ts'

let gateway: ReadGateway
beforeAll(async () => {
  gateway = await startReadGateway()
})
afterAll(() => gateway.stop())

async function download(name: string, question: Record<string, unknown> = {}) {
  const response = await gateway.get(`/exports/${name}.csv?${queryOf(question)}`)
  const text = await response.text()
  expect(response.status, text).toBe(200)
  const [header = [], ...rows] = readCsv(text)
  return { response, text, header, rows }
}

type Row = { [field: string]: unknown }

/** All rows of a list by GraphQL itself, with every field of theirs that leads to no list. */
async function ask(name: string, question: Record<string, unknown> = {}): Promise<Row[]> {
  const list = connectionsOf(objectType('Query')).find((field) => field.name === name)
  if (!list) throw new Error(`there is no list ${name}`)
  const asked = list.args.filter((arg) => arg.name in question)
  const variables = [...asked.map((arg) => `$${arg.name}: ${arg.type}`), '$after: String'].join(', ')
  const given = [...asked.map((arg) => `${arg.name}: $${arg.name}`), 'first: 200, after: $after']
  const query = `query (${variables}) { ${name}(${given.join(', ')}) {
    nodes { ${selection(rowType(getNamedType(list.type)))} } pageInfo { hasNextPage endCursor } } }`
  const nodes: Row[] = []
  for (let after = null; ; ) {
    const { data, errors } = await post(query, { ...question, after })
    expect(errors, query).toBeUndefined()
    nodes.push(...data[name].nodes)
    const { hasNextPage, endCursor } = data[name].pageInfo
    if (!hasNextPage) return nodes
    after = endCursor
  }
}

async function post(query: string, variables: Record<string, unknown>) {
  const response = await gateway.app.request(GRAPHQL_PATH, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  })
  return response.json()
}

/**
 * Exports have no columns for these: fields that differ only in executions outside the projection, and terms,
 * returns and concentration with which a page of vaults costs too much.
 */
const NO_COLUMNS = [
  'Execution.status',
  'Execution.preparedAt',
  'Execution.deadline',
  'Vault.concentration',
  'Vault.pendingTerms',
  'Vault.returns',
]

const KEYS = ['address', 'claimId', 'executionId']

/** Values, keys of other rows, and the values of objects that are part of the row. */
function selection(type: GraphQLObjectType): string {
  return Object.values(type.getFields())
    .filter((field) => field.args.length === 0 && field.name !== 'id')
    .filter((field) => !NO_COLUMNS.includes(`${type.name}.${field.name}`))
    .flatMap((field) => {
      const target = getNamedType(field.type)
      if (isLeafType(target)) return [field.name]
      if (!isObjectType(target) || isListType(getNullableType(field.type))) return []
      const isRow = target.getInterfaces().length > 0
      const keys = KEYS.filter((key) => key in target.getFields())
      if (isRow) return keys.map((key) => `${field.name} { ${key} }`)
      return [`${field.name} { ${selection(target)} }`]
    })
    .join(' ')
}

/** A row of GraphQL as a table has it. */
function flatten(row: Row, prefix = ''): [string, string][] {
  return Object.entries(row).flatMap(([field, value]): [string, string][] => {
    const name = prefix + (field === 'tokenInfo' ? 'token' : field)
    if (value === null && /^(claim|execution)$/.test(name)) return [[`${name}Id`, '']]
    if (!isObject(value)) return [[name, cell(value)]]
    const [[key = '', only] = [], ...rest] = Object.entries(value)
    if (rest.length > 0) return flatten(value, `${name}_`)
    return [[key === 'address' ? name : key, cell(only)]]
  })
}

function cell(value: unknown): string {
  if (value === null) return ''
  return Array.isArray(value) ? JSON.stringify(value) : String(value)
}

const TOKEN_COLUMNS = ['token_symbol', 'token_decimals']

/** Columns of a list whose values are amounts, by the types of the schema. */
function amountsOf(list: string): string[] {
  const field = connectionsOf(objectType('Query')).find(({ name }) => name === list)
  if (!field) throw new Error(`there is no list ${list}`)
  const within = (type: GraphQLObjectType): string[] =>
    Object.values(type.getFields()).flatMap(({ name, type: own, args }) => {
      const target = getNamedType(own)
      if (NO_COLUMNS.includes(`${type.name}.${name}`)) return []
      if (/^(Amount|AmountSum|SignedAmount)$/.test(target.name))
        return name === 'supportedTypesBitmap' ? [] : [name]
      if (!isObjectType(target) || args.length > 0 || target.getInterfaces().length > 0) return []
      return isListType(getNullableType(own)) ? [] : within(target).map((part) => `${name}_${part}`)
    })
  return within(rowType(getNamedType(field.type)))
}

/** The base units of a decimal number without separators; the number must have no digit too many. */
function toBaseUnits(text = '', decimals: number): string {
  if (text === '') return ''
  expect(text).toMatch(/^-?(0|[1-9]\d*)(\.\d*[1-9])?$/)
  const [whole = '', fraction = ''] = text.split('.')
  expect(fraction.length).toBeLessThanOrEqual(decimals)
  return String(BigInt(whole + fraction.padEnd(decimals, '0')))
}

/** The cells of each row by their columns. */
const cellsOf = ({ header, rows }: { header: readonly string[]; rows: readonly (readonly string[])[] }) =>
  rows.map((row) => new Map(header.map((column, i) => [column, row[i] ?? ''])))

/** Compares each amount of a list with the one in whole units. */
function expectUnits(name: string, cells: ReturnType<typeof cellsOf>): void {
  for (const row of cells) {
    for (const column of amountsOf(name)) {
      const decimals = Number(row.get('token_decimals')) + (/[sS]hares(After)?$/.test(column) ? 6 : 0)
      expect(toBaseUnits(row.get(`${column}_units`), decimals), column).toBe(row.get(column))
    }
  }
}

const lists = connectionsOf(objectType('Query')).map(({ name }) => name)

describe('an export', () => {
  it('is there for every list of GraphQL', () => {
    expect(Object.keys(questions)).toEqual(lists.toSorted())
  })

  it.each(lists)(
    'of %s has the rows of the list in their order, and every value as GraphQL writes it',
    async (name) => {
      for (const question of name === 'vaultTerms' ? [questions[name]] : [{}, questions[name]]) {
        const { header, rows } = await download(name, question)
        const expected = await ask(name, question)
        expect(expected.length, name).toBeGreaterThan(0)
        expect(rows.map((row) => header.map((column, i) => [column, row[i]]))).toEqual(
          expected.map((row) => flatten(row)),
        )
      }
    },
  )

  it('names its columns even where there are no rows', async () => {
    const { header, rows } = await download('claims', { filter: { state_in: [] } })
    expect([header.slice(0, 3), rows]).toEqual([['claimId', 'issuer', 'beneficiary'], []])
  })

  it('has the columns that are asked for, in that order', async () => {
    const { text } = await download('claims', {
      columns: ['state', 'claimId'],
      filter: { state: 'ELIGIBLE' },
    })
    const [claim] = await ask('claims', { filter: { state: 'ELIGIBLE' } })
    expect(text.split('\r\n').slice(0, 2)).toEqual(['state,claimId', `ELIGIBLE,${claim?.claimId}`])
    const repeated = await gateway.get(
      '/exports/claims.csv?columns=state&columns=claimId&filter={"state":"ELIGIBLE"}',
    )
    expect(await repeated.text()).toBe(text)
  })

  it.each(lists)(
    'of %s has each amount in whole units on request, and the decimals of its token',
    async (name) => {
      const question = questions[name] ?? {}
      const base = await download(name, question)
      const units = await download(name, { ...question, amounts: 'units' })
      const added = units.header.filter((column) => !base.header.includes(column))
      const cells = cellsOf(units)
      expect(cells.map((row) => base.header.map((column) => row.get(column)))).toEqual(base.rows)
      const amounts = amountsOf(name)
      expect(new Set(added)).toEqual(
        new Set(amounts.length > 0 ? [...amounts.map((column) => `${column}_units`), ...TOKEN_COLUMNS] : []),
      )
      expectUnits(name, cells)
    },
  )

  it('has amounts in whole units of tokens with no decimals, with one, and with more than an amount has digits', async () => {
    const database = await createDatabase()
    const { app, pool, stop } = createClient(database.url)
    await makeClaims(pool, 9)
    const decimals = [0, 1, 255]
    await pool.query(
      `update projection.token set decimals = ($1::int[])[place] from (
         select address as id, row_number() over (order by address) as place from projection.token
       ) as placed where id = address`,
      [decimals],
    )
    for (const name of ['claims', 'vaults']) {
      const response = await app.request(`/api/v1/exports/${name}.csv?amounts=units`)
      const [header = [], ...rows] = readCsv(await response.text())
      const cells = cellsOf({ header, rows })
      const found = new Set(cells.map((row) => Number(row.get('token_decimals'))))
      expect([...found].sort((a, b) => a - b)).toEqual(decimals)
      expectUnits(name, cells)
    }
    await stop()
    await database.drop()
  })

  it('has units beside each amount, and the token before the first', async () => {
    const filter = { state: 'ELIGIBLE' }
    const columns = ['state', 'faceValue', 'claimId']
    const { header, rows } = await download('claims', { filter, columns, amounts: 'units' })
    expect(header).toEqual([
      'state',
      'token_symbol',
      'token_decimals',
      'faceValue',
      'faceValue_units',
      'claimId',
    ])
    const [claim] = await ask('claims', { filter })
    expect(rows[0]).toEqual(expect.arrayContaining(['ELIGIBLE', String(claim?.faceValue)]))
    const without = await download('claims', { filter, columns: ['state'], amounts: 'units' })
    expect(without.header).toEqual(['state'])
  })

  it('has its block and a file name in its headers, and is not cached', async () => {
    const { headers } = (await download('vaults')).response
    const block = (await gateway.get('/vaults')).headers.get('X-Finalized-Through')
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': `attachment; filename="vaults-${block}.csv"`,
      'x-finalized-through': block,
      'cache-control': 'no-store',
    })
    expect(headers.has('ETag')).toBe(false)
  })

  it('asked for its head alone has the same headers, and leaves nothing open', async () => {
    for (let i = 0; i < 5; i += 1) {
      const head = await gateway.app.request('/api/v1/exports/claims.csv', { method: 'HEAD' })
      expect([head.status, head.headers.get('X-Finalized-Through'), await head.text()]).toEqual([
        200,
        expect.stringMatching(/^\d+$/),
        '',
      ])
    }
  })

  it('is read at its X-Min-Block or later', async () => {
    const through = Number((await download('claims')).response.headers.get('X-Finalized-Through'))
    for (const name of lists) {
      const at = (block: number) =>
        gateway.get(`/exports/${name}.csv?${queryOf(questions[name] ?? {})}`, {
          'X-Min-Block': String(block),
        })
      const reached = await at(through)
      await reached.text()
      const behind = await at(through + 1_000_000)
      expect([reached.status, behind.status, await behind.json()], name).toMatchObject([
        200,
        503,
        { code: 'PROJECTION_BEHIND' },
      ])
    }
  })

  it.each([
    ['claims', 'filter=state', 'filter'],
    ['claims', 'filter=1', 'filter'],
    ['claims', 'filter={"state":"NOPE"}', 'filter.state'],
    ['claims', 'filter={"state_in":["ELIGIBLE","NOPE"]}', 'filter.state_in.1'],
    ['claims', 'filter={"AND":[{"faceValue_gte":"1"},{"faceValue_gte":1}]}', 'filter.AND.1.faceValue_gte'],
    ['claims', 'filter={"issuer":"0xF39Fd6e51aad88F6F4ce6aB8827279cffFb92266"}', 'filter.issuer'],
    ['claims', 'filter={"faceValu":"1"}', 'filter'],
    ['claims', `filter=${'{"AND":['.repeat(6)}{}${']}'.repeat(6)}`, 'filter'],
    ['claims', 'filter={}&filter={}', 'filter'],
    ['claims', 'orderBy=dueAt', 'orderBy'],
    ['claims', 'orderDirection=up', 'orderDirection'],
    ['claims', 'columns=state,nope', 'columns.1'],
    ['claims', 'columns=state,state', 'columns'],
    ['claims', 'columns=', 'columns'],
    ['claims', 'first=5', 'first'],
    ['claims', 'amounts=', 'amounts'],
    ['claims', 'amounts=UNITS', 'amounts'],
    ['claims', 'amounts=units&amounts=units', 'amounts'],
    ['claimAggregates', 'groupBy=state,nope', 'groupBy.1'],
    ['claimAggregates', 'groupBy=state,state,state,state,state', 'groupBy'],
    ['vaultPositions', 'withoutShares=yes', 'withoutShares'],
    ['vaultTerms', 'claimType=one', 'claimType'],
    ['vaultTerms', '', 'claimType'],
  ])('of %s?%s is a 400 that names %s', async (name, query, path) => {
    const response = await gateway.get(`/exports/${name}.csv?${query}`)
    const { code, errors } = await response.json()
    expect([response.status, code, errors[0].path]).toEqual([400, 'VALIDATION_FAILED', path])
  })

  it('of no list is a 404', async () => {
    expect((await gateway.get('/exports/nothing.csv')).status).toBe(404)
    expect((await gateway.get('/exports/claims')).status).toBe(404)
  })
})
