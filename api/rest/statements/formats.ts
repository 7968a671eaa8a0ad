/** Formats of statements, by the extension of their files. */
import { camt } from './formats/camt.ts'
import { csv } from './formats/csv.ts'
import { journal } from './formats/journal.ts'
import { json } from './formats/json.ts'
import { page } from './formats/page.ts'
import type { StatementFormat } from './statement.ts'

export const formats = { json, csv, xml: camt, journal, html: page } as const satisfies Record<
  string,
  StatementFormat
>
export type FormatName = keyof typeof formats

export const STATEMENT_FORMATS: readonly FormatName[] = ['json', 'csv', 'xml', 'journal', 'html']

export function isFormat(text: string): text is FormatName {
  return STATEMENT_FORMATS.some((name) => name === text)
}
