/** The GraphQL endpoint over the shared world, asked as a client asks it, with its SQL statements counted. */
import { Hono } from 'hono'
import { requestId } from 'hono/request-id'
import { pino } from 'pino'
import { createGraphql, GRAPHQL_PATH } from '../../api/graphql/yoga.ts'
import type { AppEnv } from '../../api/middleware/env.ts'
import { createPool, createProjectionDb } from '../../api/projection/database.ts'

// biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the query of the test asked for
export type Answer = { data?: any; errors?: any[]; extensions?: any }

export function createClient(databaseUrl: string, poolSize = 3) {
  const pool = createPool(databaseUrl, poolSize)
  const statements: string[] = []
  pool.on('connect', (client) => {
    const query = client.query.bind(client)
    Object.assign(client, {
      query: (...args: Parameters<typeof query>) => {
        statements.push(String(args[0]))
        return query(...args)
      },
    })
  })
  const app = mount(createGraphql({ db: createProjectionDb(pool) }))
  return {
    app,
    pool,
    /** Statements since the last call of this. */
    takeStatements: () => statements.splice(0),
    ask: async (query: string, variables?: Record<string, unknown>): Promise<Answer> => {
      const response = await app.request(GRAPHQL_PATH, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify({ query, variables }),
      })
      return response.json()
    },
    stop: () => pool.end(),
  }
}

/** As `api/app.ts` mounts it, with as little around it as it asks for. */
export function mount(yoga: ReturnType<typeof createGraphql>) {
  const app = new Hono<AppEnv>()
  app.use(requestId())
  app.use(async (c, next) => {
    c.set('log', pino({ level: 'silent' }))
    await next()
  })
  app.on(['GET', 'POST', 'OPTIONS'], GRAPHQL_PATH, (c) => yoga.fetch(c.req.raw, { c }))
  return app
}
