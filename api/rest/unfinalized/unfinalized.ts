import type { Deps } from '../../deps.ts'
import { matching, selectEvents } from '../../head/unfinalized.ts'
import { presentFinalizedThrough, readProjection } from '../shared/answer.ts'
import { headersOf } from '../shared/read.ts'
import { createRouter } from '../shared/router.ts'
import { presentPending } from '../shared/unfinalized.ts'
import { listUnfinalized } from './unfinalized.routes.ts'

export function unfinalized({ head }: Pick<Deps, 'head'>) {
  return createRouter().openapi(listUnfinalized, async (c) => {
    const { limit, ...filter } = c.req.valid('query')
    const through = await readProjection(c, async ({ finalizedThrough }) => finalizedThrough)
    const view = head.latest()
    const shown = view && selectEvents(view, through.blockNumber, matching(filter), limit)
    const body = { unfinalized: presentPending(shown), finalizedThrough: presentFinalizedThrough(through) }
    return c.json(body, 200, headersOf(JSON.stringify(body), through))
  })
}
