/** Connections of the indexer that are lost at a COMMIT, and a long outage of the database. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readTables } from '../../indexer/truth/tables.ts'
import { type DurablePostgres, startDurablePostgres } from '../../support/durable-postgres.ts'
import { startWorld } from '../../support/protocol.ts'
import * as act from '../../support/scenario.ts'
import { startCommitLine } from './commit-line.ts'
import { catchUp, hasReached } from './progress.ts'
import { undisturbed } from './reference.ts'
import { type Supervised, supervise } from './supervised.ts'

const RESTARTED = ({ alarm }: { alarm?: string | undefined }) => alarm === 'RESTART'

describe('a supervised indexer', () => {
  let world: Awaited<ReturnType<typeof startWorld>>
  let postgres: DurablePostgres
  let line: Awaited<ReturnType<typeof startCommitLine>>
  let indexer: Supervised
  let vault: Awaited<ReturnType<typeof act.createFundedVault>>

  beforeAll(async () => {
    ;[world, postgres] = await Promise.all([startWorld(), startDurablePostgres()])
    vault = await act.createFundedVault(world, { token: world.usd, capital: 1000n })
    line = await startCommitLine(new URL(postgres.urls.indexer))
    indexer = await supervise(world, line.url)
    await catchUp(world, postgres.pool)
  })
  afterAll(async () => {
    await indexer?.stop()
    line?.stop()
    await postgres?.remove()
    await world?.stop()
  })

  const deposit = () => act.deposit(world, { provider: world.parties.provider, vault, assets: 1036n })
  const readCheckpoint = async () => {
    const { rows } = await postgres.pool.query('select latest_checkpoint from projection._ponder_checkpoint')
    return rows[0].latest_checkpoint
  }
  const idleAssets = async () => {
    const { rows } = await postgres.pool.query('select idle_assets from projection.vault')
    return rows.map((row) => row.idle_assets)
  }

  it.each(['before', 'after'] as const)(
    'counts a deposit once when the connection ends %s its COMMIT',
    async (where) => {
      const [from, [before]] = [indexer.log.length, await idleAssets()]
      const cut = line.cutNext(where)
      await deposit()
      await world.chain.mine({ blocks: 2 })
      await cut
      await deposit()
      await catchUp(world, postgres.pool)
      expect(await idleAssets()).toEqual([String(Number(before) + 2 * 1036)])
      expect(indexer.log.slice(from).filter(RESTARTED)).toHaveLength(1)
    },
  )

  it('continues after an outage of the database that outlasts several starts', async () => {
    const [from, [before]] = [indexer.log.length, await idleAssets()]
    await postgres.stop()
    await deposit()
    await expect.poll(() => indexer.log.slice(from).filter(RESTARTED).length).toBeGreaterThan(1)
    await postgres.start()
    await catchUp(world, postgres.pool)
    expect(await idleAssets()).toEqual([String(Number(before) + 1036)])
  })

  it('continues from an earlier block to which the database was restored', async () => {
    const before = await readCheckpoint()
    await world.chain.mine({ blocks: 3 })
    await catchUp(world, postgres.pool)
    const from = indexer.log.length
    const { schema } = await indexer.logged(({ msg }) => msg === 'Ponder runs')
    // No event lies between the two blocks, so the rows are those of both.
    await postgres.pool.query(
      `update "${schema}"._ponder_checkpoint set latest_checkpoint = $1, safe_checkpoint = $1, finalized_checkpoint = $1`,
      [before],
    )
    await deposit()
    await catchUp(world, postgres.pool)
    const { reason } = await indexer.logged(RESTARTED, from)
    expect(reason).toContain(`The database is not at checkpoint`)
  })

  it('loses no row and no block when the database crashes right after one', async () => {
    await deposit()
    const reached = await catchUp(world, postgres.pool)
    await postgres.crash()
    await postgres.start()
    expect(await hasReached(postgres.pool, reached)).toBe(true)
    await deposit()
    await catchUp(world, postgres.pool)
    expect(await readTables(postgres.pool)).toEqual((await undisturbed(world)).tables)
  })
})
