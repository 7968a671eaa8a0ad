/** Tokens whose metadata is hostile: listed, projected and answered in every interface, the same each time. */
import type { Address, Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../graphql/client.ts'
import { createIndexedDatabase, finalizeAndProject, type IndexedDatabase } from '../support/indexer.ts'
import { startWorld } from '../support/protocol.ts'
import { bytes, bytes32, deployRawToken, text, word } from '../support/raw-token.ts'
import { setTokenListed } from '../support/scenario.ts'

const CASES: readonly [title: string, answer: Hex, shown: string][] = [
  ['bytes32', bytes32('MKR'), 'MKR'],
  ['nothing, or a failure', '0x', ''],
  ['an answer that is too short', '0x12', ''],
  ['a text of 500 characters', text('x'.repeat(500)), 'x'.repeat(64)],
  ['a text that takes more gas than a getter has', text('x'.repeat(2000)), ''],
  ['a length that overflows', `${word(32n)}${word(2n ** 256n - 1n).slice(2)}`, ''],
  ['control characters', text('A\u0001\n\t\u001b[31m\u007f'), 'A\u0001\n\t\u001b[31m\u007f'],
  ['a zero byte', text('USD\u0000; drop table token'), 'USD'],
  ['quotes and markup', text(`"';</script><img src=x>{"a":1}`), `"';</script><img src=x>{"a":1}`],
  ['letters that change the direction', text('\u202eDSU\u2066'), '\u202eDSU\u2066'],
  ['bytes that are not UTF-8', bytes('0xff41c328fe'), '\ufffdA\ufffd(\ufffd'],
  ['a letter that is cut at 64 bytes', text(`${'x'.repeat(63)}₮`), 'x'.repeat(63)],
  ['half of a surrogate pair', bytes('0xeda0bd41'), '\ufffd\ufffd\ufffdA'],
]

let world: Awaited<ReturnType<typeof startWorld>>
let database: IndexedDatabase
let client: ReturnType<typeof createClient>
const tokens: Address[] = []

beforeAll(async () => {
  world = await startWorld()
  for (const [, answer] of CASES) {
    const token = await deployRawToken(world, { symbol: answer, name: answer, decimals: word(36n) })
    await setTokenListed(world, { token, listed: true })
    tokens.push(token)
  }
  database = await createIndexedDatabase(world)
  await (await database.start()).ready()
  await finalizeAndProject(world, database.pool)
  client = createClient(database.url, 3, world.rpcUrl)
})
afterAll(async () => {
  await client?.stop()
  await database?.remove()
  await world?.stop()
})

describe('a token that answers', () => {
  it.each(CASES.map(([title, , shown], index) => [title, index, shown] as const))(
    '%s is shown with a bounded text',
    async (_, index, shown) => {
      const address = tokens[index]?.toLowerCase()
      const query = `{ token(address: "${address}") { symbol name decimals } tokens(first: 50) { nodes { address symbol name } } }`
      const { data, errors } = await client.ask(query)
      expect(errors).toBeUndefined()
      expect(data.token).toEqual({ symbol: shown, name: shown, decimals: 36 })
      expect(data.tokens.nodes).toContainEqual({ address, symbol: shown, name: shown })
    },
  )

  it('anything is a cell of an export, and a row of it', async () => {
    const response = await client.app.request('/api/v1/exports/tokens.csv')
    expect(response.status).toBe(200)
    const csv = await response.text()
    for (const token of tokens) expect(csv).toContain(token.toLowerCase())
    expect(csv).not.toContain('\u0000')
  })
})
