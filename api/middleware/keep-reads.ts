/** Kept answers of REST. */
import { sendTagged } from './conditional.ts'
import type { KeptAnswers } from './kept-answers.ts'
import { parseMinBlock } from './min-block.ts'
import type { Step } from './steps.ts'

/** Answers reads that declare `isKept` from the kept answers. `answer` in api/rest keeps what it writes. */
export const keepReads =
  (answers: KeptAnswers): Step =>
  (c) => {
    if (!c.get('rules').isKept || c.req.method !== 'GET' || c.get('dependsOnMore')) return
    const request = `GET ${pathAndQuery(c.req.url)}`
    const kept = answers.find(request, parseMinBlock(c.req.header('X-Min-Block')))
    if (kept) return sendTagged(c, kept.body, kept.headers)
    c.set('keep', answers.begin(request))
  }

/** The part of a URL after its host. */
export const pathAndQuery = (url: string): string => url.slice(url.indexOf('/', url.indexOf('//') + 2))
