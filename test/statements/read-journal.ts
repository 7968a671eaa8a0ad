/** Reads the part of the journal format that statements use, written apart from what writes them. */

/** Digits after the decimal point, more than any token has. */
const DECIMALS = 40

type Posting = { account: string; commodity: string; amount: bigint; asserted: bigint | undefined }

const ASSIGNMENT = /^ {4}(\S.*?) {2}= (-?[0-9.]+) "([^"]+)"$/
const REST = 'equity:opening balances'
const POSTING = /^ {4}(\S.*?) {2}(-?[0-9.]+) "([^"]+)"(?: = (-?[0-9.]+) "([^"]+)")?$/

/** @throws Error for a line of another form, and for a balance that is not the asserted one */
export function readJournal(text: string) {
  const balances = new Map<string, bigint>()
  const transactions: { title: string; postings: Posting[] }[] = []
  const assign = (account: string, amount: string, commodity: string) => {
    const key = `${account} ${commodity}`
    const posting = {
      account,
      commodity,
      amount: parse(amount) - (balances.get(key) ?? 0n),
      asserted: undefined,
    }
    balances.set(key, parse(amount))
    transactions.at(-1)?.postings.push(posting)
    return posting
  }
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith(';') || /^ {4};/.test(line) || line === 'decimal-mark .') continue
    if (/^\d{4}-\d{2}-\d{2} /.test(line)) {
      transactions.push({ title: line, postings: [] })
      continue
    }
    const [, assigned, start = '', unit = ''] = ASSIGNMENT.exec(line) ?? []
    if (assigned) {
      const { amount, commodity } = assign(assigned, start, unit)
      transactions.at(-1)?.postings.push({ account: REST, commodity, amount: -amount, asserted: undefined })
      continue
    }
    // The rest of the assignments.
    if (line === `    ${REST}`) continue
    const [, account = '', amount = '', commodity = '', after, other] = POSTING.exec(line) ?? []
    const transaction = transactions.at(-1)
    if (!transaction || account === '' || (after !== undefined && other !== commodity)) {
      throw new Error(`no posting: ${line}`)
    }
    const posting = {
      account,
      commodity,
      amount: parse(amount),
      asserted: after === undefined ? undefined : parse(after),
    }
    transaction.postings.push(posting)
    if (posting.asserted === undefined) continue
    const key = `${account} ${commodity}`
    const balance = (balances.get(key) ?? 0n) + posting.amount
    if (balance !== posting.asserted) throw new Error(`the balance is ${balance}: ${line}`)
    balances.set(key, balance)
  }
  return { transactions, balances }
}

function parse(text: string): bigint {
  const [whole = '', decimals = ''] = text.replace('-', '').split('.')
  const amount = BigInt(whole + decimals.padEnd(DECIMALS, '0'))
  return text.startsWith('-') ? -amount : amount
}
