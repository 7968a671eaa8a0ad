/** Reads CSV as RFC 4180 has it, written apart from what writes ours. */
export function readCsv(text: string): string[][] {
  const records: string[][] = []
  let record: string[] = []
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy
  for (const [, quoted, plain = '', end] of text.matchAll(field)) {
    record.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end === ',') continue
    records.push(record)
    record = []
  }
  return records
}
