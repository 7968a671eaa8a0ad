/** Statements as files, read and written while the client takes them. */

import { parsePeriod } from '../../domain/statement-period.ts'
import { formatTime, type UnixSeconds } from '../../domain/time.ts'
import { CodedError, validationFailed } from '../../errors.ts'
import type { Snapshot } from '../../projection/session/snapshot.ts'
import type { StatementOf } from '../../projection/statements/statement.ts'
import { isKnown, readBalances, readEntries, readTotals } from '../../projection/statements/statement.ts'
import type { Downloads } from '../shared/download.ts'
import { createRouter } from '../shared/router.ts'
import { formats } from './formats.ts'
import type { Statement, StatementFormat } from './statement.ts'
import { readStatement } from './statements.routes.ts'

/** About 150 MB of CSV. */
const STATEMENT_ENTRIES_MAX = 500_000

type StatementDeps = { readonly download: Downloads; readonly chainId: number }

/** @param entriesMax maximum number of entries of a statement */
export function statements({ download, chainId }: StatementDeps, entriesMax = STATEMENT_ENTRIES_MAX) {
  return createRouter().openapi(readStatement, (c) => {
    const { subject, file } = c.req.valid('param')
    const { zone, ...asked } = c.req.valid('query')
    const period = parsePeriod({ ...asked, zone })
    const format: StatementFormat = formats[file.extension]
    const of = { subject, address: file.address, ...period }
    return download(c, (snapshot) => ({
      name: [subject, file.address, ...[period.from, period.to].map(compact)].join('-'),
      extension: file.extension,
      mediaType: format.mediaType,
      ...(format.headers && { headers: format.headers }),
      parts: writeStatement(snapshot, { ...of, chainId, zone, entriesMax }, format),
    }))
  })
}

/** A time in the basic form of ISO 8601, which file names can have. */
function compact(at: UnixSeconds): string {
  return formatTime(at).replaceAll(/[-:]/g, '')
}

type Asked = StatementOf & { readonly chainId: number; readonly zone: string; readonly entriesMax: number }

async function* writeStatement(snapshot: Snapshot, asked: Asked, format: StatementFormat) {
  const statement = await readHead(snapshot, asked)
  yield* inParts(format.write(statement, readEntries(snapshot, statement, format.order ?? 'chain')))
}

/** Joins texts to parts of at least `characters`; the last one has the rest. */
export async function* inParts(texts: AsyncIterable<string>, characters = PART_CHARACTERS) {
  let part = ''
  for await (const text of texts) {
    part += text
    if (part.length < characters) continue
    yield part
    part = ''
  }
  yield part
}

/** Characters that are sent at once. */
const PART_CHARACTERS = 65_536

async function readHead(snapshot: Snapshot, { entriesMax, chainId, zone, ...of }: Asked): Promise<Statement> {
  const { finalizedThrough: through } = snapshot
  if (of.from > through.timestamp) {
    throw validationFailed([
      { path: 'from', message: `must not be after the finalized block, ${formatTime(through.timestamp)}` },
    ])
  }
  if (of.subject === 'vault' && !(await isKnown(snapshot, 'vault', of.address))) {
    throw new CodedError('VAULT_NOT_FOUND', `No vault has the address ${of.address}.`)
  }
  if (of.subject === 'issuer' && !(await isKnown(snapshot, 'issuer', of.address))) {
    throw new CodedError('ISSUER_NOT_FOUND', `No issuer has the address ${of.address}.`)
  }
  const totals = await readTotals(snapshot, of)
  const entries = totals.reduce((sum, { entryCount }) => sum + entryCount, 0)
  if (entries > entriesMax) {
    throw new CodedError(
      'STATEMENT_TOO_LONG',
      `The period has ${entries} entries; the maximum of a statement is ${entriesMax}. Request a shorter period.`,
    )
  }
  return {
    ...of,
    chainId,
    zone,
    through,
    isComplete: through.timestamp >= of.to,
    totals,
    balances: await readBalances(snapshot, of),
  }
}
