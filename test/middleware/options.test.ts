import { expect, it } from 'vitest'
import { bodyLimit } from '../../api/limits/body-limit.ts'
import { rateLimitHeaders } from '../../api/limits/rate-limit.ts'

it.each([0, -1, 1.5, Number.NaN])('middleware refuses a limit of %d', (value) => {
  expect(() => bodyLimit(value)).toThrow(`maxSize is ${value}; it must be an integer of at least 1.`)
  expect(() => rateLimitHeaders({ rateLimitWindowSeconds: value })).toThrow(RangeError)
})
