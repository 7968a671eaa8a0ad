/** Kept answers of REST. */
import { createMiddleware } from 'hono/factory'
import type { AppEnv } from './env.ts'
import type { KeptAnswers } from './kept-answers.ts'
import { parseMinBlock } from './min-block.ts'

/** Answers reads that declare `isKept` from the kept answers. `answer` in api/rest keeps what it writes. */
export const keepReads = (answers: KeptAnswers) =>
  createMiddleware<AppEnv>(async (c, next) => {
    if (!c.get('rules').isKept || c.req.method !== 'GET' || c.get('dependsOnMore')) return next()
    const request = `GET ${pathAndQuery(c.req.url)}`
    const kept = answers.find(request, parseMinBlock(c.req.header('X-Min-Block')))
    if (kept) return c.body(kept.body, 200, kept.headers)
    c.set('keep', answers.begin(request))
    return next()
  })

/** The part of a URL after its host. */
export const pathAndQuery = (url: string): string => url.slice(url.indexOf('/', url.indexOf('//') + 2))
