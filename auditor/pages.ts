import type { Audited } from './audit.ts'
import type { Page, Scope } from './rows.ts'

/** Rows of one snapshot: enough to fill a batch of calls, and few enough for a short snapshot. */
const PAGE_ROWS = 200

/** The audit of an entity page by page, each in a snapshot of its own. */
export async function* pagesOf(audit: (scope: Scope) => Promise<Audited>): AsyncGenerator<Audited> {
  let page: Page | undefined = { after: [], limit: PAGE_ROWS }
  while (page) {
    const audited: Audited = await audit({ page })
    yield audited
    page = audited.next
  }
}
