/** CSV (RFC 4180) that a spreadsheet does not execute. */
import { stringify } from 'csv-stringify/sync'

/**
 * Texts that a spreadsheet can take for a formula (OWASP, CSV Injection): `=`, `+`, `-` or `@`, in full width too,
 * first or after white space and invisible characters, which spreadsheets skip; and a tab, a carriage return or a line
 * feed at the start. A negative number is no formula.
 */
const FORMULA = /^(?!-[0-9]+(?:\.[0-9]+)?$)(?:[\t\r\n]|[\s\p{C}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/u

/** Lines of cells; text that could be a formula is preceded by an apostrophe. */
export function toCsv(lines: readonly (readonly unknown[])[]): string {
  return stringify([...lines], {
    record_delimiter: 'windows',
    // The library quotes only the whole delimiter, but a reader ends a line at either half of it.
    quoted_match: /[\r\n]/,
    cast: { boolean: String, string: (text) => (FORMULA.test(text) ? `'${text}` : text) },
  })
}
