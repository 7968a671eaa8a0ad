/** Postgres, a chain with the protocol, the data, and every server over them. */
import { startDeployedChain } from '../deployed-chain.ts'
import { startPostgres } from '../indexer/postgres.ts'
import { postmasterOf } from '../processes.ts'
import { makeData } from './data.ts'
import type { Peer } from './read.ts'
import type { Server } from './servers/server.ts'
import {
  type Place,
  startOurs,
  startPonder,
  startPostgraphile,
  startSql,
  startUncached,
} from './servers/start.ts'

/** For making the data: it is written once, and vacuumed then. */
const SETTINGS = ['max_wal_size=8GB', 'autovacuum=off']

export type Servers = Readonly<Record<Peer, Server>>
export type World = Awaited<ReturnType<typeof startWorld>>

/** @param claims rows of each database that is made */
export async function startWorld(claims: readonly number[]) {
  const postgres = await startPostgres(SETTINGS)
  const chain = await startDeployedChain()
  const started: Server[] = []
  const stop = async () => {
    await Promise.all(started.map((server) => server.stop()))
    await chain.stop()
    await postgres.stop()
  }
  const place = async (count: number, number: number): Promise<Place> => {
    const urls = await postgres.database(`peers_${number}`)
    await makeData(urls.indexer, count)
    return { urls, chain }
  }
  try {
    const places: Place[] = []
    for (const [number, count] of claims.entries()) places.push(await place(count, number))
    return {
      places,
      postmaster: await postmasterOf(places[0]?.urls.indexer ?? ''),
      /** Keeps the server until the world stops. */
      keep: async (server: Promise<Server>) => {
        started.push(await server)
        return server
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

export async function startServers({ keep }: World, place: Place): Promise<Servers> {
  const [ours, kept] = [await keep(startUncached(place)), await keep(startOurs(place))]
  const postgraphile = await keep(startPostgraphile(place))
  const ponder = await keep(startPonder(place))
  return { ours, kept, postgraphile, ponder, sql: await keep(startSql(place)) }
}
