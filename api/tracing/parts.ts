/** The parts of a request that are spans of their own: statements and requests to nodes. */
import type pg from 'pg'
import type { Tracing } from './tracing.ts'

/** Makes a span of each statement over the connections of the pool, by verb and table, without parameters. */
export function traceStatements(pool: pg.Pool, { part }: Tracing): void {
  pool.on('connect', (client) => {
    client.query = new Proxy(client.query, {
      apply: (query, self, args) => {
        const name = statementName(textOf(args[0]))
        const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': name }
        return part(name, attributes, () => Reflect.apply(query, self, args))
      },
    })
  })
}

/** Makes a span of each request to a node, by its method. */
export function tracedCalls({ part }: Tracing) {
  return <T>(method: string, call: () => Promise<T>): Promise<T> =>
    part(method, { 'rpc.system.name': 'jsonrpc', 'rpc.method': method }, call)
}

function textOf(statement: unknown): string {
  if (typeof statement === 'string') return statement
  const isConfig = typeof statement === 'object' && statement !== null && 'text' in statement
  return isConfig && typeof statement.text === 'string' ? statement.text : ''
}

const VERB = /^(?:\s|\/\*.*?\*\/)*(\w+)/
const TABLE = /\b(?:from|into|update)\s+"?(\w+)"?\."?(\w+)"?/i

/** Returns the verb of a statement and its first table, like `select projection.claim`: never a value. */
export function statementName(text: string): string {
  const verb = VERB.exec(text)?.[1]?.toLowerCase() ?? 'statement'
  const [, schema, table] = TABLE.exec(text) ?? []
  return table === undefined ? verb : `${verb} ${schema}.${table}`
}
