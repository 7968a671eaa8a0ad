/** Random statements with hostile texts and amounts of every size, for the formats. */
import fc from 'fast-check'
import { STATEMENT_ACCOUNTS, STATEMENT_KINDS, STATEMENT_SUBJECTS } from '../../api/domain/statement.ts'
import type { StatementBalance, StatementEntry } from '../../api/projection/statements/statement.ts'
import type { Statement } from '../../api/rest/statements/statement.ts'
import { sum } from '../support/sum.ts'

export type Sample = { readonly statement: Statement; readonly entries: readonly StatementEntry[] }

const hex = (digits: number) =>
  fc
    .array(fc.integer({ min: 0, max: 15 }), { minLength: digits, maxLength: digits })
    .map((values): `0x${string}` => `0x${values.map((value) => value.toString(16)).join('')}`)

/** Symbols as contracts can give them: other symbols, markup, formulas, quotes, controls, right-to-left text. */
const symbol = fc.oneof(
  fc.constantFrom(
    'USD',
    'USD',
    '=1+1',
    '"; drop',
    '<script>',
    ']]>',
    'a\nb',
    '\u0001\uFFFE',
    'דולר',
    '-',
    '',
    '&amp;',
  ),
  fc.string({ unit: 'binary', maxLength: 12 }),
)

/** From a base unit to what any column can hold, of either sign. */
const amount = fc
  .tuple(fc.bigInt({ min: 0n, max: 127n }), fc.bigInt({ min: 1n, max: 9n }), fc.boolean())
  .map(([bits, factor, isNegative]) => (isNegative ? -1n : 1n) * ((1n << bits) + factor))

const subject = fc.constantFrom(...STATEMENT_SUBJECTS)

export const sample: fc.Arbitrary<Sample> = subject.chain((of) =>
  fc
    .tuple(
      hex(40),
      fc.uniqueArray(
        fc.tuple(
          fc.constantFrom(...accountsOf(of)),
          hex(40),
          symbol,
          fc.integer({ min: 0, max: 36 }),
          amount,
        ),
        {
          minLength: 1,
          maxLength: 5,
          selector: ([account, unit]) => `${account} ${unit}`,
        },
      ),
      fc.array(fc.tuple(fc.nat(), amount, fc.constantFrom(...kinds), fc.boolean(), hex(64)), {
        maxLength: 30,
      }),
    )
    .map(([address, units, changes]) => {
      const balances = units.map(([account, unit, symbol, decimals, opening]) => ({
        account,
        unit,
        symbol,
        decimals,
        opening,
      }))
      const after = balances.map(({ opening }) => opening)
      const entries = changes.map(([pick, change, kind, hasClaim, hash], i): StatementEntry => {
        const index = pick % balances.length
        const { account, unit } = balances[index] ?? missing()
        const balanceAfter = (after[index] ?? 0n) + change
        after[index] = balanceAfter
        return {
          id: BigInt(i >> 1),
          part: BigInt(i & 1),
          account,
          unit,
          kind,
          amount: change,
          balanceAfter,
          counterparty: hasClaim ? address : null,
          claimId: hasClaim ? hash : null,
          executionId: null,
          block: BigInt(i >> 1),
          at: FROM + BigInt(i),
          tx: hash,
        }
      })
      const statement: Statement = {
        chainId: 31337,
        subject: of,
        address,
        from: FROM,
        to: FROM + 86_400n * 31n,
        zone: 'Europe/Berlin',
        through: { blockNumber: 100n, timestamp: FROM + 86_400n },
        isComplete: false,
        balances: balances
          .map((balance, i) => withTotals(balance, entries, after[i] ?? 0n))
          .toSorted(inOrder),
        totals: [],
      }
      return { statement, entries }
    }),
)

const FROM = 1_767_225_600n
const kinds = Object.keys(STATEMENT_KINDS).filter(isKind)

function isKind(name: string): name is keyof typeof STATEMENT_KINDS {
  return name in STATEMENT_KINDS
}

function accountsOf(of: Statement['subject']): StatementBalance['account'][] {
  const own: Readonly<Record<string, object>> = STATEMENT_ACCOUNTS[of]
  const all: StatementBalance['account'][] = [
    'CASH',
    'RECEIVABLE',
    'CREDIT',
    'SHARES',
    'IDLE',
    'ADVANCED',
    'ISSUED',
    'OWED',
  ]
  return all.filter((account) => account in own)
}

type Begun = Pick<StatementBalance, 'account' | 'unit' | 'symbol' | 'decimals' | 'opening'>

function withTotals(balance: Begun, entries: readonly StatementEntry[], closing: bigint): StatementBalance {
  const amounts = entries.flatMap(({ account, unit, amount }) =>
    account === balance.account && unit === balance.unit ? [amount] : [],
  )
  return {
    ...balance,
    closing,
    increases: sum(amounts.filter((change) => change > 0n)),
    decreases: -sum(amounts.filter((change) => change < 0n)),
    entryCount: amounts.length,
    hash: '0'.repeat(64),
  }
}

/** As the database orders balances. */
export function inOrder(
  a: Pick<StatementEntry, 'account' | 'unit'>,
  b: Pick<StatementEntry, 'account' | 'unit'>,
): number {
  const [left, right] = [`${a.account} ${a.unit}`, `${b.account} ${b.unit}`]
  return left < right ? -1 : left > right ? 1 : 0
}

function missing(): never {
  throw new Error('there is no balance')
}
