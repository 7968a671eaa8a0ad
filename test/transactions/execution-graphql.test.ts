/** GraphQL knows an execution from the moment it was prepared, as REST does. */
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import * as routes from '../support/routes.ts'
import * as act from '../support/scenario.ts'
import { bearer, readJson } from '../support/sign-in.ts'
import { type FollowedWorld, startFollowedWorld } from './gateway.ts'

const USD = 1_000_000n
const UNKNOWN = `0x${'ab'.repeat(32)}`

const QUERY = `query ($id: Hash!) { execution(executionId: $id) {
  executionId status preparedAt deadline kind user { address } submitter token: tokenInfo { address } legCount
  totalFace totalAdvance totalCost effectiveDiscountBps executedAt blockNumber transactionHash
  legs { legIndex faceAmount advanceAmount sliceIndex claim { claimId } vault { address } execution { status } }
  activity { kind }
} }`

const answerShape = z.object({
  execution: z.looseObject({ legs: z.array(z.looseObject({})) }).nullable(),
})

let the: FollowedWorld
let token: string
let vault: Hex

beforeAll(async () => {
  the = await startFollowedWorld()
  await the.startIndexer()
  token = await routes.tokenOf(the, the.world.parties.beneficiary)
  vault = await act.createFundedVault(the.world, { token: the.world.usd, capital: 90_000n * USD })
})
afterAll(() => the.stop())

const execution = async (id: string) => {
  const { data, errors } = await the.ask(QUERY, { id }, bearer(token).headers)
  expect(errors).toBeUndefined()
  return answerShape.parse(data).execution
}

async function registerClaim(): Promise<Hex> {
  const { issuer, beneficiary } = the.world.parties
  const terms = { issuer, beneficiary: beneficiary.address, token: the.world.usd, faceValue: 100n * USD }
  return (await act.registerClaim(the.world, terms)).claimId
}

async function prepareRoute() {
  const claimId = await registerClaim()
  await the.project()
  await routes.followChain(the)
  const wanted = { claimIds: [claimId], targetAdvance: 20n * USD, routeDeadlineSeconds: 60 }
  const { routeId } = await routes.optimizeToRoute(the.app, token, wanted)
  return routes.prepare(the.app, token, routeId)
}

const finance = (claimId: Hex) =>
  act.executeFinancing(the.world, {
    user: the.world.parties.beneficiary,
    claimId,
    vault,
    faceAmount: 10n * USD,
  })

