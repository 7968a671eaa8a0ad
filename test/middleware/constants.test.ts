/** Answers that read nothing, and are kept: what of them is sent, and counts as unread. */
import { Hono } from 'hono'
import { expect, it } from 'vitest'
import { createConstants, sendConstant } from '../../api/graphql/serve/constants.ts'
import type { AppEnv } from '../../api/http/env.ts'

const counted: number[] = []
const constants = createConstants()
const app = new Hono<AppEnv>()
  .use(async (c, next) => {
    c.set('requireRead', (bytes = 0) => void counted.push(bytes))
    await next()
  })
  .get('/:size', (c) => {
    const text = 'x'.repeat(Number(c.req.param('size')))
    return sendConstant(c, constants.keep(c.req.path, { text, headers: {}, operation: '' }))
  })

it.each([
  [1023, 'gzip', null],
  [1024, 'gzip', 'gzip'],
  [1024, 'identity', null],
])(
  'an answer of %i bytes to a client that accepts %s counts as what is sent',
  async (size, accepted, encoding) => {
    const response = await app.request(`/${size}`, { headers: { 'Accept-Encoding': accepted } })
    expect(response.headers.get('Content-Encoding')).toBe(encoding)
    const { byteLength } = await response.arrayBuffer()
    expect(byteLength < size).toBe(encoding !== null)
    expect(counted.splice(0)).toEqual([byteLength])
  },
)
