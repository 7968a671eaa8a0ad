import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parseCamt053 } from 'camt-parser'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { validateXML } from 'xmllint-wasm'
import { formats } from '../../api/rest/statements/formats.ts'
import type { StatementFormat } from '../../api/rest/statements/statement.ts'
import { readCsv } from '../rest/csv.ts'
import { sum } from '../support/sum.ts'
import { inOrder, type Sample, sample } from './random-statement.ts'
import { readJournal } from './read-journal.ts'

const SCHEMA = new URL('camt.053.001.13.xsd', import.meta.url)
const parameters = { seed: 20_261_127, numRuns: 60 }
/** Programs of Debian that read the files, for `npm run test:statements`. */
const HAS_PROGRAMS = process.env.STATEMENT_PROGRAMS === 'yes'

/** The whole file, of entries in pages of two. */
async function write(format: StatementFormat, { statement, entries }: Sample): Promise<string> {
  const ordered = format.order === 'balance' ? entries.toSorted(inOrder) : entries
  async function* pages() {
    for (let i = 0; i < ordered.length; i += 2) yield ordered.slice(i, i + 2)
  }
  const parts: string[] = []
  for await (const part of format.write(statement, pages())) parts.push(part)
  return parts.join('')
}

/** Amounts that ISO 20022 can write. */
const fits = ({ statement }: Sample) =>
  statement.balances.every(({ decimals, opening, closing, increases, decreases }) =>
    [opening, closing, increases, decreases].every(
      (amount) => (amount < 0n ? -amount : amount) < 10n ** BigInt(decimals + 18),
    ),
  )

describe('a statement in ISO 20022', () => {
  it('is valid by the schema of camt.053.001.13', async () => {
    const schema = await readFile(SCHEMA, 'utf8')
    const files: string[] = []
    for (const one of fc.sample(sample, parameters)) if (fits(one)) files.push(await write(formats.xml, one))
    expect(files.length).toBeGreaterThan(10)
    const xml = files.map((contents, i) => ({ fileName: `${i}.xml`, contents }))
    expect((await validateXML({ xml, schema })).errors).toEqual([])
    const [first = ''] = files
    const faulty = first.replace('<Ccy>XXX</Ccy>', '<Ccy>token</Ccy>')
    expect((await validateXML({ xml: faulty, schema })).valid).toBe(false)
  })

  it('cuts amounts at five decimals, and its last entry makes the sums right', async () => {
    let roundings = 0
    await fc.assert(
      fc.asyncProperty(sample.filter(fits), async (one) => {
        const text = await write(formats.xml, one)
        for (const { balances, transactions } of (await parseCamt053(text)).statements) {
          const [opening, closing] = balances.map(inSteps)
          expect(balances.map(({ type }) => type)).toEqual(['OPBD', 'ITBD'])
          expect((opening ?? 0n) + sum(transactions.map(inSteps))).toBe(closing)
          if (transactions.at(-1)?.bankTransactionCode === 'ROUNDING') roundings++
        }
      }),
      parameters,
    )
    expect(roundings).toBeGreaterThan(0)
  })

  it('has a closing balance of the last second of a period that is over', async () => {
    const one = fc.sample(sample.filter(fits), { seed: 1, numRuns: 1 })[0]
    if (!one) throw new Error('no sample')
    const statement = { ...one.statement, to: 1_767_225_600n, isComplete: true }
    const text = await write(formats.xml, { ...one, statement })
    const closing = [...text.matchAll(/<Cd>CLBD<\/Cd>.*?<DtTm>([^<]*)/gs)].map(([, at]) => at)
    expect(new Set(closing)).toEqual(new Set(['2025-12-31T23:59:59Z']))
  })

  type Signed = { amount: { value: string }; creditDebitIndicator: string }

  /** In hundred-thousandths. An amount of more digits than the message can have is none. */
  function inSteps({ amount: { value }, creditDebitIndicator: sign }: Signed): bigint {
    const [whole = '', decimals = ''] = value.split('.')
    expect(whole.length + decimals.length).toBeLessThanOrEqual(18)
    expect(decimals.length).toBeLessThanOrEqual(5)
    return (sign === 'CRDT' ? 1n : -1n) * BigInt(whole + decimals.padEnd(5, '0'))
  }

  it('is refused for an amount of more than 18 digits', async () => {
    const large = 10n ** 18n
    const of = (opening: bigint): Sample => {
      const [one] = fc.sample(sample, { seed: 1, numRuns: 1 })
      if (!one) throw new Error('no sample')
      const [balance] = one.statement.balances
      if (!balance) throw new Error('no balance')
      const own = {
        ...balance,
        decimals: 0,
        opening,
        closing: opening,
        increases: 0n,
        decreases: 0n,
        entryCount: 0,
      }
      return { statement: { ...one.statement, balances: [own] }, entries: [] }
    }
    await expect(write(formats.xml, of(large))).rejects.toThrow('more than 18 digits before its decimals')
    expect(await write(formats.xml, of(large - 1n))).toContain(`<Amt Ccy="XXX">${large - 1n}</Amt>`)
  })
})

