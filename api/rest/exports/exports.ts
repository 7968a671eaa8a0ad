/** Lists as files, all rows of one snapshot, read page by page as the client takes them. */
import type { Context } from 'hono'
import type { BlockAsOf } from '../../chain/block-as-of.ts'
import { asOfWork } from '../../graphql/kit/as-of.ts'
import { OPERATION_POINTS } from '../../graphql/operation/measure/measure.ts'
import type { Reader } from '../../graphql/operation/run.ts'
import { toCells } from '../../graphql/serve/export-units.ts'
import { readExport, readParameters } from '../../graphql/serve/read-export.ts'
import type { AppEnv } from '../../http/env.ts'
import { aroundIn } from '../../projection/past/around.ts'
import type { Snapshot } from '../../projection/session/snapshot.ts'
import { asOfIn } from '../shared/as-of.ts'
import type { Downloads } from '../shared/download.ts'
import { createRouter } from '../shared/router.ts'
import { exportRoutes } from './exports.routes.ts'

type ExportDeps = {
  readonly blockAsOf: BlockAsOf
  readonly download: Downloads
  readonly readerOf: (c: Context<AppEnv>, snapshot: Snapshot) => Reader
}

export function exports({ download, readerOf, blockAsOf }: ExportDeps) {
  const router = createRouter()
  for (const { list, format, route } of exportRoutes) {
    router.openapi(route, async (c) => {
      const { columns: names, amounts, asOfBlock: block, asOfTime: time, ...asked } = c.req.valid('query')
      const columns = names?.flatMap((name) => list.columns.filter((column) => column.name === name))
      const cells = toCells(list, columns ?? list.columns, amounts ?? 'base')
      const values = readParameters(list, asked)
      const asOf = asOfIn({ asOfBlock: bigintOf(block), asOfTime: bigintOf(time) })
      c.get('spend')(OPERATION_POINTS + (asOf ? asOfWork(asOf) : 0))
      const through = asOf && (await blockAsOf(asOf, aroundIn(c.get('openSnapshot'), asOf)))
      const query = { cells, values, block: through?.blockNumber }
      return download(c, (snapshot) => ({
        name: list.name,
        through,
        extension: format.extension,
        mediaType: format.mediaType,
        parts: format.write(cells, readExport(list, query, readerOf(c, snapshot))),
      }))
    })
  }
  return router
}

/** A list without a past has no such parameter. */
function bigintOf(value: unknown): bigint | undefined {
  return typeof value === 'bigint' ? value : undefined
}
