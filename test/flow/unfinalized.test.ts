/** Events are shown as soon as they are mined, beside the finalized answers and never in them. */
import pg from 'pg'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createRpcBatch } from '../../devnet/rpc.ts'
import { until } from '../support/indexer.ts'
import { type LiveWorld, startLiveWorld } from '../support/live-world.ts'
import * as act from '../support/scenario.ts'
import { signIn } from '../support/sign-in.ts'

const USD = 1_000_000n

let the: LiveWorld
beforeAll(async () => {
  // A block is final when 16 more follow it.
  the = await startLiveWorld({ HEAD_POLL_MS: '20', DATABASE_TIMEOUT_MS: '60000' }, { slotsInAnEpoch: 8 })
  await the.project()
})
afterAll(() => the.stop())

// biome-ignore lint/suspicious/noExplicitAny: an answer has what the query of the test selects
async function ask(query: string, variables: object = {}): Promise<any> {
  const response = await fetch(the.url('/graphql'), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  })
  const { data, errors } = await response.json()
  expect(errors).toBeUndefined()
  return data
}

async function untilSeen(): Promise<void> {
  const { hash } = await the.world.chain.getBlock()
  await until(async () => the.head.latest()?.head.hash === hash)
}

async function register(): Promise<Hex> {
  const { issuer, beneficiary } = the.world.parties
  const terms = { issuer, beneficiary: beneficiary.address, token: the.world.usd, faceValue: 1000n * USD }
  const { claimId } = await act.registerClaim(the.world, terms)
  await untilSeen()
  return claimId
}

const namesOf = (events: readonly { name: string }[]) => events.map(({ name }) => name)

describe('a claim that was just registered', () => {
  it('is an event of its claim, issuer and beneficiary, with the values that the projection has later', async () => {
    const claimId = await register()
    const { issuer, beneficiary, stranger } = the.world.parties
    const events = 'unfinalized { events { name claimId } truncated }'
    const query = `{
      claim(claimId: "${claimId}") { faceValue dueDate registeredBlock ${events} }
      unfinalized(claimId: "${claimId}") {
        truncated
        head { number }
        events { name arguments { name value } confirmations block { number hash timestamp } expectedFinalAt }
      }
      issuer: account(address: "${issuer.address}") { ${events} }
      beneficiary: account(address: "${beneficiary.address}") { ${events} }
      stranger: account(address: "${stranger.address}") { ${events} }
      _meta { finalizedThrough { blockNumber } finalizedHash latestBlock { number } finalitySeconds }
    }`
    const before = await ask(query)
    expect(before.claim).toBeNull()
    expect(before.unfinalized).toMatchObject({ truncated: false, head: before._meta.latestBlock })
    expect(namesOf(before.unfinalized.events)).toEqual(['ClaimStateChanged', 'ClaimRegistered'])
    for (const account of [before.issuer, before.beneficiary])
      expect(
        account.unfinalized.events.filter((event: { claimId: Hex }) => event.claimId === claimId),
      ).toHaveLength(2)
    expect(before.stranger.unfinalized).toEqual({ events: [], truncated: false })
    const final = await the.world.chain.getBlock({
      blockNumber: BigInt(before._meta.finalizedThrough.blockNumber),
    })
    expect(before._meta.finalizedHash).toBe(final.hash)
    const registered = before.unfinalized.events[1]
    const due = Date.parse(registered.expectedFinalAt) - Date.parse(registered.block.timestamp)
    expect(due).toBe(1000 * before._meta.finalitySeconds)

    const byVariables =
      'query ($wallet: Address, $claimId: Hash) { unfinalized(wallet: $wallet, claimId: $claimId) { events { name } } }'
    for (const wallet of [stranger, beneficiary]) {
      const { unfinalized } = await ask(byVariables, { wallet: wallet.address, claimId })
      expect(namesOf(unfinalized.events)).toEqual(
        wallet === stranger ? [] : ['ClaimStateChanged', 'ClaimRegistered'],
      )
    }

    await the.project()
    await untilSeen()
    const after = await ask(query)
    expect(after.unfinalized.events).toEqual([])
    const argumentOf = (name: string) =>
      registered.arguments.find((argument: { name: string }) => argument.name === name)?.value
    expect(after.claim).toMatchObject({
      faceValue: argumentOf('faceValue'),
      registeredBlock: registered.block.number,
      unfinalized: { events: [], truncated: false },
    })
    expect(Date.parse(after.claim.dueDate) / 1000).toBe(Number(argumentOf('dueDate')))
  })

  it('is not found by other reads, and the refusal says in which block it is and when it should be final', async () => {
    const claimId = await register()
    const { number } = await the.world.chain.getBlock()
    const rest = await fetch(the.url(`/claims/${claimId}`))
    expect(rest.status).toBe(404)
    const problem = await rest.json()
    expect(problem).toMatchObject({ code: 'CLAIM_NOT_FOUND', claimId, registeredBlock: Number(number) })
    expect(problem.detail).toContain(
      `registered in block ${number}, which should be final at ${problem.expectedFinalAt}`,
    )
    expect(Number(rest.headers.get('Retry-After'))).toBeGreaterThan(0)
    const unknown = await fetch(the.url(`/claims/0x${'77'.repeat(32)}`))
    expect(await unknown.json()).not.toHaveProperty('registeredBlock')
    const list = await fetch(the.url(`/unfinalized?claimId=${claimId}`))
    const { unfinalized } = await list.json()
    expect(namesOf(unfinalized.events)).toEqual(['ClaimStateChanged', 'ClaimRegistered'])
  })

  it('changes no finalized answer', async () => {
    await the.project()
    const query = '{ claims(first: 50) { nodes { claimId state faceValue } } vaults { nodes { address } } }'
    const before = await ask(query)
    await register()
    expect(await ask(query)).toEqual(before)
  })
})

