/** A chain of one's own: every test file that needs one starts its own anvil on a free port. */
import { createServer } from 'node:net'
import { join } from 'node:path'
import { type CreateAnvilOptions, createAnvil } from '@viem/anvil'
import { createTestClient, http, publicActions, walletActions } from 'viem'
import { foundry } from 'viem/chains'

/** Options that anvil knows and the wrapper passes on, but does not list in its type. */
type AnvilOptions = CreateAnvilOptions & { slotsInAnEpoch?: number; mixedMining?: boolean }

const anvilBinary = join(import.meta.dirname, '../../node_modules/.bin/anvil')

/**
 * Starts an anvil that finalizes a block as soon as two more follow it, and stops by `stop()`.
 * The client can do everything: read, send as any unlocked account, and move the chain.
 */
export async function startAnvil(options: AnvilOptions = {}) {
  const port = await freePort()
  const complete: AnvilOptions = { anvilBinary, port, slotsInAnEpoch: 1, startTimeout: 300_000, ...options }
  const anvil = createAnvil(complete)
  await anvil.start()
  const rpcUrl = `http://127.0.0.1:${port}`
  return { rpcUrl, client: createChainClient(rpcUrl), stop: () => anvil.stop() }
}

/** A client for a local chain, with polling fit for tests. */
export function createChainClient(rpcUrl: string) {
  return createTestClient({
    mode: 'anvil',
    chain: foundry,
    transport: http(rpcUrl, { retryCount: 0, timeout: 300_000 }),
    pollingInterval: 20,
    cacheTime: 0,
  })
    .extend(publicActions)
    .extend(walletActions)
}

export type ChainClient = ReturnType<typeof createChainClient>

/** A port that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address ? address.port : 0
      server.close(() => resolve(port))
    })
  })
}
