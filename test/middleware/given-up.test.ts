/** An error is no failure if its client has left: it is neither logged nor counted. Any other error is both. */
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { CodedError, chainUnavailable, toCodedError } from '../../api/errors.ts'
import { startChain } from '../../api/http/define-middleware.ts'
import { requestLog } from '../../api/http/log.ts'
import { onError } from '../../api/http/problem.ts'
import { requestId } from '../../api/http/request-id.ts'
import { routeRules } from '../../api/http/route-rules.ts'
import { createMetrics } from '../../api/metrics/metrics.ts'

const REASON = new DOMException('the client left', 'AbortError')

/** Answers a request whose handler throws. @returns levels of the log above that of a request, and codes counted */
async function reportOf(thrown: Error, hasLeft: boolean) {
  const lines: string[] = []
  const metrics = createMetrics([])
  const app = startChain()
    .use(requestId())
    .use(routeRules(new Map([['GET /a', { access: 'public', limit: 'none' }]])))
    .use(requestLog(pino({}, { write: (line) => void lines.push(line) }), Date.now, metrics))
    .createApp()
  const leaving = new AbortController()
  app.get('/a', () => {
    if (hasLeft) leaving.abort(REASON)
    throw thrown
  })
  app.onError(onError)
  await app.request('/a', { signal: leaving.signal })
  const levels = lines.map((line) => Number(JSON.parse(line).level)).filter((level) => level > 30)
  const counted = (await metrics.registry.getSingleMetricAsString('gateway_errors_total')).match(
    /code="\w+"/g,
  )
  return { levels, counted: counted ?? [] }
}

const withCode = (code: string, message = 'of Postgres') => Object.assign(new Error(message), { code })
const withReason = () => Object.assign(new Error('Unexpected error value'), { thrownValue: REASON })

const OF_LEAVING: [title: string, thrown: () => Error, level: number][] = [
  ['the reason of its signal', () => REASON, 50],
  ['the reason of its signal, as GraphQL throws it', withReason, 50],
  ['a statement that was cancelled', () => withCode('57014'), 40],
  ['a statement that was cancelled, with a code', () => toCodedError(withCode('57014')), 40],
  ['an abort', () => new DOMException('aborted by another signal', 'AbortError'), 50],
  ['an upload that breaks off', () => withCode('ECONNRESET', 'aborted'), 40],
]

it.each(OF_LEAVING)('%s is reported only while its client is there', async (_, toThrown, level) => {
  const { code } = toCodedError(toThrown())
  expect(await reportOf(toThrown(), false)).toEqual({ levels: [level], counted: [`code="${code}"`] })
  expect(await reportOf(toThrown(), true)).toEqual({ levels: [], counted: [] })
})

const OF_OURS: [title: string, thrown: () => Error, level: number][] = [
  ['a bug', () => new TypeError('x is not a function'), 50],
  ['a connection to the database that was lost', () => withCode('ECONNRESET', 'read ECONNRESET'), 40],
  ['a statement of ours that is wrong', () => withCode('42601'), 50],
  ['an outage of the chain', () => chainUnavailable('No node answers.', new Error('refused')), 40],
  ['an error of the client', () => new CodedError('CLAIM_NOT_FOUND', 'No such claim.'), 0],
]

it.each(OF_OURS)('%s is reported, whether its client is there or has left', async (_, toThrown, level) => {
  const expected = { levels: level > 0 ? [level] : [], counted: [`code="${toCodedError(toThrown()).code}"`] }
  for (const hasLeft of [false, true]) expect(await reportOf(toThrown(), hasLeft)).toEqual(expected)
})
