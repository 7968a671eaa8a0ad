/** The URL of a node may hold a key, and the log of the indexer goes to places that must not have it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../support/anvil.ts'
import { createIndexedDatabase, type IndexedDatabase, until } from '../support/indexer.ts'
import { startWorld } from '../support/protocol.ts'
import { startNodeProxy } from './node-proxy.ts'

const PATH = '/v2/k3y-in-path?token=k3y-in-query'
const SECRET = /k3y-in-path|k3y-in-query/

let world: Awaited<ReturnType<typeof startWorld>>
let database: IndexedDatabase
beforeAll(async () => {
  world = await startWorld()
  database = await createIndexedDatabase(world)
})
afterAll(async () => {
  await database.remove()
  await world.stop()
})

/** Starts an indexer of these nodes, and reads its log until a line matches. @returns all lines until it has ended */
async function logUntil(rpcUrls: readonly string[], pattern: RegExp): Promise<string[]> {
  const lines: string[] = []
  const onLog = (line: string) => void lines.push(line)
  const indexer = await database.start({ rpcUrls, schema: 'indexer_of_secrets', soleWriter: false, onLog })
  await until(async () => lines.some((line) => pattern.test(line)))
  await indexer.kill()
  return lines
}

describe('the log of an indexer', () => {
  it('has no URL of a node that refuses connections', async () => {
    const lines = await logUntil([`http://127.0.0.1:${await freePort()}${PATH}`], /ECONNREFUSED/)
    expect(lines.filter((line) => SECRET.test(line))).toEqual([])
  })

  it('has no URL of a node that refuses its key and repeats it', async () => {
    const node = await startNodeProxy(() => ({ status: 401, body: `k3y-in-path is no key of ${PATH}` }))
    const lines = await logUntil([node.url + PATH], /"status":401|Status: 401/)
    await node.stop()
    expect(lines.filter((line) => SECRET.test(line))).toEqual([])
  })

  it('has no URL of a node of another chain, which ends the start', async () => {
    const node = await startNodeProxy(
      ({ method }) => (method === 'eth_chainId' ? { result: '0xa' } : undefined),
      world.rpcUrl,
    )
    const lines: string[] = []
    const onLog = (line: string) => void lines.push(line)
    const rpcUrls = [node.url + PATH]
    const indexer = await database.start({ rpcUrls, schema: 'indexer_of_secrets', soleWriter: false, onLog })
    const { code } = await indexer.exited
    await node.stop()
    expect(code).not.toBe(0)
    expect(lines.join('\n')).toMatch(/node 1 of 1 serves chain 10, not 31337/)
    expect(lines.filter((line) => SECRET.test(line))).toEqual([])
  })
})
