/** Events are shown as soon as they are mined, beside the finalized answers and never in them. */
import pg from 'pg'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { blockingTokenAbi, blockingTokenBytecode } from '../../contracts/testing/generated/BlockingToken.ts'
import { createRpcBatch } from '../../devnet/rpc.ts'
import {
  ATTEST,
  attestationBody,
  CANCEL_ATTESTATION,
  REGISTER,
  registrationBody,
  signedAttestation,
} from '../support/attestations.ts'
import { until } from '../support/indexer.ts'
import { type LiveWorld, startLiveWorld } from '../support/live-world.ts'
import type { Party } from '../support/parties.ts'
import { postPrepare } from '../support/prepared.ts'
import { deployForTest } from '../support/protocol.ts'
import * as routes from '../support/routes.ts'
import * as act from '../support/scenario.ts'
import { readJson, signIn } from '../support/sign-in.ts'

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

const prepared = z.object({
  pendingChanges: z.object({ events: z.array(z.object({ name: z.string() })) }),
  issues: z.array(z.object({ code: z.string() })).optional(),
  token: z.string().optional(),
  tokenInfo: z.object({ address: z.string() }).optional(),
})

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
        head { number timestamp }
        expectedFinalAt
        events { name arguments { name value } confirmations block { number hash timestamp } expectedFinalAt transactionHash }
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
    for (const [expected, { timestamp }] of [
      [registered.expectedFinalAt, registered.block],
      [before.unfinalized.expectedFinalAt, before.unfinalized.head],
    ])
      expect(Date.parse(expected) - Date.parse(timestamp)).toBe(1000 * before._meta.finalitySeconds)
    const { transactionHash, expectedFinalAt } = registered
    const follow = async () => {
      const { transaction } = await ask(
        `{ transaction(hash: "${transactionHash}") { status expectedFinalAt } }`,
      )
      const rest = await (await fetch(the.url(`/transactions/${transactionHash}`))).json()
      expect(rest.block.number).toBe(registered.block.number)
      return [transaction, { status: rest.status, expectedFinalAt: rest.expectedFinalAt }]
    }
    const listed = await (await fetch(the.url(`/unfinalized?claimId=${claimId}`))).json()
    expect(listed.unfinalized.events[1]).toMatchObject({ transactionHash, expectedFinalAt })
    const mined = { status: 'MINED', expectedFinalAt }
    expect(await follow()).toEqual([mined, mined])

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
    const projected = { status: 'PROJECTED', expectedFinalAt: null }
    expect(await follow()).toEqual([projected, projected])
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
    const first = await fetch(the.url(`/unfinalized?claimId=${claimId}&limit=1`))
    expect((await first.json()).unfinalized).toMatchObject({
      truncated: true,
      events: [{ name: 'ClaimStateChanged' }],
    })
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
    const changes = ['Executed', 'Funded', 'SliceReserved']
    expect(namesOf(prepared.pendingChanges.events)).toEqual(expect.arrayContaining(changes))
    const preview = await post('/quotes/preview', { claimId })
    expect(namesOf(preview.pendingChanges.events)).toEqual(expect.arrayContaining(changes.slice(1)))
    expect(preview.quotes.map(({ issues }: { issues: unknown }) => issues)).toMatchObject([
      [{ code: 'CHANGE_NOT_FINAL' }],
    ])
    const small = await post('/quotes/preview', { claimId, faceAmount: `${100n * USD}` })
    expect(small.quotes).toMatchObject([{ issues: [] }])

    const list = await (await fetch(the.url(`/unfinalized?claimId=${claimId}`))).json()
    const fields = `head { number hash timestamp } expectedFinalAt truncated events {
      name contract arguments { name type value } wallets claimId executionId vault transactionHash logIndex
      block { number hash timestamp } confirmations expectedFinalAt
    }`
    expect(list).toMatchObject(await ask(`{ unfinalized(claimId: "${claimId}") { ${fields} } }`))
    const [executed] = list.unfinalized.events.filter(({ name }: { name: string }) => name === 'LegExecuted')
    expect([executed.executionId, executed.contract]).toEqual([
      expect.stringMatching(/^0x[0-9a-f]{64}$/),
      the.world.protocol.financingRouter,
    ])
  })
})

