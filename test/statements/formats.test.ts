import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parseCamt053 } from 'camt-parser'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { validateXML } from 'xmllint-wasm'
import { STATEMENT_ACCOUNTS, STATEMENT_KINDS, type StatementKind } from '../../api/domain/statement.ts'
import type { StatementEntry } from '../../api/projection/statements/statement.ts'
import { formats } from '../../api/rest/statements/formats.ts'
import { type Statement, type StatementFormat, titleOf } from '../../api/rest/statements/statement.ts'
import { inParts } from '../../api/rest/statements/statements.ts'
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

const repeated = (byte: string, times: number) => `0x${byte.repeat(times)}` as const
const [owner, dollar, euro] = [repeated('01', 20), repeated('02', 20), repeated('03', 20)]
const CASH = { account: 'CASH', unit: dollar } as const
const KINDS = Object.keys(STATEMENT_KINDS).filter((name): name is StatementKind => name in STATEMENT_KINDS)

/** A statement of January in Berlin, whose figures all differ, with an entry of each kind. */
function example(change: Partial<Statement> = {}): Sample {
  const entries = KINDS.map(
    (kind, i): StatementEntry => ({
      ...CASH,
      id: BigInt(i),
      part: 0n,
      kind,
      amount: BigInt(i + 1),
      balanceAfter: 1_234_567_890n + BigInt(((i + 1) * (i + 2)) / 2),
      counterparty: repeated('04', 20),
      claimId: repeated('05', 32),
      executionId: repeated('06', 32),
      block: BigInt(70 + i),
      // Half past midnight of the second day in Berlin, which is still the first in UTC.
      at: 1_767_310_200n,
      tx: repeated('07', 32),
    }),
  )
  const balance = { ...CASH, symbol: 'USD', decimals: 6, opening: 1_234_567_890n, hash: 'ab'.repeat(32) }
  const statement: Statement = {
    chainId: 31337,
    subject: 'wallet',
    address: owner,
    from: 1_767_222_000n,
    to: 1_769_900_400n,
    zone: 'Europe/Berlin',
    through: { blockNumber: 100n, timestamp: 1_767_400_000n },
    isComplete: false,
    balances: [
      { ...balance, increases: 5_000_078n, decreases: 5_000_000n, closing: 1_234_567_968n, entryCount: 12 },
      {
        ...balance,
        unit: euro,
        symbol: 'EUR',
        ...{ opening: 0n, increases: 3n, decreases: 1n, closing: 2n, entryCount: 0 },
      },
    ],
    totals: KINDS.map((kind, i) => ({ ...CASH, kind, amount: BigInt(i + 1), entryCount: 40 + i })),
    ...change,
  }
  return { statement, entries }
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

  it('has as many decimals of an amount as it can, at most five', async () => {
    const amountsOf = async (decimals: number, opening: bigint) => {
      const { statement } = example()
      const [first] = statement.balances
      if (!first) throw new Error('no balance')
      const figures = { opening, closing: opening, increases: 0n, decreases: 0n, entryCount: 0 }
      const balances = [{ ...first, decimals, ...figures }]
      const text = await write(formats.xml, { statement: { ...statement, balances }, entries: [] })
      return [...text.matchAll(/<Amt Ccy="XXX">([^<]*)/g)].map(([, amount]) => amount)
    }
    expect(await amountsOf(8, 123_456_789n)).toEqual(['1.23456', '1.23456'])
    expect(await amountsOf(3, 1_234n)).toEqual(['1.234', '1.234'])
    // 15 digits leave room for three.
    expect(await amountsOf(8, 10n ** 23n - 1n)).toEqual(Array(2).fill('999999999999999.999'))
    expect(await amountsOf(8, 1n - 10n ** 24n)).toEqual(Array(2).fill('9999999999999999.99'))
  })

  it('has an id of the message and of each statement, and an account of each unit', async () => {
    const idsOf = async (change: Partial<Statement> = {}) => {
      const text = await write(formats.xml, example(change))
      const found = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, id]) => id)
      return {
        statements: [...found(/<MsgId>([^<]*)/g), ...found(/<Stmt><Id>([^<]*)/g)],
        accounts: found(/<Acct><Id><Othr><Id>([^<]*)/g),
      }
    }
    const own = await idsOf()
    expect([new Set(own.statements).size, new Set(own.accounts).size]).toEqual([3, 2])
    expect(await idsOf()).toEqual(own)
    const through = { blockNumber: 101n, timestamp: 1_767_400_000n }
    for (const change of [{ through }, { from: 1_767_222_001n }, { to: 1_769_900_401n }]) {
      const { statements, accounts } = await idsOf(change)
      expect(statements.filter((id) => own.statements.includes(id))).toEqual([])
      expect(accounts).toEqual(own.accounts)
    }
    for (const change of [{ chainId: 1 }, { address: euro }]) {
      const { accounts } = await idsOf(change)
      expect(accounts.filter((id) => own.accounts.includes(id))).toEqual([])
    }
  })

  it('has the facts of a balance and of an entry, each in its element', async () => {
    const text = await write(formats.xml, example())
    expect(text).toContain(
      '<FrToDt><FrDtTm>2025-12-31T23:00:00Z</FrDtTm><ToDtTm>2026-01-31T23:00:00Z</ToDtTm>',
    )
    expect(text).toContain(`<Tp><Prtry>CASH</Prtry></Tp><Ccy>XXX</Ccy><Nm>${dollar} USD</Nm>`)
    expect(text).toContain(`<Ownr><Nm>wallet ${owner}</Nm></Ownr>`)
    expect(text).toContain('<Svcr><FinInstnId><Othr><Id>eip155:31337</Id>')
    const control =
      '12 entries; base units: opening 1234567890, increases 5000078, decreases 5000000, closing 1234567968'
    expect(text).toContain(`<AddtlStmtInf>${control}; SHA-256 ${'ab'.repeat(32)}</AddtlStmtInf>`)
    const at = '<DtTm>2026-01-01T23:30:00Z</DtTm>'
    const [first = ''] = text.match(/<Ntry>.*?<\/Ntry>/s) ?? []
    expect(first).toContain(`<NtryRef>0-0</NtryRef>`)
    expect(first).toContain(`<BookgDt>${at}</BookgDt><ValDt>${at}</ValDt>`)
    expect(first).toContain('<BkTxCd><Prtry><Cd>CLAIM_REGISTERED</Cd></Prtry></BkTxCd>')
    const [claim, execution, transaction] = ['05', '06', '07'].map((byte) => repeated(byte, 32))
    expect(first).toContain(
      `<AddtlNtryInf>1 base units, counterparty ${repeated('04', 20)}, claim ${claim}, execution ${execution}, transaction ${transaction}<`,
    )
  })

  it('cuts a text at its characters, and then escapes them', async () => {
    const { statement, entries } = example()
    const namesOf = async (symbol: string) => {
      const balances = statement.balances.map((balance) => ({ ...balance, symbol }))
      const text = await write(formats.xml, { statement: { ...statement, balances }, entries })
      return [...text.matchAll(/<Nm>0x[0-9a-f]{40} ([^<]*)/g)].map(([, name]) => name)
    }
    // A name has 70 characters, of which address and space take 43.
    for (const [symbol, written] of [
      ['a', 'a'],
      ['&', '&amp;'],
      ['<', '&lt;'],
      ['>', '&gt;'],
      ['"', '&quot;'],
      ['\u{1F600}', '\u{1F600}'],
      ['\u0001', '\uFFFD'],
    ] as const)
      for (const [length, left] of [
        [26, 26],
        [27, 27],
        [28, 27],
      ] as const)
        expect(await namesOf(symbol.repeat(length))).toEqual(Array(2).fill(written.repeat(left)))
  })

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

  it('has one transaction for each event, with its facts once, though its entries are on two pages', async () => {
    const { statement, entries } = example()
    const [[balance], [first]] = [statement.balances, entries]
    if (!first || !balance) throw new Error('no entry')
    const of = (id: bigint, account: 'IDLE' | 'ADVANCED', amount: bigint, balanceAfter: bigint) =>
      ({ ...first, id, account, kind: 'REPAYMENT', amount, balanceAfter }) as const
    const text = await write(formats.journal, {
      statement: {
        ...statement,
        balances: [
          { ...balance, account: 'IDLE' },
          { ...balance, account: 'ADVANCED' },
        ],
      },
      entries: [
        of(0n, 'IDLE', 5n, 10n),
        of(1n, 'IDLE', 100n, 110n),
        { ...of(1n, 'ADVANCED', -90n, 20n), counterparty: repeated('08', 20) },
        of(2n, 'IDLE', 1n, 111n),
      ],
    })
    const events = [...text.matchAll(/ ; event: (\d+)/g)].map(([, id]) => id)
    expect(events).toEqual(['0', '1', '2'])
    const unit = `"USD ${dollar}"`
    expect(text).toContain(
      `
2026-01-02 REPAYMENT
    ; at: 2026-01-01T23:30:00Z
    ; transaction: ${repeated('07', 32)}
    ; event: 1
    ; claim: ${repeated('05', 32)}
    ; counterparty: ${repeated('04', 20)}
    ; counterparty: ${repeated('08', 20)}
    assets:idle  0.0001 ${unit} = 0.00011 ${unit}
    assets:advanced  -0.00009 ${unit} = 0.00002 ${unit}
    income:discount  -0.00001 ${unit}

2026-01-02 REPAYMENT
`,
    )
  })

  it('books the other side of each kind to an account of its own group', async () => {
    const { transactions } = readJournal(await write(formats.journal, example()))
    const contra = transactions.slice(1).map(({ title, postings }) => [title, postings.at(-1)?.account])
    expect(contra).toEqual(
      [
        ['CLAIM_REGISTERED', 'equity:claims'],
        ['CLAIM_REVOKED', 'equity:claims'],
        ['FINANCED', 'expenses:discount'],
        ['CLAIM_PAID', 'equity:payments'],
        ['PAYMENT_MADE', 'expenses:payments'],
        ['REPAYMENT', 'income:discount'],
        ['CREDITED', 'equity:conversion'],
        ['CREDIT_WITHDRAWN', 'equity:conversion'],
        ['DEPOSIT', 'equity:conversion'],
        ['WITHDRAWAL', 'equity:conversion'],
        ['SHARES_SENT', 'equity:transfers'],
        ['SHARES_RECEIVED', 'equity:transfers'],
      ].map(([kind, account]) => [`2026-01-02 ${kind}`, account]),
    )
  })

  it('says whether entries can follow, and ends with the control totals of each balance', async () => {
    const linesOf = async (change: Partial<Statement> = {}) =>
      (await write(formats.journal, example(change))).split('\n')
    const lines = await linesOf()
    expect(lines[1]).toBe('; Finalized through block 100. The period is not complete: entries can follow.')
    expect((await linesOf({ isComplete: true }))[1]).toBe(
      '; Finalized through block 100. The period is complete.',
    )
    expect(lines.slice(-3)).toEqual([
      `; CASH ${dollar}: 12 entries, SHA-256 ${'ab'.repeat(32)}`,
      `; CASH ${euro}: 0 entries, SHA-256 ${'ab'.repeat(32)}`,
      '',
    ])
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

  it('has each fact of an entry, a total and a balance in the column of its name', async () => {
    const [header = [], ...rows] = readCsv(await write(formats.csv, example()))
    const cells = rows.map((row) => Object.fromEntries(header.map((name, i) => [name, row[i]])))
    const first = (kind: string) => cells.find(({ row }) => row === kind)
    const unit = { account: 'CASH', unit: dollar, unit_symbol: 'USD', unit_decimals: '6' }
    expect(first('ENTRY')).toEqual({
      row: 'ENTRY',
      day: '2026-01-02',
      at: '2026-01-01T23:30:00Z',
      blockNumber: '70',
      ...unit,
      kind: 'CLAIM_REGISTERED',
      amount: '1',
      amount_units: '0.000001',
      balance: '1234567891',
      balance_units: '1234.567891',
      counterparty: repeated('04', 20),
      claimId: repeated('05', 32),
      executionId: repeated('06', 32),
      transactionHash: repeated('07', 32),
      id: '0',
      part: '0',
      entryCount: '',
      hash: '',
    })
    const none = Object.fromEntries(header.map((name) => [name, '']))
    const total = { kind: 'CLAIM_REGISTERED', amount: '1', amount_units: '0.000001', entryCount: '40' }
    expect(first('TOTAL')).toEqual({ ...none, row: 'TOTAL', ...unit, ...total })
    const interim = { balance: '1234567968', balance_units: '1234.567968', entryCount: '12' }
    expect(first('INTERIM')).toEqual({ ...none, row: 'INTERIM', ...unit, ...interim, hash: 'ab'.repeat(32) })
    const complete = readCsv(await write(formats.csv, example({ isComplete: true })))
    expect(complete.slice(-2).map(([row]) => row)).toEqual(['CLOSING', 'CLOSING'])
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

it('a statement as a page has the figures of a balance and of an entry in the order of its columns', async () => {
  const text = await write(formats.html, example())
  const rows = [...text.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell = '']) => cell.replaceAll(/<[^>]*>/g, '')),
  )
  expect(rows).toContainEqual([
    'CASH',
    `USD ${dollar}`,
    ...['1,234.56789', '5.000078', '5', '1,234.567968', '12'],
  ])
  expect(rows).toContainEqual([
    '2026-01-02',
    'CLAIM_REVOKED',
    'CASH',
    ...['0.000002', '1,234.567893', 'USD'],
    `counterparty ${repeated('04', 20)}claim ${repeated('05', 32)}transaction ${repeated('07', 32)}`,
  ])
  expect(text).toContain('The period is not complete: entries can follow.')
  expect(text).toContain('Finalized through block 100, 2026-01-03T00:26:40Z.')
  expect(await write(formats.html, example({ isComplete: true }))).toContain('The period is complete.')
})

it('a statement as a page has a comma between three digits before the point, and the meaning of each balance', async () => {
  const [balance] = example().statement.balances
  if (!balance) throw new Error('no balance')
  const figures = { opening: -123_456n, increases: 1_234_567n, decreases: 999n, closing: 12_345_678_901n }
  const owed = { ...balance, ...figures, decimals: 0, account: 'RECEIVABLE' } as const
  const text = await write(formats.html, { ...example({ balances: [balance, owed] }), entries: [] })
  const cells = [...text.matchAll(/<td class="amount">([^<]*)/g)].map(([, cell]) => cell)
  expect(cells.slice(5, 9)).toEqual(['-123,456', '1,234,567', '999', '12,345,678,901'])
  const { CASH, RECEIVABLE } = STATEMENT_ACCOUNTS.wallet
  const titles = [...text.matchAll(/<td title="([^"]*)">/g)].map(([, title]) => title)
  expect(titles).toEqual([CASH, RECEIVABLE].map(({ description }) => description))
})

it('a statement is headed by its days, or by its times where they begin or end no day of its zone', () => {
  const of = `Statement of wallet ${owner} on chain 31337`
  expect(titleOf(example().statement)).toBe(`${of}, 2026-01-01 to 2026-01-31 (Europe/Berlin)`)
  expect(titleOf(example({ zone: 'UTC' }).statement)).toBe(
    `${of}, from 2025-12-31T23:00:00Z until 2026-01-31T23:00:00Z`,
  )
  expect(titleOf(example({ to: 1_769_900_401n }).statement)).toContain('until 2026-01-31T23:00:01Z')
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

it('a statement as JSON has its head, and each fact of an entry under its name', async () => {
  const { balances, totals, entries, ...head } = JSON.parse(await write(formats.json, example()))
  expect(head).toEqual({
    chainId: 31337,
    subject: 'wallet',
    address: owner,
    from: '2025-12-31T23:00:00Z',
    to: '2026-01-31T23:00:00Z',
    zone: 'Europe/Berlin',
    isComplete: false,
    finalizedThrough: { blockNumber: 100, timestamp: '2026-01-03T00:26:40Z' },
  })
  expect(balances[0]).toEqual({
    ...CASH,
    ...{ symbol: 'USD', decimals: 6, opening: '1234567890', increases: '5000078', decreases: '5000000' },
    ...{ closing: '1234567968', entryCount: 12, hash: 'ab'.repeat(32) },
  })
  expect(totals[0]).toEqual({ ...CASH, kind: 'CLAIM_REGISTERED', amount: '1', entryCount: 40 })
  expect(entries[0]).toEqual({
    ...CASH,
    ...{ id: '0', part: 0, kind: 'CLAIM_REGISTERED', amount: '1', balanceAfter: '1234567891' },
    counterparty: repeated('04', 20),
    claimId: repeated('05', 32),
    executionId: repeated('06', 32),
    ...{ at: '2026-01-01T23:30:00Z', blockNumber: 70, transactionHash: repeated('07', 32) },
  })
})

it('a statement is sent in parts of some length, of which the last has the rest', async () => {
  async function* texts() {
    yield* ['ab', 'c', 'defgh', '', 'ij', 'k']
  }
  const parts: string[] = []
  for await (const part of inParts(texts(), 3)) parts.push(part)
  expect(parts).toEqual(['abc', 'defgh', 'ijk', ''])
  const whole: string[] = []
  for await (const part of inParts(texts())) whole.push(part)
  expect(whole).toEqual(['abcdefghijk'])
})
