/** Prints the steps of the demo: what is done and why, what was sent, what was received. */
import { formatUnits } from 'viem'
import type { Address } from '../packages/client/src/index.ts'

/** Names and what they are worth, in lines below each other. */
export type Facts = Readonly<Record<string, string>>

export type Reporter = {
  step: (title: string, why: string) => void
  /** A request to the gateway, or a transaction to the chain. */
  sent: (what: string, facts?: Facts) => void
  got: (facts: Facts) => void
  /** The first row is the head; all but the first column stand at the right. */
  table: (rows: readonly (readonly string[])[]) => void
  print: (text: string) => void
}

const WIDTH = 100

export function createReporter(write: (text: string) => void): Reporter {
  let steps = 0
  const line = (text = '') => write(`${text}\n`)
  const facts = (arrow: string, what: string, entries: Facts) => {
    const names = Object.keys(entries)
    const widest = Math.max(0, ...names.map((name) => name.length))
    if (what) line(`    ${arrow} ${what}`)
    names.forEach((name, index) => {
      const head = index === 0 && !what ? arrow : ' '
      line(`    ${head} ${name.padEnd(widest)}  ${entries[name]}`)
    })
  }
  return {
    step(title, why) {
      steps += 1
      line(`\n${String(steps).padStart(2)}  ${title}\n`)
      for (const part of wrap(why, WIDTH - 4)) line(`    ${part}`)
      line()
    },
    sent: (what, entries = {}) => facts('→', what, entries),
    got: (entries) => facts('←', '', entries),
    table(rows) {
      const widths = (rows[0] ?? []).map((_, column) =>
        Math.max(...rows.map((row) => (row[column] ?? '').length)),
      )
      rows.forEach((row, index) => {
        const cells = widths.map((width, column) =>
          column === 0 ? (row[column] ?? '').padEnd(width) : (row[column] ?? '').padStart(width),
        )
        line(`    ${cells.join('   ')}`)
        if (index === 0) line(`    ${widths.map((width) => '─'.repeat(width)).join('   ')}`)
      })
    },
    print(text) {
      line()
      for (const part of wrap(text, WIDTH)) line(part)
    },
  }
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1)
    if (last === undefined || last.length + word.length + 1 > width) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines
}

export type Token = { address: Address; symbol: string; decimals: number }

/** Base units as people write them: `12,000.50 HUSD`. */
export function amount(baseUnits: bigint | string, { symbol, decimals }: Token): string {
  const [whole = '0', fraction = ''] = formatUnits(BigInt(baseUnits), decimals).split('.')
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${fraction.padEnd(2, '0')} ${symbol}`
}

/** A change, with its sign. */
export function change(baseUnits: bigint, token: Token): string {
  return baseUnits > 0n ? `+${amount(baseUnits, token)}` : amount(baseUnits, token)
}

/** Enough of a hash or an address to recognise it. */
export function short(hex: string): string {
  return `${hex.slice(0, 8)}…${hex.slice(-4)}`
}

export function percent(bps: number): string {
  return `${(bps / 100).toFixed(2)} %`
}