describe('a prepared route that is asked for again', () => {
  it('is known to be executed, or cancelled, before that is final', async () => {
    const { beneficiary: user } = the.world.parties
    const claimId = await register()
    await act.createFundedVault(the.world, { token: the.world.usd, capital: 5000n * USD })
    await the.project()
    const token = await signIn(the.app, user.key)
    const prepareAs = async (key: string, targetAdvance: bigint) => {
      const body = { claimIds: [claimId], targetAdvance }
      const { routeId } = await routes.optimizeToRoute(the.app, token, body)
      return { routeId, key, route: await routes.prepare(the.app, token, routeId, key) }
    }
    const [first, second] = [await prepareAs('first', 10n * USD), await prepareAs('second', 20n * USD)]
    const reasonsOf = async ({ routeId, key, route }: typeof first) => {
      const { executionId, issues } = await routes.prepare(the.app, token, routeId, key)
      expect(executionId).toBe(route.executionId)
      return issues.filter(({ code }) => code === 'CHANGE_NOT_FINAL').map(({ message }) => message)
    }
    await untilSeen()
    expect([await reasonsOf(first), await reasonsOf(second)]).toEqual([[], []])
    await routes.signAndSubmit(the.world, user, first.route)
    await untilSeen()
    const executed = expect.stringContaining('executed this route')
    expect([await reasonsOf(first), await reasonsOf(second)]).toEqual([[executed], []])
    await the.project()
    const third = await prepareAs('third', 30n * USD)
    await act.cancelRoutes(the.world, { user })
    await untilSeen()
    expect(await reasonsOf(third)).toEqual([expect.stringContaining('cancelled the routes')])
  })
})

