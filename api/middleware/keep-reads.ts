/** Kept answers of REST. */
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { isNamed } from './conditional.ts'
import type { AppEnv } from './env.ts'
import type { KeptAnswer, KeptAnswers } from './kept-answers.ts'
import { parseMinBlock } from './min-block.ts'

/** Answers reads that declare `isKept` from the kept answers. `answer` in api/rest keeps what it writes. */
export const keepReads = (answers: KeptAnswers) =>
  createMiddleware<AppEnv>(async (c, next) => {
    if (!c.get('rules').isKept || c.req.method !== 'GET' || c.get('dependsOnMore')) return next()
    const request = `GET ${pathAndQuery(c.req.url)}`
    const kept = answers.find(request, parseMinBlock(c.req.header('X-Min-Block')))
    if (kept)
      return isNamed(kept.headers.ETag, c.req.header('If-None-Match')) ? unchanged(c, kept) : whole(c, kept)
    c.set('keep', answers.begin(request))
    return next()
  })

const whole = (c: Context<AppEnv>, { body, headers }: KeptAnswer) => c.body(body, 200, headers)

/** Without the header that describes the body. */
function unchanged(c: Context<AppEnv>, { headers: { 'Content-Type': _, ...headers } }: KeptAnswer) {
  return c.body(null, 304, headers)
}

/** The part of a URL after its host. */
export const pathAndQuery = (url: string): string => url.slice(url.indexOf('/', url.indexOf('//') + 2))
