/** Lists as CSV (RFC 4180), all rows of one snapshot, read page by page as the client takes them. */
import type { Context } from 'hono'
import type { Reader } from '../../graphql/operation/run.ts'
import { type Cell, toCells } from '../../graphql/serve/export-units.ts'
import { type ExportRow, readExport, readParameters } from '../../graphql/serve/read-export.ts'
import type { AppEnv } from '../../http/env.ts'
import type { Snapshot } from '../../projection/session/snapshot.ts'
import { toCsv } from '../shared/csv.ts'
import type { Downloads } from '../shared/download.ts'
import { createRouter } from '../shared/router.ts'
import { exportRoutes } from './exports.routes.ts'

type ExportDeps = {
  readonly download: Downloads
  readonly readerOf: (c: Context<AppEnv>, snapshot: Snapshot) => Reader
}

export function exports({ download, readerOf }: ExportDeps) {
  const router = createRouter()
  for (const { list, route } of exportRoutes) {
    router.openapi(route, (c) => {
      const { columns: names, amounts, ...asked } = c.req.valid('query')
      const columns = names?.flatMap((name) => list.columns.filter((column) => column.name === name))
      const cells = toCells(list, columns ?? list.columns, amounts ?? 'base')
      const query = { cells, values: readParameters(list, asked) }
      return download(c, (snapshot) => ({
        name: list.name,
        extension: 'csv',
        mediaType: 'text/csv; charset=utf-8; header=present',
        parts: writeLines(cells, readExport(list, query, readerOf(c, snapshot))),
      }))
    })
  }
  return router
}

/** The names of the columns, then the rows of each page. */
async function* writeLines(cells: readonly Cell[], pages: AsyncIterable<readonly ExportRow[]>) {
  let header: ExportRow[] = [cells.map(({ name }) => name)]
  for await (const rows of pages) {
    yield toCsv([...header, ...rows])
    header = []
  }
}
