/** Real gateway processes over one database and one chain, as they run in production. */
import { join } from 'node:path'
import { loadManifest } from '../../deployments/manifest.ts'
import { type Child, startChild } from '../../devnet/child.ts'
import { GATEWAY_HEAP } from '../../devnet/gateway.ts'
import { freePort } from './anvil.ts'
import { writeTestManifest } from './indexer.ts'
import { INHERITED } from './inherited.ts'
import { TEST_LIMITS } from './limits.ts'
import { startWorld } from './protocol.ts'
import { type Requestable, TEST_SITE } from './sign-in.ts'
import { createTestStore } from './store.ts'

const SERVER = join(import.meta.dirname, '../../api/server.ts')

export type Replica = Requestable & { process: Child; isDead: boolean }

type Lines = {
  /** Default: any free one. */
  port?: number
  rpcUrl?: string
  databaseUrl?: string
  /** Limit of the old generation of the heap, MB. Default: that of production. */
  heapMb?: number
  /** Variables of the environment, over those of the test. */
  env?: Readonly<Record<string, string>>
}

/** A world and a database of one's own; `start` starts a gateway, by default straight at both. */
export async function startReplicaWorld() {
  const [world, store] = await Promise.all([startWorld(), createTestStore()])
  const manifest = await writeTestManifest(world, { typeHashes: loadManifest(world.chainId).typeHashes })
  const started: Child[] = []

  const start = async (lines: Lines = {}): Promise<Replica> => {
    const port = lines.port ?? (await freePort())
    const env = {
      ...INHERITED,
      NODE_ENV: 'production',
      PORT: `${port}`,
      DATABASE_URL: lines.databaseUrl ?? store.url,
      RPC_URLS: lines.rpcUrl ?? world.rpcUrl,
      CHAIN_ID: `${world.chainId}`,
      DEPLOYMENTS_DIR: manifest.folder,
      AUTH_SECRETS: 'one secret that all three replicas share',
      SITE_ORIGINS: TEST_SITE,
      RATE_LIMIT_PREPARE: '1000000',
      ...TEST_LIMITS,
      ...lines.env,
    }
    const child = startChild({
      name: 'a gateway',
      program: process.execPath,
      // The last of two equal options is valid.
      args: [...GATEWAY_HEAP, ...(lines.heapMb ? [`--max-old-space-size=${lines.heapMb}`] : []), SERVER],
      stopSignal: 'SIGTERM',
      spawn: { env },
    })
    started.push(child)
    await child.line(/listening/)
    return {
      process: child,
      isDead: false,
      request: (path, init) => fetch(`http://127.0.0.1:${port}${path}`, init),
    }
  }

  const stop = async () => {
    await Promise.all(started.map((child) => child.stop()))
    await Promise.all([world.stop(), store.stop(), manifest.remove()])
  }
  return { world, store, start, stop }
}

/** Ends a gateway as a crash of its machine does. */
export async function kill(replica: Replica): Promise<void> {
  replica.isDead = true
  process.kill(replica.process.pid, 'SIGKILL')
  await replica.process.exited
}
