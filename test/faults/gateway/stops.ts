/** Two gateways that are stopped and started in turn while clients send requests. */
import { expect } from 'vitest'
import { seededRandom } from '../../../api/domain/random.ts'
import { freePort } from '../../support/anvil.ts'
import { diceOf } from '../../support/dice.ts'
import { startReplicaWorld } from '../../support/replica.ts'
import { startLoad, type Tally } from './load.ts'

const SEED = Number(process.env.FAULTS_SEED ?? 21)

/** `npm run test:stops` sets 100. */
export const STOPS = Number(process.env.FAULTS_STOPS ?? 2)

const CLIENTS = 50

/** Nothing here probes for readiness, so the lead time is as short as it can be. */
const LEAD_MS = 100

export async function startGateways() {
  const the = await startReplicaWorld()
  const ports = [await freePort(), await freePort()] as const
  const env = { DRAIN_LEAD_MS: `${LEAD_MS}`, RATE_LIMIT_DEFAULT: '1000000000' }
  const start = (port: number) => the.start({ port, env })
  const running = new Map(await Promise.all(ports.map(async (port) => [port, await start(port)] as const)))
  return {
    ports,
    /** Stops the gateway with SIGTERM, and starts it again on its port. @throws Error if it does not end with code 0 */
    restart: async (port: number) => {
      const exit = await running.get(port)?.process.stop()
      if (exit?.code !== 0) throw new Error(`a gateway ended with code ${exit?.code}`)
      running.set(port, await start(port))
    },
    stop: the.stop,
  }
}

export type Gateways = Awaited<ReturnType<typeof startGateways>>

/**
 * Stops one gateway after the other, the other one meanwhile running, under load on `urls`. Each stop begins when all
 * clients have their connections, however long that takes on a busy machine: the lead time is for those that are
 * opening one.
 */
export async function stopUnderLoad({ ports, restart }: Gateways, urls: readonly string[]): Promise<Tally> {
  const { tally, connected, stop } = startLoad(urls, CLIENTS, diceOf(seededRandom(SEED)))
  for (let stops = 0; stops < STOPS; stops++) {
    await expect.poll(connected).toBe(CLIENTS)
    await restart(ports[stops % 2 === 0 ? 0 : 1])
  }
  await stop()
  const { answers, announced, faults } = tally
  console.log(
    `${STOPS} stops, ${CLIENTS} clients: ${answers} answers, ${announced} ends announced, ${faults.length} faults`,
  )
  return tally
}
