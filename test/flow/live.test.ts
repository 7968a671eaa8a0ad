/**
 * A frontend that subscribes instead of polling: with the unmodified client of GraphQL over SSE, over a moving chain.
 */
import { once } from 'node:events'
import { createClient } from 'graphql-sse'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { CHANNEL } from '../../api/projection/session/watch.ts'
import { until } from '../support/indexer.ts'
import { type LiveWorld, startLiveWorld } from '../support/live-world.ts'
import * as act from '../support/scenario.ts'
import { bearer, signIn } from '../support/sign-in.ts'

const USD = 1_000_000n
const CONCURRENCY_LIMIT = 4

let the: LiveWorld
/** By how much the clock of the gateway is ahead, milliseconds. */
let ahead = 0
beforeAll(async () => {
  const env = { SUBSCRIPTIONS_PER_CLIENT: `${CONCURRENCY_LIMIT}` }
  the = await startLiveWorld(env, {}, () => Date.now() + ahead)
})
afterAll(() => the.stop())

// biome-ignore lint/suspicious/noExplicitAny: an event is whatever the subscription of the test asked for
type Event = { data?: any; errors?: readonly any[]; extensions?: any }

/**
 * Subscribes until `leave`, or the end of the test: a test that fails does not keep the subscriptions that one client
 * may have from those after it. `next` resolves with the next event, undefined when the stream is complete.
 */
function subscribe(query: string, variables: Record<string, unknown> = {}, client = the.sse) {
  const events = client.iterate<Event['data'], Event['extensions']>({ query, variables })
  const leave = async () => void (await events.return?.())
  onTestFinished(leave)
  return {
    next: async (): Promise<Event | undefined> => {
      const { done, value } = await events.next()
      return done ? undefined : value
    },
    leave,
  }
}

const CLAIM = `subscription ($id: Hash!) {
  claim(claimId: $id) { state financedFaceValue allocations { faceAmount } legs { execution { totalFace } } }
}`

/** A signed claim whose id is known before it is registered. */
async function announceClaim() {
  const { issuer, beneficiary } = the.world.parties
  const terms = { issuer, beneficiary: beneficiary.address, token: the.world.usd, faceValue: 1000n * USD }
  return act.registerClaim(the.world, terms)
}

async function finance(claimId: `0x${string}`, faceAmount: bigint) {
  const vault = await act.createFundedVault(the.world, { token: the.world.usd, capital: 5000n * USD })
  return act.executeFinancing(the.world, { user: the.world.parties.beneficiary, claimId, vault, faceAmount })
}

describe('the indexer', () => {
  it('notifies when it has projected a block, with or without events: that is what wakes subscriptions', async () => {
    const client = new pg.Client({ connectionString: the.databaseUrl })
    await client.connect()
    await client.query(`listen "${CHANNEL}"`)
    const notified = once(client, 'notification')
    await the.world.chain.mine({ blocks: 1 })
    await the.project()
    await notified
    await client.end()
  })
})

describe('a subscription to a claim', () => {
  it('sends its state at once, then each change and nothing in between, every event of one block', async () => {
    const { claimId } = await announceClaim()
    const claim = subscribe(CLAIM, { id: claimId })
    expect((await claim.next())?.data).toEqual({ claim: null })
    await the.project()
    expect((await claim.next())?.data.claim).toEqual({
      state: 'ELIGIBLE',
      financedFaceValue: '0',
      allocations: [],
      legs: [],
    })
    // Blocks that do not change it.
    for (let i = 0; i < 3; i += 1) {
      await the.world.chain.mine({ blocks: 1 })
      await the.project()
    }
    await finance(claimId, 400n * USD)
    const block = await the.project()
    const event = await claim.next()
    expect(event?.data.claim).toEqual({
      state: 'PARTIALLY_FUNDED',
      financedFaceValue: `${400n * USD}`,
      allocations: [{ faceAmount: `${400n * USD}` }],
      legs: [{ execution: { totalFace: `${400n * USD}` } }],
    })
    expect(event?.extensions.finalizedThrough.blockNumber).toBeLessThanOrEqual(Number(block))
    await claim.leave()
  })
})

