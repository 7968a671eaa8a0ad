import type { Deps } from '../deps.ts'
import { readSnapshot } from '../projection/snapshot.ts'
import { getHealth, getReadiness } from './health.routes.ts'
import { createRouter } from './router.ts'
import { presentFinalizedThrough } from './wire.ts'

const NOT_STORED = { 'Cache-Control': 'no-store' }

export function health({ db }: Pick<Deps, 'db'>) {
  return createRouter()
    .openapi(getHealth, (c) => c.json({ status: 'ok' as const }, 200, NOT_STORED))
    .openapi(getReadiness, async (c) => {
      const through = await readSnapshot(db, async (snapshot) => snapshot.finalizedThrough)
      const body = { status: 'ready' as const, finalizedThrough: presentFinalizedThrough(through) }
      return c.json(body, 200, NOT_STORED)
    })
}
