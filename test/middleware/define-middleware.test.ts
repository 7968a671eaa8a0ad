import { describe, expect, it } from 'vitest'
import { defineMiddleware, startChain } from '../../api/http/define-middleware.ts'

const first = () => defineMiddleware<{ name: string }>((_, next) => next({ name: 'first' }))
const second = () =>
  defineMiddleware<{ length: number }, { name: string }>((c, next) => next({ length: c.get('name').length }))

describe('a chain of middleware', () => {
  it('gives handlers the variables of all of its middleware, in their order', async () => {
    const app = startChain().use(first()).use(second()).createApp()
    app.get('/', (c) => c.json([c.get('name'), c.get('length')]))
    expect(await (await app.request('/')).json()).toEqual(['first', 5])
  })

  it('runs no handler when a middleware does not continue', async () => {
    const closed = defineMiddleware(async (c) => c.text('closed', 403))
    const app = startChain().use(first()).use(closed).createApp()
    app.get('/', (c) => c.text(c.get('name')))
    const answer = await app.request('/')
    expect([answer.status, await answer.text()]).toEqual([403, 'closed'])
  })

  it('lets a middleware read the variables that it sets after it has continued', async () => {
    const counting = defineMiddleware<{ count: number }>(async (c, next) => {
      await next({ count: 1 })
      c.res.headers.set('Count', String(c.get('count')))
    })
    const app = startChain().use(counting).createApp()
    app.get('/', (c) => {
      c.set('count', c.get('count') + 1)
      return c.body(null)
    })
    expect((await app.request('/')).headers.get('Count')).toBe('2')
  })
})

describe('the compiler refuses', () => {
  it('a middleware that reads a variable which none before it sets', () => {
    // @ts-expect-error `name` is not set.
    startChain().use(second())
    // @ts-expect-error `name` is set later.
    startChain().use(second()).use(first())
  })

  it('a handler that reads a variable which no middleware sets', () => {
    const app = startChain().use(first()).createApp()
    // @ts-expect-error `length` is not set.
    app.get('/', (c) => c.json(c.get('length')))
  })

  it('a middleware that continues without a variable which it sets', () => {
    // @ts-expect-error `name` is missing.
    defineMiddleware<{ name: string }>((_, next) => next())
    // @ts-expect-error `name` is no number.
    defineMiddleware<{ name: string }>((_, next) => next({ name: 1 }))
  })
})
