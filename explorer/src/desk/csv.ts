/** The rows of an answer as a CSV file. */

type Rows = {
  columns: readonly { name: string }[]
  rows: readonly (readonly (string | null)[])[]
}

/** As exports have it: a spreadsheet skips blanks and invisible characters before a formula, and knows wide signs. */
const FORMULA = /^(?!-[0-9]+(?:\.[0-9]+)?$)(?:[\t\r\n]|[\s\p{C}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/u

/** RFC 4180. A text that a spreadsheet would take for a formula gets an apostrophe in front, as in exports. */
export function csvOf({ columns, rows }: Rows): string {
  const lines = [columns.map(({ name }) => name), ...rows]
  return lines.map((line) => `${line.map(fieldOf).join()}\r\n`).join('')
}

function fieldOf(value: string | null): string {
  const text = value ?? ''
  const safe = FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
