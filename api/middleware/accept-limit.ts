import { createMiddleware } from 'hono/factory'
import { validationFailed } from '../errors.ts'
import type { AppEnv } from './env.ts'

/** A browser sends some 150 characters. */
const ACCEPT_LENGTH_MAX = 1000

/** Refuses a long `Accept`: GraphQL answers one that it cannot meet with headers that grow with it. */
export const acceptLimit = () =>
  createMiddleware<AppEnv>(async (c, next) => {
    const { length } = c.req.header('Accept') ?? ''
    if (length > ACCEPT_LENGTH_MAX) {
      const message = `has ${length} characters; the maximum is ${ACCEPT_LENGTH_MAX}`
      throw validationFailed([{ path: 'Accept', message }])
    }
    await next()
  })