describe('execution(executionId)', () => {
  it('is PREPARED without facts of the chain, then MINED with them, then EXECUTED with the same', async () => {
    const { beneficiary, relayer } = the.world.parties
    const prepared = await prepareRoute()
    const { executionId } = prepared
    const none = { submitter: null, token: null, legCount: null, totalFace: null, totalAdvance: null }
    expect(await execution(executionId)).toEqual({
      executionId,
      status: 'PREPARED',
      preparedAt: expect.stringMatching(/Z$/),
      deadline: prepared.deadline,
      kind: 'ROUTE',
      user: { address: beneficiary.address },
      ...none,
      ...{
        totalCost: null,
        effectiveDiscountBps: null,
        executedAt: null,
        blockNumber: null,
        transactionHash: null,
      },
      legs: [],
      activity: [],
    })

    const { receipt } = await routes.signAndSubmit(the.world, beneficiary, prepared, relayer)
    const mined = await execution(executionId)
    expect(mined).toMatchObject({
      ...{ status: 'MINED', preparedAt: null, deadline: null, submitter: relayer.address, legCount: 1 },
      totalAdvance: String(prepared.totals.totalAdvance),
      transactionHash: receipt.transactionHash,
      legs: [
        {
          claim: { claimId: prepared.legs[0]?.claimId },
          vault: { address: vault },
          execution: { status: 'MINED' },
        },
      ],
      activity: [],
    })
    await the.project()
    const legs = mined?.legs.map((leg) => ({ ...leg, execution: { status: 'EXECUTED' } }))
    const executed = { ...mined, status: 'EXECUTED', legs, activity: [{ kind: 'EXECUTION' }] }
    expect(await execution(executionId)).toEqual(executed)
  })

  it('is EXECUTED where it is projected while the chain is asked', async () => {
    const prepared = await prepareRoute()
    await routes.signAndSubmit(the.world, the.world.parties.beneficiary, prepared)
    the.line.hold()
    const asked = execution(prepared.executionId)
    await the.line.held()
    await the.project()
    the.line.release()
    expect(await asked).toMatchObject({ status: 'EXECUTED', activity: [{ kind: 'EXECUTION' }] })
  })

  it('has the status, times and user that REST has of one that is not on chain', async () => {
    const [one, other] = [await prepareRoute(), await prepareRoute()]
    const compare = async (id: string, status: string) => {
      const rest = await readJson(await the.app.request(`/api/v1/executions/${id}`, bearer(token)))
      const graphql = await execution(id)
      expect(graphql).toMatchObject({ status, preparedAt: rest.preparedAt, deadline: rest.deadline })
      expect([rest.status, graphql?.user]).toEqual([status, { address: rest.user }])
    }
    await compare(other.executionId, 'PREPARED')
    await routes.signAndSubmit(the.world, the.world.parties.beneficiary, one)
    await compare(other.executionId, 'SUPERSEDED')
    await act.travelTo(the.world, BigInt(Date.parse(other.deadline) / 1000) + 1n)
    await compare(other.executionId, 'EXPIRED')
  })

  it('is found beside another one that is not projected', async () => {
    const { executionId: prepared } = await prepareRoute()
    const claims = [await registerClaim(), await registerClaim()] as const
    // No block between the two: a block is final as soon as two others follow it.
    const [one, other] = [await finance(claims[0]), await finance(claims[1])]
    const ids = { prepared, one: one.executionId, other: other.executionId }
    const fields = Object.entries(ids).map(
      ([name, id]) => `${name}: execution(executionId: "${id}") { executionId status legs { faceAmount } }`,
    )
    const { data, errors } = await the.ask(`{ ${fields.join(' ')} }`, {}, bearer(token).headers)
    expect(errors).toBeUndefined()
    const legs = [{ faceAmount: `${10n * USD}` }]
    expect(data).toEqual({
      prepared: { executionId: ids.prepared, status: 'PREPARED', legs: [] },
      one: { executionId: ids.one, status: 'MINED', legs },
      other: { executionId: ids.other, status: 'MINED', legs },
    })
  })

  it('is null for an id that nobody used', async () => {
    expect(await execution(UNKNOWN)).toBeNull()
  })

  it('does not guess while the chain is away: the operation fails', async () => {
    const claimId = await registerClaim()
    const { executionId } = await finance(claimId)
    await the.project()
    the.line.cut()
    expect(await execution(executionId)).toMatchObject({ status: 'EXECUTED' })
    const query = `{ _meta { finalizedThrough { blockNumber } } execution(executionId: "${UNKNOWN}") { status } }`
    expect(await the.ask(query)).toMatchObject({
      data: null,
      errors: [{ path: ['execution'], extensions: { code: 'CHAIN_UNAVAILABLE' } }],
    })
    the.line.mend()
  })

  it('answers PROJECTION_BEHIND for legs whose claim is not projected, and everything else without them', async () => {
    const { executionId } = await finance(await registerClaim())
    const bare = `{ execution(executionId: "${executionId}") { status totalFace legCount } }`
    expect(await the.ask(bare)).toMatchObject({
      data: { execution: { status: 'MINED', totalFace: `${10n * USD}`, legCount: 1 } },
    })
    const full = QUERY.replace('claim { claimId }', 'claim { state }')
    expect(await the.ask(full, { id: executionId })).toMatchObject({
      data: null,
      errors: [{ path: ['execution', 'legs', 'claim'], extensions: { code: 'PROJECTION_BEHIND' } }],
    })
    await the.project()
    expect(await execution(executionId)).toMatchObject({ status: 'EXECUTED', legs: [{ legIndex: 0 }] })
  })

  it('reads the claims and vaults of MINED legs once, however often the query comes back to them', async () => {
    const prepared = await prepareRoute()
    await routes.signAndSubmit(the.world, the.world.parties.beneficiary, prepared)
    const before = the.statements()
    const nested = 'legs { execution { legs { execution { legs { legIndex } } } } }'
    const query = (selection: string) =>
      `{ execution(executionId: "${prepared.executionId}") { ${selection} } }`
    await the.ask(query('legs { legIndex }'))
    const once = the.statements() - before
    const { errors } = await the.ask(query(nested))
    expect(errors).toBeUndefined()
    expect(the.statements() - before).toBe(2 * once)
  })

  it('fits three times into one operation, since each may ask the chain', async () => {
    const fields = (count: number) =>
      Array.from({ length: count }, (_, i) => `e${i}: execution(executionId: "${UNKNOWN}") { status }`).join(
        ' ',
      )
    expect(await the.ask(`{ ${fields(3)} }`)).toMatchObject({ data: { e0: null, e1: null, e2: null } })
    expect(await the.ask(`{ ${fields(4)} }`)).toMatchObject({
      errors: [{ extensions: { code: 'QUERY_TOO_COMPLEX' } }],
    })
  })
})

const listShape = z.object({ executions: z.object({ nodes: z.array(z.object({ status: z.string() })) }) })

describe('lists of executions', () => {
  it('hold what is EXECUTED, without asking the chain', async () => {
    await prepareRoute()
    the.line.cut()
    const { data } = await the.ask('{ executions(first: 200) { nodes { status } } }')
    the.line.mend()
    const { nodes } = listShape.parse(data).executions
    expect([...new Set(nodes.map(({ status }) => status))]).toEqual(['EXECUTED'])
  })
})
