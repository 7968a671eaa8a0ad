/**
 * One statement per read through a Hono handler that does nothing else: the least that a server over this database can
 * do.
 */
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import pg from 'pg'
import { statements } from '../workloads/statements.ts'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: Number(process.env.POOL) })
const app = new Hono()
app.get('/health', (c) => c.json({ status: 'ok' }))
for (const [name, text] of Object.entries(statements)) {
  app.get(`/${name}`, async (c) => {
    const { rows } = await pool.query({ name, text, values: c.req.queries('p') ?? [] })
    return c.body(rows[0]?.json ?? 'null', 200, { 'content-type': 'application/json' })
  })
}
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(process.env.PORT) })
