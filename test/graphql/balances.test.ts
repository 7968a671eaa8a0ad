/**
 * Reads of the chain for an answer: at the answer's block, in one request, and without a database connection that waits
 * for them.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { GRAPHQL_PATH } from '../../api/graphql/serve/endpoint.ts'
import { startProxy } from '../support/proxy.ts'
import { sharedWorld } from '../support/world.ts'
import { createClient } from './client.ts'

const world = sharedWorld()
const wallets = world.accounts.slice(0, 8).map(({ address }) => address)
const BALANCES = 'balances { token symbol name decimals balance }'

type Account = { beneficiary: { address: string; balances: unknown } }

let chain: Awaited<ReturnType<typeof startProxy>>
let client: ReturnType<typeof createClient>
beforeAll(async () => {
  chain = await startProxy(new URL(world.rpcUrl))
  client = createClient(world.databaseUrl, 1, chain.url)
})
afterAll(async () => {
  await client.stop()
  chain.stop()
})

describe('the balances of accounts', () => {
  it('are what REST answers for each', async () => {
    for (const wallet of wallets) {
      const { balances } = await (await client.app.request(`/api/v1/account/${wallet}`)).json()
      const { data } = await client.ask(`{ account(address: "${wallet}") { ${BALANCES} } }`)
      expect(data.account.balances).toEqual(balances)
    }
  })

  it('are those of the wallet they stand at, wherever in the answer', async () => {
    const { data, errors } = await client.ask(`{
      account(address: "${wallets[0]}") { ${BALANCES} claims(first: 3) { nodes { beneficiary { address ${BALANCES} } } } }
      claims(first: 40) { nodes { beneficiary { address ${BALANCES} } settlements(first: 1) { nodes { payer { address ${BALANCES} } } } } }
    }`)
    expect(errors).toBeUndefined()
    const seen = [
      ...data.account.claims.nodes.map((claim: { beneficiary: object }) => claim.beneficiary),
      ...data.claims.nodes.map((claim: { beneficiary: object }) => claim.beneficiary),
      ...data.claims.nodes.flatMap((claim: { settlements: { nodes: { payer: object }[] } }) =>
        claim.settlements.nodes.map(({ payer }) => payer),
      ),
    ]
    expect(seen.length).toBeGreaterThan(40)
    for (const { address, balances } of seen) {
      const alone = await client.ask(`{ account(address: "${address}") { ${BALANCES} } }`)
      expect(balances).toEqual(alone.data.account.balances)
    }
  })

  it('are those of each account, whatever the number of accounts that are read together', async () => {
    const numbers = new Set<number>()
    for (const first of [2, 3, 5, 8, 40]) {
      const { data } = await client.ask(
        `{ claims(first: ${first}) { nodes { beneficiary { address ${BALANCES} } } } }`,
      )
      const together = new Map<string, unknown>(
        data.claims.nodes.map(({ beneficiary: { address, balances } }: Account) => [address, balances]),
      )
      for (const [address, balances] of together) {
        const alone = await client.ask(`{ account(address: "${address}") { ${BALANCES} } }`)
        expect(balances).toEqual(alone.data.account.balances)
      }
      numbers.add(together.size)
    }
    expect(numbers).toContain(2)
    expect(numbers).toContain(3)
  })

  it('leave the only database connection to others while the chain takes its time', async () => {
    chain.hold()
    const slow = client.ask(`{ claims(first: 5) { nodes { beneficiary { ${BALANCES} } } } }`)
    await chain.held()
    const quick = await client.ask('{ claims(first: 1) { nodes { claimId } } }')
    expect(quick.data.claims.nodes).toHaveLength(1)
    chain.release()
    const { data, extensions } = await slow
    expect(data.claims.nodes[0].beneficiary.balances.length).toBeGreaterThan(0)
    expect(extensions.finalizedThrough).toEqual(quick.extensions.finalizedThrough)
  })

  it('of no account cause no read of the chain, which may be unavailable', async () => {
    chain.cut()
    const none = `claims(filter: { claimId: "0x${'0'.repeat(64)}" }) { nodes { beneficiary { ${BALANCES} } } }`
    const { data, errors } = await client.ask(`{ ${none} }`)
    chain.mend()
    expect(errors).toBeUndefined()
    expect(data.claims.nodes).toEqual([])
  })

  it('end a subscription that begins while the chain is unavailable', async () => {
    chain.cut()
    const response = await client.app.request(GRAPHQL_PATH, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'text/event-stream' },
      body: JSON.stringify({ query: `subscription { account(address: "${wallets[0]}") { ${BALANCES} } }` }),
    })
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    // A stream that goes on has a comment after its first event.
    while (!/event: complete|\}\n\n:\n\n/.test(text)) text += (await reader?.read())?.value ?? ''
    await reader?.cancel()
    chain.mend()
    expect(text).toContain('"code":"CHAIN_UNAVAILABLE"')
    expect(text).toContain('event: complete')
  })

  it('fail the operation with a coded error at their place while the chain is away', async () => {
    chain.cut()
    const { data, errors = [] } = await client.ask(
      `{ account(address: "${wallets[0]}") { address ${BALANCES} claims(first: 1) { totalCount } } }`,
    )
    chain.mend()
    expect(data).toBeNull()
    expect(errors).toMatchObject([
      { path: ['account', 'balances'], extensions: { code: 'CHAIN_UNAVAILABLE' } },
    ])
    expect(client.pool.idleCount).toBe(client.pool.totalCount)
  })
})