describe('a statement as a journal', () => {
  it('has postings that add up to zero, and asserts the balance after each', async () => {
    await fc.assert(
      fc.asyncProperty(sample, async (one) => {
        const { transactions, balances } = readJournal(await write(formats.journal, one))
        for (const { postings } of transactions) {
          const commodities = new Set(postings.map(({ commodity }) => commodity))
          for (const commodity of commodities) {
            expect(sum(postings.flatMap((own) => (own.commodity === commodity ? [own.amount] : [])))).toBe(0n)
          }
        }
        const closing = one.statement.balances.flatMap(({ closing, decimals }) =>
          closing === 0n ? [] : [(closing < 0n ? -closing : closing) * 10n ** BigInt(40 - decimals)],
        )
        const asserted = [...balances.values()].flatMap((amount) =>
          amount === 0n ? [] : [amount < 0n ? -amount : amount],
        )
        const ascending = (a: bigint, b: bigint) => Number(a > b) - Number(a < b)
        expect(asserted.toSorted(ascending)).toEqual(closing.toSorted(ascending))
      }),
      parameters,
    )
  })

  it.runIf(HAS_PROGRAMS)('is accepted by hledger, and refused if it is a base unit off', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'statement-'))
    const check = async (journal: string) => {
      const file = join(folder, 'statement.journal')
      await writeFile(file, journal)
      return promisify(execFile)('hledger', ['--file', file, 'check'])
    }
    try {
      for (const one of fc.sample(sample, parameters)) {
        const journal = await write(formats.journal, one)
        await check(journal)
        const off = journal.replace(
          /(" = -?[0-9.]*)([0-9])( ")/,
          (_, before, digit, after) => `${before}${(Number(digit) + 1) % 10}${after}`,
        )
        if (off !== journal) await expect(check(off)).rejects.toThrow('hledger')
      }
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})

describe('a statement as CSV', () => {
  it('has the opening balances, the entries and the closing balances, exact in base units and in whole units', async () => {
    await fc.assert(
      fc.asyncProperty(sample, async (one) => {
        const [header = [], ...rows] = readCsv(await write(formats.csv, one))
        const cells = rows.map((row) => Object.fromEntries(header.map((name, i) => [name, row[i]])))
        const of = (kind: string) => cells.filter(({ row }) => row === kind)
        expect(of('ENTRY').map(({ amount }) => amount)).toEqual(
          one.entries.map(({ amount }) => String(amount)),
        )
        expect(of('OPENING').map(({ balance }) => balance)).toEqual(
          one.statement.balances.map(({ opening }) => String(opening)),
        )
        expect(of('INTERIM').map(({ balance }) => balance)).toEqual(
          one.statement.balances.map(({ closing }) => String(closing)),
        )
        for (const { balance = '', balance_units = '', unit_decimals: decimals } of cells.filter(
          ({ balance }) => balance,
        )) {
          const [whole = '', fraction = ''] = balance_units.split('.')
          expect(BigInt(whole.replace('-', '') + fraction.padEnd(Number(decimals), '0'))).toBe(
            BigInt(balance.replace('-', '')),
          )
          expect(balance_units.startsWith('-')).toBe(balance.startsWith('-'))
        }
      }),
      parameters,
    )
  })

  it('has no cell that a spreadsheet takes for a formula', async () => {
    await fc.assert(
      fc.asyncProperty(sample, async (one) => {
        for (const cell of readCsv(await write(formats.csv, one)).flat()) {
          expect(/^[=+@]|^-(?![0-9]+(\.[0-9]+)?$)/.test(cell)).toBe(false)
        }
      }),
      parameters,
    )
  })
})

it('a statement as a page has symbols of tokens as text', async () => {
  await fc.assert(
    fc.asyncProperty(sample, async (one) => {
      const text = await write(formats.html, one)
      expect(text).not.toContain('<script')
      expect(text.match(/<tr>/g)?.length).toBe(2 + one.statement.balances.length + one.entries.length)
    }),
    parameters,
  )
})

it('a statement as JSON has each balance and each entry', async () => {
  await fc.assert(
    fc.asyncProperty(sample, async (one) => {
      const { balances, entries, ...rest } = JSON.parse(await write(formats.json, one))
      expect(balances).toHaveLength(one.statement.balances.length)
      expect(entries.map(({ amount }: { amount: string }) => amount)).toEqual(
        one.entries.map(({ amount }) => String(amount)),
      )
      expect(rest).toMatchObject({ subject: one.statement.subject, address: one.statement.address })
    }),
    parameters,
  )
})
