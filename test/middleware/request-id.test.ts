import { expect, it } from 'vitest'
import { startChain } from '../../api/http/define-middleware.ts'
import { requestId } from '../../api/http/request-id.ts'

const app = startChain().use(requestId()).createApp()
app.get('/', (c) => c.text(c.get('requestId')))

/** The id that the handler has, and that of the header of the answer. */
async function idsOf(own?: string): Promise<[string, string | null]> {
  const answer = await app.request('/', { headers: own === undefined ? {} : { 'X-Request-Id': own } })
  return [await answer.text(), answer.headers.get('X-Request-Id')]
}

it.each(['a', 'A-z_09=', 'x'.repeat(255)])(
  'the request id of the caller is that of the answer: %s',
  async (own) => {
    expect(await idsOf(own)).toEqual([own, own])
  },
)

it.each(['', 'x'.repeat(256), 'a b', 'a.b', 'a/b', 'ä', 'a\tb'])(
  'another one is made in place of %j',
  async (own) => {
    const [id, answered] = await idsOf(own)
    expect(id).toMatch(/^[\w-]{36}$/)
    expect([id === own, answered]).toEqual([false, id])
  },
)

it('each request without an id has one of its own', async () => {
  const ids = await Promise.all([idsOf(), idsOf(), idsOf()])
  expect(new Set(ids.flat()).size).toBe(3)
})

it('the answer of a path without a route has an id too', async () => {
  const answer = await app.request('/nothing', { headers: { 'X-Request-Id': 'mine' } })
  expect([answer.status, answer.headers.get('X-Request-Id')]).toEqual([404, 'mine'])
})
