/** This version finds the rows that the version before stored. */
import { Kysely, PostgresDialect, sql } from 'kysely'
import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPool } from '../../api/projection/session/database.ts'
import { createStore } from '../../api/store/database.ts'
import * as routeIntent from '../../api/store/migrations/0003-route-intent.ts'
import * as intentAnswer from '../../api/store/migrations/0004-intent-answer.ts'
import * as preparedAnswer from '../../api/store/migrations/0006-prepared-answer.ts'
import * as preparedUses from '../../api/store/migrations/0007-prepared-uses.ts'
import * as preparedLegs from '../../api/store/migrations/0008-prepared-legs.ts'
import { findPreparedAnswer, findPreparedExecution } from '../../api/store/prepared-executions.ts'
import { readPreparedLegs } from '../../api/store/prepared-legs.ts'
import { consumeIntent } from '../../api/store/route-intents.ts'
import { rejection } from '../support/coded.ts'
import { createDatabase } from '../support/postgres.ts'

const [routeId, executionId, user] = [
  `0x${'1a'.repeat(32)}`,
  `0x${'2b'.repeat(32)}`,
  `0x${'3c'.repeat(20)}`,
] as const
const unanswered = `0x${'4d'.repeat(32)}` as const
const request = JSON.stringify({
  targetAdvance: '1',
  maxTotalFace: null,
  maxTotalCost: null,
  routeDeadlineSeconds: 60,
})
const now = new Date('2026-01-01T00:00:00Z')
const deadline = new Date('2026-01-01T00:05:00Z')

let database: Awaited<ReturnType<typeof createDatabase>>
let pool: ReturnType<typeof createPool>
beforeAll(async () => {
  database = await createDatabase()
  pool = createPool(database.url, 2)
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

it('an answer stays with its route, and an execution stays known, wherever answers move to', async () => {
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  await sql`create schema if not exists gateway`.execute(db)
  await routeIntent.up(db)
  await sql`
    insert into gateway.route_intent values
      (${routeId}, ${user}, 'CONSUMED', 1, ${request}, '[]', ${now}, ${deadline}, ${deadline}, ${now}, 'a-key', null),
      (${unanswered}, ${user}, 'CONSUMED', 1, ${request}, '[]', ${now}, ${deadline}, ${deadline}, ${now}, 'a-key', null)`.execute(
    db,
  )
  await sql`
    insert into gateway.prepared_execution values
      (${executionId}, ${routeId}, ${user}, ${now}, ${deadline}, '{"its":"answer"}'),
      ('0x04', null, ${user}, ${now}, ${deadline}, 'of a direct financing')`.execute(db)
  await intentAnswer.up(db)
  await preparedAnswer.up(db)
  await preparedUses.up(db)
  await preparedLegs.up(db)
  const store = createStore(pool)
  const repeated = { routeId, user, idempotencyKey: 'a-key' }
  expect(await findPreparedAnswer(store, repeated, now)).toBe('{"its":"answer"}')
  expect(await findPreparedAnswer(store, repeated, deadline)).toBeUndefined()
  expect(await findPreparedExecution(store, { executionId, user })).toMatchObject({
    routeId,
    deadline,
    nonce: null,
  })
  expect(await findPreparedExecution(store, { executionId: '0x04', user })).toMatchObject({ routeId: null })
  expect(await readPreparedLegs(store, user, now)).toEqual([])
  // Answered, so no request resumes it; the other was not, and its key does.
  const consume = (id: Hex) => consumeIntent(store, { routeId: id, user, idempotencyKey: 'a-key' }, now)
  expect(await rejection(consume(routeId))).toBe('ROUTE_INTENT_UNAVAILABLE')
  expect(await consume(unanswered)).toMatchObject({ status: 'CONSUMED', request: { claimIds: undefined } })
})
