import type { Audited } from './audit.ts'
import type { Page, Scope } from './rows.ts'

/** Rows of one snapshot: enough to fill a batch of calls, and few enough for a short snapshot. */
export const PAGE_ROWS = 200

/** The audit of an entity page by page, each in a snapshot of its own, from `start` to the last row. */
export async function* pagesOf(
  limit: number,
  audit: (scope: Scope) => Promise<Audited>,
  start: readonly string[] = [],
): AsyncGenerator<Audited> {
  let page: Page | undefined = { after: start, limit }
  while (page) {
    const audited: Audited = await audit({ page })
    yield audited
    page = audited.next
  }
}
