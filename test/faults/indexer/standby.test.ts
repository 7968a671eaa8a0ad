/** Two services of one version on one host: one writes, the other takes over when the first ends. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createIndexedDatabase, type IndexedDatabase, until } from '../../support/indexer.ts'
import { startWorld } from '../../support/protocol.ts'
import { catchUp } from './progress.ts'
import { type Supervised, supervise } from './supervised.ts'

let world: Awaited<ReturnType<typeof startWorld>>
let database: IndexedDatabase
let first: Supervised
let second: Supervised
beforeAll(async () => {
  world = await startWorld()
  database = await createIndexedDatabase(world)
  first = await supervise(world, database.urls.indexer)
  await catchUp(world, database.pool)
  second = await supervise(world, database.urls.indexer)
})
afterAll(async () => {
  await Promise.all([first?.stop(), second?.stop()])
  await database?.remove()
  await world?.stop()
})

const runs = ({ log }: Supervised) => log.filter(({ msg }) => msg === 'Ponder runs').length
const lockHolder = `select pid from pg_locks where locktype = 'advisory' and granted and objsubid = 1
  and database = (select oid from pg_database where datname = current_database())`

describe('a second service of the same version', () => {
  it('waits as a standby, logs it, and starts no Ponder', async () => {
    await second.logged(({ alarm }) => alarm === 'STANDBY')
    expect([runs(first), runs(second)]).toEqual([1, 0])
  })

  it('takes over when the connection that holds the lock ends, and the first stops its Ponder at once', async () => {
    const { rows } = await database.pool.query(lockHolder)
    expect(rows).toHaveLength(1)
    await database.pool.query('select pg_terminate_backend($1)', [rows[0].pid])
    const { reason } = await first.logged(({ alarm }) => alarm === 'RESTART')
    expect(reason).toBe('ended by SIGKILL')
    await second.logged(({ msg }) => msg === 'Ponder runs')
    await first.logged(({ alarm }) => alarm === 'STANDBY')
    await catchUp(world, database.pool)
  })

  it('hands over to the standby when it is stopped gracefully', async () => {
    await second.stop()
    await until(async () => runs(first) === 2)
    await catchUp(world, database.pool)
  })
})
