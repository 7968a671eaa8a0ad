import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { GRAPHQL_PATH } from '../../api/graphql/serve/endpoint.ts'
import { createPool, createProjectionDb } from '../../api/projection/session/database.ts'
import { openSnapshot } from '../../api/projection/session/snapshot.ts'
import type { Downloads } from '../../api/rest/shared/download.ts'
import { STATEMENT_FORMATS } from '../../api/rest/statements/formats.ts'
import { statements } from '../../api/rest/statements/statements.ts'
import { readJournal } from '../statements/read-journal.ts'
import { sum } from '../support/sum.ts'
import { sharedAccount, sharedWorld } from '../support/world.ts'
import { readCsv } from './csv.ts'
import { type ReadGateway, startReadGateway } from './gateway.ts'

const pool = new pg.Pool({ connectionString: sharedWorld().databaseUrl, max: 1 })
let gateway: ReadGateway
let vault: string
let issuer: string
beforeAll(async () => {
  gateway = await startReadGateway()
  const { vaults, issuers } = await ask(
    '{ vaults(first: 1) { nodes { address } } issuers(first: 1) { nodes { address } } }',
  )
  vault = vaults.nodes[0].address
  issuer = issuers.nodes[0].address
})
afterAll(() => Promise.all([gateway.stop(), pool.end()]))

const wallet = sharedAccount('wallet-1').address.toLowerCase()
const PERIOD = 'from=2000-01-01&to=2100-12-31'

async function ask(query: string) {
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  }
  const { data, errors } = await (await gateway.app.request(GRAPHQL_PATH, init)).json()
  expect([query, errors]).toEqual([query, undefined])
  return data
}

/** The next second. */
const next = (time: string) => new Date(Date.parse(time) + 1000).toISOString().replace('.000Z', 'Z')

const subjects = () => [
  { subject: 'wallet', address: wallet, field: 'account' },
  { subject: 'vault', address: vault, field: 'vault' },
  { subject: 'issuer', address: issuer, field: 'issuer' },
]

