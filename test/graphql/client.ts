/** The gateway over the shared world, asked as a client of GraphQL asks it, with its SQL statements counted. */
import type pg from 'pg'
import { GRAPHQL_PATH } from '../../api/graphql/serve/endpoint.ts'
import { createPool, createProjectionDb } from '../../api/projection/session/database.ts'
import { connectPipelines } from '../../api/projection/session/pipeline.ts'
import { createStore } from '../../api/store/database.ts'
import { createGateway } from '../support/gateway.ts'
import { sharedWorld } from '../support/world.ts'

// biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the query of the test asked for
export type Answer = { data?: any; errors?: any[]; extensions?: any }

type Call = { text: string; values: readonly unknown[]; isPrepared: boolean }

/** A statement is a text with values, or an object that has both. */
function toCall(statement: unknown, values?: unknown): Call {
  if (typeof statement !== 'object' || statement === null || !('text' in statement))
    return { text: String(statement), values: Array.isArray(values) ? values : [], isPrepared: false }
  const call = toCall(statement.text, 'values' in statement ? statement.values : undefined)
  return { ...call, isPrepared: 'name' in statement && statement.name !== undefined }
}

/** No machine is so busy that a statement takes longer: each is counted, so none may be repeated. */
const LONG_MS = 600_000

export function createClient(
  databaseUrl: string,
  poolSize = 3,
  rpcUrl = sharedWorld().rpcUrl,
  create = createGateway,
) {
  const pool = createPool(databaseUrl, poolSize)
  pool.on('error', () => {})
  const calls: Call[] = []
  const pipeline = connectPipelines(databaseUrl, LONG_MS, { statementMs: LONG_MS, answerMs: LONG_MS })
  const recordCalls = (client: pg.ClientBase) => {
    const query = client.query.bind(client)
    Object.assign(client, {
      query: (...args: Parameters<typeof query>) => {
        calls.push(toCall(args[0], args[1]))
        return query(...args)
      },
    })
  }
  pool.on('connect', recordCalls)
  for (const each of pipeline.pools) each.on('connect', recordCalls)
  const stop = async () => {
    await Promise.all([pool.end(), pipeline.close()])
  }
  // Nothing here reads or writes the store, so it needs no schema.
  const app = create(
    { store: createStore(pool), pool, url: databaseUrl, stop },
    { db: createProjectionDb(pool), pipeline, rpcUrl },
  )
  return {
    app,
    pool,
    stop,
    /** Statements since the last call of this. */
    takeStatements: () => calls.splice(0).map(({ text }) => text),
    /** Statements with their parameters since the last call of this or of `takeStatements`. */
    takeCalls: () => calls.splice(0),
    ask: async (query: string, variables?: Record<string, unknown>): Promise<Answer> => {
      const response = await app.request(GRAPHQL_PATH, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify({ query, variables }),
      })
      return response.json()
    },
  }
}