describe('the events of a subscription', () => {
  it('after the first cost nothing of the budget', async () => {
    let asked = 0
    const left = async () => {
      asked += 1
      // It reads nothing, so it costs what is known before. A kept answer would cost nothing.
      const query = `{ __typename } # ${asked}`
      const response = await fetch(the.url(`/graphql?${new URLSearchParams({ query })}`))
      return Number(/"cost";r=(\d+)/.exec(response.headers.get('RateLimit') ?? '')?.[1])
    }
    const before = await left()
    const cost = before - (await left())
    const { claimId } = await announceClaim()
    // A filter has an estimate of the database, which costs a query more.
    const filtered = 'settlements(first: 1, filter: { faceAmount_gte: "1" }) { nodes { id } }'
    const query = `subscription ($id: Hash!) { claim(claimId: $id) { state ${filtered} } }`
    const claim = subscribe(query, { id: claimId })
    await claim.next()
    const paid = await left()
    expect(before - 2 * cost - paid).toBeGreaterThan(0)
    await the.project()
    expect((await claim.next())?.data.claim.state).toBe('ELIGIBLE')
    expect(paid - (await left())).toBe(cost)
    await claim.leave()
  })
})

describe('subscriptions to an account, an execution and the finalized block', () => {
  it('fire when the thing is there, and when the block advances', async () => {
    const { claimId } = await announceClaim()
    await the.project()
    const { executionId } = await finance(claimId, 100n * USD)
    const wallet = the.world.parties.beneficiary.address
    const execution = subscribe(
      'subscription ($id: Hash!) { execution(executionId: $id) { status totalFace } }',
      {
        id: executionId,
      },
    )
    // The executions of the tests before may be of the same second, within which their ids order them: one page has all
    // of them.
    const account = subscribe(
      'subscription ($w: Address!) { account(address: $w) { executions(first: 10) { nodes { executionId } } } }',
      { w: wallet },
    )
    const blocks = subscribe('subscription { finalizedBlock { blockNumber timestamp } }')
    const totalFace = `${100n * USD}`
    expect((await execution.next())?.data).toEqual({ execution: { status: 'MINED', totalFace } })
    expect((await account.next())?.data.account.executions.nodes).not.toContainEqual({ executionId })
    const before = (await blocks.next())?.data.finalizedBlock.blockNumber
    const block = await the.project()

    expect((await execution.next())?.data).toEqual({ execution: { status: 'EXECUTED', totalFace } })
    expect((await account.next())?.data.account.executions.nodes).toContainEqual({ executionId })
    let seen = before
    while (seen < Number(block)) {
      const next = (await blocks.next())?.data.finalizedBlock.blockNumber
      expect(next).toBeGreaterThan(seen)
      seen = next
    }
    await Promise.all([execution, account, blocks].map(({ leave }) => leave()))
  })
})

describe('a subscription with a token', () => {
  const endings: readonly [string, (headers: Record<string, string>) => Promise<unknown>][] = [
    [
      'its wallet logs out',
      async (headers) => the.app.request('/api/v1/auth/logout', { method: 'POST', headers }),
    ],
    [
      'its session expires',
      async () => {
        ahead = 2 * 86_400_000
      },
    ],
  ]

  it.each(endings)('ends with the first block after %s', async (_, end) => {
    onTestFinished(() => {
      ahead = 0
    })
    const { address, key } = the.world.parties.stranger
    const { headers } = bearer(await signIn(the.app, { address, signMessage: key.signMessage }))
    const client = createClient({ url: the.url('/graphql'), headers, retryAttempts: 0 })
    const blocks = subscribe('subscription { finalizedBlock { blockNumber } }', {}, client)
    await the.world.chain.mine({ blocks: 1 })
    const block = Number(await the.project())
    while ((await blocks.next())?.data.finalizedBlock.blockNumber !== block);
    await end(headers)
    await the.world.chain.mine({ blocks: 1 })
    await the.project()
    expect(await blocks.next()).toBeUndefined()
  })

  it('sends nothing while it cannot be determined whether its session has ended', async () => {
    const { address, key } = the.world.parties.stranger
    const { headers } = bearer(await signIn(the.app, { address, signMessage: key.signMessage }))
    const client = createClient({ url: the.url('/graphql'), headers, retryAttempts: 0 })
    const query = 'subscription { finalizedBlock { blockNumber } }'
    const [own, others] = [subscribe(query, {}, client), subscribe(query)]
    await Promise.all([own.next(), others.next()])
    await the.app.request('/api/v1/auth/logout', { method: 'POST', headers })
    await the.store.pool.query('alter table gateway.revoked_token rename to hidden')
    await the.world.chain.mine({ blocks: 1 })
    await the.project()
    await others.next()
    await the.store.pool.query('alter table gateway.hidden rename to revoked_token')
    expect(await own.next()).toBeUndefined()
  })
})