describe('prepared answers', () => {
  it('name the changes that are not final yet', async () => {
    const { beneficiary: user } = the.world.parties
    const claimId = await register()
    const vault = await act.createFundedVault(the.world, { token: the.world.usd, capital: 5000n * USD })
    await the.project()
    const token = await signIn(the.app, user.key)
    const post = async (path: string, body: object) => {
      const response = await the.app.request(`/api/v1${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
        body: JSON.stringify(body),
      })
      return response.json()
    }
    const route = { claimIds: [claimId], targetAdvance: `${500n * USD}` }
    await untilSeen()
    expect((await post('/routes/optimize', route)).pendingChanges).toMatchObject({
      events: [],
      truncated: false,
    })

    await act.executeFinancing(the.world, { user, claimId, vault, faceAmount: 900n * USD })
    await untilSeen()
    const planned = await post('/routes/optimize', route)
    // By the finalized block, the whole face is still there.
    expect(planned.result.executable).toBe(true)
    expect(planned.issues).toMatchObject([
      { code: 'CHANGE_NOT_FINAL', message: expect.stringContaining(`${100n * USD} of the face`) },
    ])
    const names = namesOf(planned.pendingChanges.events)
    expect(names).toEqual(expect.arrayContaining(['Executed', 'Funded', 'SliceReserved']))
    expect(names).not.toContain('Transfer')
    const prepared = await post(`/routes/${planned.routeId}/prepare-execution`, {})
    expect(prepared.issues).toMatchObject([{ code: 'EXECUTION_WOULD_REVERT' }])
    expect(namesOf(prepared.pendingChanges.events)).toContain('Executed')
    const preview = await post('/quotes/preview', { claimId })
    expect(namesOf(preview.pendingChanges.events)).toContain('SliceReserved')
    expect(preview.quotes.map(({ issues }: { issues: unknown }) => issues)).toMatchObject([
      [{ code: 'CHANGE_NOT_FINAL' }],
    ])
    const small = await post('/quotes/preview', { claimId, faceAmount: `${100n * USD}` })
    expect(small.quotes).toMatchObject([{ issues: [] }])
  })
})

describe('a reorganization', () => {
  it('takes the events of its blocks with it', async () => {
    const claimId = await register()
    const count = async () => {
      const { unfinalized } = await ask(`{ unfinalized(claimId: "${claimId}") { events { name } } }`)
      return unfinalized.events.length
    }
    expect(await count()).toBe(2)
    await createRpcBatch(the.world.rpcUrl)([['anvil_reorg', [1, []]]])
    await untilSeen()
    expect(await count()).toBe(0)
  })
})

describe('a subscription', () => {
  it('has an event for a new event of the latest block, before it is final', async () => {
    const { beneficiary } = the.world.parties
    const query = `subscription { unfinalized(wallet: "${beneficiary.address}") { events { claimId } } }`
    const events = the.sse.iterate<{ unfinalized: { events: { claimId: Hex }[] } }>({ query })
    onTestFinished(async () => void (await events.return?.()))
    await events.next()
    const claimId = await register()
    const { value } = await events.next()
    expect(value.data.unfinalized.events.map((event: { claimId: Hex }) => event.claimId)).toContain(claimId)
  })
})

describe('an event that is mined while a subscription reads its answer', () => {
  it('is sent without another block', async () => {
    const { beneficiary: user } = the.world.parties
    const claimId = await register()
    const vault = await act.createFundedVault(the.world, { token: the.world.usd, capital: 5000n * USD })
    await the.project()
    await untilSeen()
    const query = `subscription { claim(claimId: "${claimId}") { state unfinalized { events { name } } } }`
    const events = the.sse.iterate<{ claim: { unfinalized: { events: { name: string }[] } } }>({ query })
    onTestFinished(async () => void (await events.return?.()))
    await events.next()

    const admin = new pg.Client({ connectionString: the.ownerUrl })
    await admin.connect()
    await admin.query('begin; lock table projection.claim in access exclusive mode')
    const finance = async () => {
      await act.executeFinancing(the.world, { user, claimId, vault, faceAmount: 100n * USD })
      await untilSeen()
    }
    await finance()
    const reading =
      'select 1 from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())'
    await until(async () => (await admin.query(reading)).rowCount !== 0)
    await finance()
    await admin.query('rollback')
    await admin.end()

    let slices = 0
    while (slices < 2) {
      const { value } = await events.next()
      slices = namesOf(value.data.claim.unfinalized.events).filter((name) => name === 'SliceReserved').length
    }
  })
})

describe('a vault that was just registered', () => {
  it('has its events of that block and of later ones, before any of them is final', async () => {
    const { provider } = the.world.parties
    const { vault } = await act.createVault(the.world, { token: the.world.usd })
    await act.deposit(the.world, { provider, vault, assets: USD })
    await untilSeen()
    const { unfinalized } = await ask(
      `{ unfinalized(vault: "${vault}") { truncated events { name block { number } } } }`,
    )
    expect(unfinalized.truncated).toBe(false)
    const blocks = unfinalized.events.map(({ block }: { block: { number: number } }) => block.number)
    expect(Math.max(...blocks)).toBeGreaterThan(Math.min(...blocks))
    expect(namesOf(unfinalized.events)).toEqual(expect.arrayContaining(['VaultRegistered', 'Deposit']))
  })
})