describe('a statement', () => {
  it('is of one block in every format, and has its name', async () => {
    for (const { subject, address } of subjects()) {
      for (const format of STATEMENT_FORMATS) {
        const response = await gateway.get(`/statements/${subject}/${address}.${format}?${PERIOD}`)
        expect([format, response.status]).toEqual([format, 200])
        const block = response.headers.get('X-Finalized-Through')
        const name = `attachment; filename="${subject}-${address}-20000101T000000Z-21010101T000000Z-${block}.${format}"`
        expect(response.headers.get('Content-Disposition')).toBe(format === 'html' ? 'inline' : name)
        expect(response.headers.get('Cache-Control')).toBe('no-store')
        expect((await response.text()).length).toBeGreaterThan(500)
      }
    }
  })

  it('is in JSON, in CSV, in a journal and in GraphQL the same', async () => {
    for (const { subject, address, field } of subjects()) {
      const file = async (format: string) =>
        (await gateway.get(`/statements/${subject}/${address}.${format}?${PERIOD}&zone=Asia/Tokyo`)).text()
      const json = JSON.parse(await file('json'))
      const FIGURES = 'opening increases decreases closing entryCount hash'
      const UNIT = 'account tokenInfo { address } vault { address }'
      const { statement } = (
        await ask(`{ ${field}(address: "${address}") { statement(from: "1999-12-31T15:00:00Z", to: "2100-12-31T15:00:00Z") {
          from to isComplete balances { ${UNIT} ${FIGURES} } totals { ${UNIT} kind amount entryCount }
          entries(first: 200) { position ${UNIT} kind amount balanceAfter counterparty { address } claim { claimId }
            execution { executionId } at blockNumber transactionHash }
        } } }`)
      )[field]
      const withUnit = <
        Row extends { tokenInfo: { address: string } | null; vault: { address: string } | null },
      >({
        tokenInfo,
        vault,
        ...row
      }: Row) => ({ ...row, unit: (tokenInfo ?? vault)?.address })
      const entries = json.entries.map(
        ({ id, part, claimId, executionId, counterparty, ...entry }: Record<string, unknown>) => ({
          ...entry,
          position: `${id}:${part}`,
          claim: claimId && { claimId },
          execution: executionId && { executionId },
          counterparty: counterparty && { address: counterparty },
        }),
      )
      expect(entries.length).toBeGreaterThan(2)
      expect(entries).toEqual(statement.entries.map(withUnit))
      expect(json.totals).toEqual(statement.totals.map(withUnit))
      expect(
        json.balances.map(({ symbol: _, decimals: __, ...own }: Record<string, unknown>) => own),
      ).toEqual(statement.balances.map(withUnit))
      expect([json.from, json.to, json.isComplete]).toEqual([
        statement.from,
        statement.to,
        statement.isComplete,
      ])
      const [header = [], ...rows] = readCsv(await file('csv'))
      const column = (name: string, kind: string) =>
        rows.filter(([row]) => row === kind).map((row) => row[header.indexOf(name)])
      expect(column('amount', 'ENTRY')).toEqual(entries.map(({ amount }: { amount: string }) => amount))
      expect(column('hash', 'INTERIM')).toEqual(json.balances.map(({ hash }: { hash: string }) => hash))
      expect(column('amount', 'TOTAL')).toEqual(json.totals.map(({ amount }: { amount: string }) => amount))
      expect(readJournal(await file('journal')).transactions.length).toBeGreaterThan(1)
    }
  })

  it('has totals that its entries and balances add up to, whichever entry is at the end of its period', async () => {
    type Sum = { account: string; unit: string; kind: string; amount: string }
    const keyOf = ({ account, unit, kind }: Sum) => [account, unit, kind].join()
    const total = (of: readonly Sum[]) => sum(of.map(({ amount }) => BigInt(amount)))
    for (const { subject, address } of subjects()) {
      const read = async (period: string) =>
        (await gateway.get(`/statements/${subject}/${address}.json?${period}`)).json()
      const { entries: all } = await read(PERIOD)
      const times: string[] = [...new Set<string>(all.map(({ at }: { at: string }) => at))]
      for (const to of times.slice(1, 6)) {
        const { entries, totals, balances } = await read(`from=${times[0]}&to=${to}`)
        const groups = [...Map.groupBy<string, Sum>(entries, keyOf)]
        expect(
          totals.map((each: Sum & { entryCount: number }) => [
            keyOf(each),
            BigInt(each.amount),
            each.entryCount,
          ]),
        ).toEqual(groups.map(([key, own]) => [key, total(own), own.length]).toSorted())
        for (const { account, unit, opening, closing } of balances) {
          const own = totals.filter((each: Sum) => each.account === account && each.unit === unit)
          expect([to, account, BigInt(opening) + total(own)]).toEqual([to, account, BigInt(closing)])
        }
      }
    }
  })

  it('has the balances that did not move in its period', async () => {
    const read = async (period: string) =>
      (await gateway.get(`/statements/wallet/${wallet}.json?${period}`)).json()
    const { balances, entries } = await read(PERIOD)
    const isOpen = ({ closing }: { closing: string }) => closing !== '0'
    const after = await read(`from=${next(entries.at(-1).at)}&to=2100-12-31`)
    expect(balances.filter(isOpen).length).toBeGreaterThan(1)
    expect(after.balances).toMatchObject(
      balances.filter(isOpen).map(({ account, unit, closing }: Record<string, string>) => {
        return { account, unit, opening: closing, closing, entryCount: 0 }
      }),
    )
  })

  it('names the entries of a payment by its place, that of the beneficiary by the next one', async () => {
    const { rows } = await pool.query(`select id::text, payer, beneficiary from projection.settlement`)
    const places = new Map(rows.map(({ id, payer, beneficiary }) => [id, { payer, beneficiary }]))
    const seen = new Set<string>()
    for (const address of new Set(rows.flatMap(({ payer, beneficiary }) => [payer, beneficiary]))) {
      const { entries } = await (await gateway.get(`/statements/wallet/${address}.json?${PERIOD}`)).json()
      for (const { kind, id } of entries) {
        if (kind !== 'CLAIM_PAID' && kind !== 'PAYMENT_MADE') continue
        const place = kind === 'CLAIM_PAID' ? BigInt(id) - 1n : BigInt(id)
        const role = kind === 'CLAIM_PAID' ? 'beneficiary' : 'payer'
        expect(places.get(String(place))?.[role]).toBe(address)
        seen.add(kind)
      }
    }
    expect(seen.size).toBe(2)
  })

  it('as a journal can be joined with that of the period before', async () => {
    const file = async (period: string, format: string) =>
      (await gateway.get(`/statements/vault/${vault}.${format}?${period}`)).text()
    const { entries, balances } = JSON.parse(await file(PERIOD, 'json'))
    const middle = entries[Math.floor(entries.length / 2)].at
    const first = await file(`from=2000-01-01&to=${middle}`, 'journal')
    const second = await file(`from=${middle}&to=2100-12-31`, 'journal')
    const sizes = (all: Iterable<bigint>) =>
      [...all]
        .map((one) => (one < 0n ? -one : one))
        .filter((one) => one > 0n)
        .toSorted()
    const whole = readJournal(await file(PERIOD, 'journal'))
    const joined = readJournal(first + second)
    expect(joined.balances).toEqual(whole.balances)
    expect(sizes(joined.balances.values()).length).toBe(
      balances.filter(({ closing }: { closing: string }) => closing !== '0').length,
    )
  })

  it('is complete once the finalized block has the end of its period, and begins at this block at the latest', async () => {
    const { finalizedThrough } = await (await gateway.get('/vaults')).json()
    const last = Date.parse(finalizedThrough.timestamp)
    const at = (seconds: number) => new Date(last + 1000 * seconds).toISOString().replace('.000Z', 'Z')
    const ask = (from: number, to: number) =>
      gateway.get(`/statements/vault/${vault}.json?from=${at(from)}&to=${at(to)}`)
    for (const [to, isComplete] of [
      [0, true],
      [1, false],
    ] as const)
      expect([to, await (await ask(-1000, to)).json()]).toMatchObject([to, { isComplete, to: at(to) }])
    expect((await ask(0, 1)).status).toBe(200)
    expect(await (await ask(1, 2)).json()).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ path: 'from' }],
    })
  })

  it('of a wallet that nobody knows is empty', async () => {
    const response = await gateway.get(`/statements/wallet/0x${'12'.repeat(20)}.json?${PERIOD}`)
    expect(await response.json()).toMatchObject({ balances: [], totals: [], entries: [] })
    const xml = await gateway.get(`/statements/wallet/0x${'12'.repeat(20)}.xml?${PERIOD}`)
    expect(await xml.json()).toMatchObject({ code: 'VALIDATION_FAILED' })
  })

  it.each([
    ['a vault that does not exist', `vault/0x${'12'.repeat(20)}.json?${PERIOD}`, 'VAULT_NOT_FOUND', /0x1212/],
    [
      'an issuer that does not exist',
      `issuer/0x${'12'.repeat(20)}.json?${PERIOD}`,
      'ISSUER_NOT_FOUND',
      /0x1212/,
    ],
    [
      'a zone that is a time',
      `wallet/${wallet}.csv?${PERIOD}&zone=2020-01-01T00:00%2B02:00[Europe/Berlin]`,
      'VALIDATION_FAILED',
      /zone/,
    ],
    [
      'a period in the future',
      `wallet/${wallet}.json?from=2100-01-01&to=2100-01-31`,
      'VALIDATION_FAILED',
      /from/,
    ],
    ['an unknown format', `wallet/${wallet}.pdf?${PERIOD}`, 'VALIDATION_FAILED', /csv, xml, journal/],
    [
      'an address of 39 digits',
      `wallet/${wallet.slice(0, -1)}.csv?${PERIOD}`,
      'VALIDATION_FAILED',
      /40 hex digits/,
    ],
    ['two formats', `wallet/${wallet}.json.csv?${PERIOD}`, 'VALIDATION_FAILED', /file/],
    ['an unknown subject', `token/${wallet}.csv?${PERIOD}`, 'VALIDATION_FAILED', /subject/],
    ['no end', `wallet/${wallet}.csv?from=2026-01-01`, 'VALIDATION_FAILED', /must be given once/],
    ['two starts', `wallet/${wallet}.csv?${PERIOD}&from=2026-01-01`, 'VALIDATION_FAILED', /from/],
  ])('is refused for %s', async (_, path, code, detail) => {
    const response = await gateway.get(`/statements/${path}`)
    const body = await response.json()
    expect(body).toMatchObject({ code, status: response.status })
    expect(body.detail).toMatch(detail)
  })

  it('of more entries than the maximum is refused', async () => {
    const pool = createPool(sharedWorld().databaseUrl, 1)
    const open = await openSnapshot(createProjectionDb(pool))
    try {
      const refusalOf = async (max: number) => {
        const download: Downloads = async (c, make) => {
          for await (const _ of make(open.snapshot).parts);
          return c.body('', 200)
        }
        const own = statements({ download, chainId: 1 }, max)
        own.onError((error, c) => c.text(error.message))
        return (await own.request(`/statements/vault/${vault}.csv?${PERIOD}`)).text()
      }
      const { entries: all } = await (await gateway.get(`/statements/vault/${vault}.json?${PERIOD}`)).json()
      const entries = Number((await refusalOf(1)).match(/has (\d+) entries/)?.[1])
      expect(all).toHaveLength(entries)
      expect(await refusalOf(entries - 1)).toContain(
        `has ${entries} entries; the maximum of a statement is ${entries - 1}.`,
      )
      expect(await refusalOf(entries)).toBe('')
    } finally {
      await open.close()
      await pool.end()
    }
  })

  it.each([
    ['first: 0', 'first: must be from 1 to 200'],
    ['first: 201', 'first: must be from 1 to 200'],
    ['skip: -1', 'skip: must not be negative'],
  ])('is refused in GraphQL for entries of %s', async (page, message) => {
    const query = `{ vault(address: "${vault}") { statement(from: "2000-01-01T00:00:00Z", to: "2100-12-31T00:00:00Z") { entries(${page}) { at } } } }`
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    }
    const { errors } = await (await gateway.app.request(GRAPHQL_PATH, init)).json()
    expect(errors[0].message).toContain(message)
  })

  it.each(['2026-01-01T00:00:00Z', '2025-12-31T00:00:00Z'])(
    'is refused in GraphQL for an end at %s',
    async (to) => {
      const query = `{ vault(address: "${vault}") { statement(from: "2026-01-01T00:00:00Z", to: "${to}") { isComplete } } }`
      const init = {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query }),
      }
      const { errors } = await (await gateway.app.request(GRAPHQL_PATH, init)).json()
      expect(errors[0].message).toContain('to: must be later than from')
    },
  )
})
