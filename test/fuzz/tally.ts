/** How often each operation was answered with what, so that a run that reaches nothing fails. */
import type { Operation } from './described.ts'
import type { FuzzRequest } from './request.ts'

/** These are decided before the code of a route runs. */
const BEFORE_THE_ROUTE = new Set([
  ...['VALIDATION_FAILED', 'UNAUTHENTICATED', 'NOT_FOUND', 'METHOD_NOT_ALLOWED', 'PAYLOAD_TOO_LARGE'],
  ...['UNSUPPORTED_MEDIA_TYPE', 'RATE_LIMITED', 'GRAPHQL_PARSE_FAILED', 'GRAPHQL_VALIDATION_FAILED'],
])

type Count = { statuses: Map<string, number>; accepted: number; refused: number }

export function createTally(operations: readonly Operation[]) {
  const counts = new Map(
    operations.map(({ name }): [string, Count] => [name, { statuses: new Map(), accepted: 0, refused: 0 }]),
  )
  return {
    add(
      { operation, isChanged, isElsewhere }: FuzzRequest,
      status: number | undefined,
      codes: readonly string[],
    ) {
      const count = counts.get(operation)
      if (!count) throw new Error(`${operation} is not described`)
      // A 503 is counted by its codes, since it matters what is unavailable.
      const label = status === undefined ? 'closed' : [status, ...(status === 503 ? codes : [])].join(' ')
      count.statuses.set(label, (count.statuses.get(label) ?? 0) + 1)
      if (isElsewhere || status === undefined || status >= 500) return
      const isRefused = codes.some((code) => BEFORE_THE_ROUTE.has(code))
      if (!isChanged && !isRefused) count.accepted += 1
      if (isChanged && isRefused) count.refused += 1
    },
    /** Operations whose own code no request as described has reached, or that refused no changed request. */
    unreached: () =>
      [...counts].flatMap(([name, { accepted, refused }]) => [
        ...(accepted === 0 ? [`${name}: no request as described was accepted`] : []),
        ...(refused === 0 ? [`${name}: no changed request was refused`] : []),
      ]),
    table: () =>
      [...counts]
        .map(([name, { statuses }]) => {
          const cells = [...statuses].sort().map(([status, count]) => `${status}: ${count}`)
          return `${name.padEnd(48)} ${cells.join(', ')}`
        })
        .join('\n'),
  }
}