describe('a client that is slow', () => {
  it('receives the latest state, not every one it missed', async () => {
    const response = await the.app.request('/api/v1/graphql', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'text/event-stream' },
      body: JSON.stringify({ query: 'subscription { finalizedBlock { blockNumber } }' }),
    })
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    let block = 0n
    for (let i = 0; i < 6; i += 1) {
      await the.world.chain.mine({ blocks: 1 })
      block = await the.project()
    }
    let text = ''
    await until(async () => {
      text += (await reader?.read())?.value ?? ''
      return text.includes(`"blockNumber":${block}}`)
    })
    // The first and what had been made ready for it, at most; then the latest.
    expect(text.match(/event: next/g)?.length).toBeLessThanOrEqual(4)
    await reader?.cancel()
  })
})

describe('as many subscriptions as one client may have', () => {
  it('are all it gets, until it ends one', async () => {
    const query = 'subscription { finalizedBlock { blockNumber } }'
    const open: ReturnType<typeof subscribe>[] = []
    // The gateway may still be about to notice that those of the tests before have left.
    await until(async () => {
      const one = subscribe(query)
      const event = await one.next().catch(() => undefined)
      if (event?.data) open.push(one)
      // One whose first read failed goes on, and would be one of those that the client may have.
      else await one.leave()
      return open.length === CONCURRENCY_LIMIT
    })
    const refused = await fetch(the.url('/graphql'), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'text/event-stream, application/json' },
      body: JSON.stringify({ query }),
    })
    expect([refused.status, refused.headers.has('Retry-After')]).toEqual([429, true])
    expect(await refused.text()).toContain('"code":"TOO_MANY_SUBSCRIPTIONS"')

    await open[0]?.leave()
    await until(async () => {
      const again = subscribe(query)
      const event = await again.next().catch(() => undefined)
      await again.leave()
      return event?.data !== undefined
    })
    await Promise.all(open.slice(1).map(({ leave }) => leave()))
  })
})

describe('a subscription whose database goes away', () => {
  it('goes on when it is back, and misses nothing that lasts', async () => {
    const { claimId } = await announceClaim()
    const claim = subscribe('subscription ($id: Hash!) { claim(claimId: $id) { state } }', { id: claimId })
    expect((await claim.next())?.data).toEqual({ claim: null })
    the.line.cut()
    await the.project()
    expect((await fetch(the.url('/vaults'))).status).toBe(503)
    the.line.mend()
    expect((await claim.next())?.data).toEqual({ claim: { state: 'ELIGIBLE' } })
    await claim.leave()
  })

  it('sends no error while an index is rebuilt', async () => {
    const { claimId } = await announceClaim()
    const claim = subscribe('subscription ($id: Hash!) { claim(claimId: $id) { state } }', { id: claimId })
    expect((await claim.next())?.data).toEqual({ claim: null })
    const owner = new pg.Client({ connectionString: the.ownerUrl })
    await owner.connect()
    await owner.query('alter view projection.router rename to hidden')
    const { number } = await the.world.chain.getBlock()
    // Other reads have seen later blocks, so the subscription reads as soon as it waits for one.
    const before = the.reads()
    let blocks = 0n
    await until(async () => {
      blocks += 1n
      the.watch.observe({ blockNumber: number + blocks, timestamp: 0n })
      return the.reads() > before
    })
    await owner.query('alter view projection.hidden rename to router')
    await owner.end()
    await the.world.chain.mine({ blocks: Number(blocks) })
    await the.project()
    expect(await claim.next()).toMatchObject({ data: { claim: { state: 'ELIGIBLE' } } })
  })

  it('is refused with a code when it is away from the start', async () => {
    the.line.cut()
    const response = await fetch(the.url('/graphql'), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: 'subscription { finalizedBlock { blockNumber } }' }),
    })
    expect(response.status).toBe(503)
    expect(await response.text()).toContain('"code":"DATABASE_UNAVAILABLE"')
    the.line.mend()
  })
})

describe('a gateway that stops', () => {
  it('completes its streams with an event that says so', async () => {
    await until(async () => (await fetch(the.url('/vaults'))).status === 200)
    const blocks = subscribe('subscription { finalizedBlock { blockNumber } }')
    expect((await blocks.next())?.data).toBeDefined()
    const rest = blocks.next()
    await the.watch.close()
    expect((await rest)?.errors?.[0]?.extensions).toMatchObject({ code: 'SHUTTING_DOWN', retryAfter: 1 })
    expect(await blocks.next()).toBeUndefined()
  })
})