describe('a prepared answer', () => {
  it('of each kind names what is not final of its own subject, and why it became impossible', async () => {
    const { issuer, beneficiary, payer, provider, curator, stranger } = the.world.parties
    const usd = { token: the.world.usd }
    const blocking = await deployForTest(the.world, blockingTokenAbi, blockingTokenBytecode, [])
    await act.setTokenListed(the.world, { token: blocking, listed: true })
    await act.setBlocked(the.world, { token: blocking, account: beneficiary.address, blocked: true })
    const dueDate = (await act.chainTime(the.world)) + 1_000n
    const claim = { issuer, beneficiary: beneficiary.address, faceValue: 1000n * USD }
    const registered = async (terms: { token: Hex; dueDate?: bigint }) =>
      (await act.registerClaim(the.world, { ...claim, ...terms })).claimId
    const [due, financed] = [await registered({ ...usd, dueDate }), await registered(usd)]
    const credited = [
      await registered({ token: blocking, dueDate }),
      await registered({ token: blocking, dueDate }),
    ] as const
    const [vault, other] = [
      await act.createFundedVault(the.world, { ...usd, capital: 5000n * USD }),
      await act.createFundedVault(the.world, { ...usd, capital: USD }),
    ]
    await act.mint(the.world, { ...usd, to: provider.address, amount: 2n * USD })
    for (const spender of [vault, other])
      await act.approve(the.world, { owner: provider, ...usd, spender, amount: USD })
    await act.travelTo(the.world, dueDate)
    await act.mintAndSettle(the.world, { payer, claimId: credited[0] })
    await the.project()

    // These are fewer transactions than blocks until one is final.
    const signed = await signedAttestation(the.world)
    await act.mintAndPay(the.world, { payer, claimId: due, faceAmount: USD })
    const faceAmount = claim.faceValue
    await act.executeFinancing(the.world, { user: beneficiary, claimId: financed, vault, faceAmount })
    await act.submitAttestation(the.world, { ...signed, submitter: payer })
    for (const of of [vault, other]) await act.depositOwned(the.world, { provider, vault: of, assets: USD })
    await act.transferShares(the.world, { from: provider, vault: other, to: stranger.address, shares: USD })
    await act.cancelRoutes(the.world, { user: stranger })
    await act.mintAndSettle(the.world, { payer, claimId: credited[1] })
    await untilSeen()

    const changed = { code: 'CHANGE_NOT_FINAL' }
    const registration = registrationBody(signed)
    const pricing = { baseDiscountBps: 200, durationBpsPerDay: 0, premiumBps: [] }
    const leg = { claimId: financed, vault, faceAmount: '1000000' }
    const toPayer = { all: true, receiver: payer.address }
    const cases: readonly (readonly [Party, string, object, readonly string[], readonly object[]])[] = [
      [payer, `/settlements/${due}/prepare`, {}, ['ClaimPaid'], []],
      [payer, `/settlements/${credited[1]}/prepare`, {}, ['ClaimPaid', 'Credited'], [changed]],
      [issuer, `/claims/${financed}/revocation/prepare`, {}, ['SliceReserved'], [changed]],
      [beneficiary, '/executions/prepare', leg, ['SliceReserved', 'Deposit'], [changed]],
      [payer, REGISTER, registration, ['ClaimRegistered'], [changed]],
      [issuer, ATTEST, attestationBody(signed.attestation), ['ClaimRegistered'], []],
      [issuer, CANCEL_ATTESTATION, { attestation: registration.attestation }, ['ClaimRegistered'], []],
      [beneficiary, '/credits/withdrawal/prepare', { token: blocking }, ['Credited'], []],
      [payer, `/vaults/${other}/deposits/prepare`, { assets: '1' }, ['Deposit'], []],
      [stranger, `/vaults/${other}/withdrawals/prepare`, toPayer, ['Deposit', 'Transfer'], []],
      [curator, `/vaults/${other}/terms/prepare`, { pricing }, ['Deposit'], []],
      [stranger, '/routes/cancellation/prepare', {}, ['RoutesCancelled'], []],
    ]
    const marks = new Set(cases.flatMap(([, , , names]) => names))
    for (const [party, path, body, names, issues] of cases) {
      const token = await signIn(the.app, party.key)
      const answer = await readJson(await postPrepare(the.app, token, path, body))
      const { pendingChanges, token: of, tokenInfo, issues: found = [] } = prepared.parse(answer)
      expect.soft([path, of && tokenInfo?.address]).toEqual([path, of])
      const seen = new Set(namesOf(pendingChanges.events).filter((name) => marks.has(name)))
      expect.soft([path, seen]).toEqual([path, new Set(names)])
      expect.soft([path, found.filter(({ code }) => code === changed.code)]).toMatchObject([path, issues])
    }
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

  it('has one wait at a time for a block of the projection, and one for another head', async () => {
    const spies = [vi.spyOn(the.watch, 'reached'), vi.spyOn(the.head, 'changed')]
    onTestFinished(() => {
      for (const spy of spies) spy.mockRestore()
    })
    const { beneficiary } = the.world.parties
    const query = `subscription { unfinalized(wallet: "${beneficiary.address}") { events { claimId } } }`
    const events = the.sse.iterate<{ unfinalized: { events: { claimId: Hex }[] } }>({ query })
    onTestFinished(async () => void (await events.return?.()))
    await events.next()
    for (let blocks = 0; blocks < 3; blocks += 1) {
      await register()
      await events.next()
    }
    await until(async () =>
      spies.every(({ mock: { calls } }) => {
        const open = calls.filter(([, signal]) => !signal.aborted)
        return calls.length > 3 && open.length === 1
      }),
    )
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

describe('an event that is mined while a subscription reads the chain', () => {
  it('is sent without another block', async () => {
    const { beneficiary } = the.world.parties
    const query = `subscription { account(address: "${beneficiary.address}") {
      balances { balance } unfinalized { events { claimId } }
    } }`
    const events = the.sse.iterate<{ account: { unfinalized: { events: { claimId: Hex }[] } } }>({ query })
    onTestFinished(async () => void (await events.return?.()))
    await events.next()
    // From now on, the projection does not advance.
    const admin = new pg.Client({ connectionString: the.ownerUrl })
    await admin.connect()
    await admin.query('begin; lock table projection._ponder_checkpoint in share mode')
    the.chainLine.hold()
    await register()
    // The events that are not final are read, and the balances are not.
    await the.chainLine.held()
    const claimId = await register()
    the.chainLine.release()
    const found: Hex[] = []
    while (!found.includes(claimId)) {
      const { value } = await events.next()
      for (const event of value.data.account.unfinalized.events) found.push(event.claimId)
    }
    await admin.query('rollback')
    await admin.end()
  })
})

describe('vaults of a list', () => {
  it('have each its own events that are not final', async () => {
    const { provider } = the.world.parties
    const vaults: Hex[] = []
    for (const _ of Array(2)) vaults.push((await act.createVault(the.world, { token: the.world.usd })).vault)
    await the.project()
    for (const [place, vault] of vaults.entries())
      await act.deposit(the.world, { provider, vault, assets: BigInt(place + 1) * USD })
    await untilSeen()
    const { vaults: found } = await ask(
      `query ($vaults: [Address!]) { vaults(first: 2, filter: { address_in: $vaults }) { nodes {
        address unfinalized(first: 10) { truncated events { name vault arguments { name value } } }
      } } }`,
      { vaults },
    )
    const assetsOf = (event: { arguments: { name: string; value: string }[] }) =>
      event.arguments.find(({ name }) => name === 'assets')?.value
    for (const [place, vault] of vaults.entries()) {
      const { unfinalized } = found.nodes.find(({ address }: { address: Hex }) => address === vault)
      expect(unfinalized.events.map((event: { vault: Hex }) => event.vault)).toEqual([vault, vault])
      expect(namesOf(unfinalized.events)).toEqual(['Deposit', 'Transfer'])
      expect(assetsOf(unfinalized.events[0])).toBe(`${BigInt(place + 1) * USD}`)
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
