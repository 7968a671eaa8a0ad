/** Reads over streaming replicas of real Postgres servers that lag, stop and hang. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type DurablePostgres, startDurablePostgres } from '../../support/durable-postgres.ts'
import { untilProjected } from '../../support/indexer.ts'
import { type Replica, startReplicaWorld } from '../../support/replica.ts'
import * as act from '../../support/scenario.ts'
import { catchUp } from '../indexer/progress.ts'
import { type Supervised, supervise } from '../indexer/supervised.ts'
import { type Standby, startStandby } from './standby-postgres.ts'

const TIMEOUT_MS = 5000
const LIST = '/api/v1/vaults'

let the: Awaited<ReturnType<typeof startReplicaWorld>>
let primary: DurablePostgres
let indexer: Supervised
let standbys: Standby[] = []
let gateway: Replica
beforeAll(async () => {
  the = await startReplicaWorld()
  await act.createFundedVault(the.world, { token: the.world.usd, capital: 1000n })
  primary = await startDurablePostgres()
  indexer = await supervise(the.world, primary.urls.indexer)
  await catchUp(the.world, primary.pool)
  standbys = [await startStandby(primary.server()), await startStandby(primary.server())]
  gateway = await the.start({
    databaseUrl: primary.urls.gateway,
    env: {
      READ_DATABASE_URLS: standbys.map(({ urlOf }) => urlOf(primary.urls.gateway)).join(),
      DATABASE_TIMEOUT_MS: `${TIMEOUT_MS}`,
      RATE_LIMIT_DEFAULT: '1000000',
      RATE_LIMIT_COST: '1000000000',
    },
  })
})
afterAll(async () => {
  await indexer?.stop()
  await Promise.all(standbys.map((standby) => standby.remove()))
  await the?.stop()
  await primary?.remove()
})

const answer = z.object({
  code: z.string().optional(),
  finalizedThrough: z.object({ blockNumber: z.number() }).optional(),
})

/** Each list has another limit: no kept answer is of use. */
let limit = 0
async function read(minBlock?: bigint, asOf = '') {
  limit = (limit % 200) + 1
  const headers = minBlock === undefined ? {} : { 'X-Min-Block': `${minBlock}` }
  const response = await gateway.request(`${LIST}?limit=${limit}${asOf}`, { headers })
  const { code, finalizedThrough } = answer.parse(await response.json())
  return { status: response.status, code, block: finalizedThrough && BigInt(finalizedThrough.blockNumber) }
}

/** Blocks that many reads name, in turn over all servers. */
const blocksOf = async (reads: number) => {
  const blocks = new Set<bigint | undefined>()
  for (let i = 0; i < reads; i++) blocks.add((await read()).block)
  return [...blocks].toSorted()
}

describe('a gateway with READ_DATABASE_URLS', () => {
  it('reads from the replicas in turn, each answer with its own block, and from the primary what they do not have', async () => {
    const early = (await read()).block
    await standbys[0]?.replay('pause')
    const late = await catchUp(the.world, primary.pool)
    await expect.poll(() => blocksOf(4)).toEqual([early, late])
    await standbys[1]?.replay('pause')
    const later = await catchUp(the.world, primary.pool)
    expect(await blocksOf(6)).toEqual([early, late])
    for (let i = 0; i < 6; i++) expect(await read(later)).toMatchObject({ status: 200, block: later })
    const asOf = `&asOfBlock=${later}`
    for (let i = 0; i < 6; i++)
      expect(await read(undefined, asOf)).toMatchObject({ status: 200, block: later })
    // More downloads than a replica has connections.
    const headers = { 'X-Min-Block': `${later}` }
    for (let i = 0; i < 30; i++) {
      const download = await gateway.request('/api/v1/exports/vaults.csv', { headers })
      expect([download.status, await download.text()]).toEqual([200, expect.stringContaining('address')])
    }
    for (const standby of standbys) await standby.replay('resume')
    await expect.poll(() => blocksOf(6)).toEqual([later])
  })

  it('keeps no answer of a replica that lags', async () => {
    const early = (await read()).block ?? 0n
    const readSame = async () => answer.parse(await (await gateway.request(`${LIST}?limit=200`)).json())
    for (const standby of standbys) await standby.replay('pause')
    const late = await catchUp(the.world, primary.pool)
    expect(await read(late)).toMatchObject({ block: late })
    for (let i = 0; i < 4; i++) expect((await readSame()).finalizedThrough?.blockNumber).toBe(Number(early))
    for (const standby of standbys) await standby.replay('resume')
    await expect.poll(async () => BigInt((await readSame()).finalizedThrough?.blockNumber ?? 0)).toBe(late)
  })

  it.each([
    ['stops', (standby: Standby) => standby.stop(), (standby: Standby) => standby.start()],
    ['hangs', (standby: Standby) => standby.freeze(), (standby: Standby) => standby.thaw()],
  ])('answers every read while a replica %s, and uses it again afterwards', async (_, fail, mend) => {
    const [first, second] = standbys
    if (!first || !second) throw new Error('there are two replicas')
    await fail(first)
    for (let i = 0; i < 12; i++) expect(await read()).toMatchObject({ status: 200 })
    await mend(first)
    // Only this one of the two is at the earlier block now.
    await first.replay('pause')
    const early = (await read()).block
    const late = await catchUp(the.world, primary.pool)
    await expect.poll(() => blocksOf(4)).toEqual([early, late])
    await first.replay('resume')
    await expect.poll(() => blocksOf(4)).toEqual([late])
  })

  it('reads from the primary while no replica answers', async () => {
    for (const standby of standbys) await standby.freeze()
    for (let i = 0; i < 3; i++) expect(await read()).toMatchObject({ status: 200 })
    for (const standby of standbys) await standby.thaw()
    await untilProjected(primary.pool, (await read()).block ?? 0n)
  })
})
