/** REST and GraphQL read by the same functions; here is that they also write the same values, endpoint by endpoint. */
import { afterAll, describe, expect, it } from 'vitest'
import { sharedWorld } from '../support/world.ts'
import { createClient } from './client.ts'

const world = sharedWorld()
const { app, ask, stop } = createClient(world.databaseUrl)
afterAll(stop)

// biome-ignore lint/suspicious/noExplicitAny: whatever the endpoint answers
async function read(path: string): Promise<any> {
  const response = await app.request(`/api/v1${path}`)
  expect(response.status).toBe(200)
  return response.json()
}

/** Only fields of objects for which REST has the value itself. */
const ALONE: ReadonlySet<string> = new Set(['address', 'claimId', 'executionId', 'label'])

/**
 * Where GraphQL has an object that was asked for nothing but its key, REST has the key. It has the address of a token
 * beside the token.
 */
function keysForObjects(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(keysForObjects)
  if (typeof value !== 'object' || value === null) return value
  const [[key, only] = [], ...rest] = Object.entries(value)
  if (rest.length === 0 && key !== undefined && ALONE.has(key)) return only
  const own = Object.entries(value).map(([name, part]) => [name, keysForObjects(part)])
  const tokens = 'tokenInfo' in value ? [['token', addressOf(value.tokenInfo)]] : []
  return Object.fromEntries([...own, ...tokens])
}

function addressOf(token: unknown): unknown {
  return typeof token === 'object' && token !== null && 'address' in token ? token.address : null
}

const TOKEN = 'tokenInfo { address symbol name decimals }'

const CLAIM = `claimId issuer { address } issuerLabel: issuer { label } beneficiary { address } ${TOKEN} faceValue financedFaceValue paidFaceValue remainingFace
  dueDate dueDateUnix matured overdueSince claimType claimTypeLabel sliceCount slicesRemaining state documentHash registeredAt registeredBlock
  registrationTransaction`

describe('REST and GraphQL write the same', () => {
  it('for GET /claims/:claimId', async () => {
    const query = `query ($id: Hash!) { claim(claimId: $id) { ${CLAIM} allocations {
      sliceIndex vault { address } execution { executionId } faceAmount advanceAmount paidFace repaidFace carryingValue fundedAt fundedBlock repaidAt } } }`
    for (const claimId of world.claimIds) {
      const { finalizedThrough, ...rest } = await read(`/claims/${claimId}`)
      const { data, extensions } = await ask(query, { id: claimId })
      for (const allocation of data.claim.allocations) {
        allocation.executionId = allocation.execution
        delete allocation.execution
      }
      expect(keysForObjects(data.claim)).toEqual(rest)
      expect(Object.keys(extensions.finalizedThrough)).toEqual(Object.keys(finalizedThrough))
    }
  })

  it('for GET /vaults', async () => {
    const { items } = await read('/vaults?active=all&limit=200')
    const { data } = await ask(`{ vaults(first: 200) { nodes {
      address ${TOKEN} name symbol shareDecimals curator { address } active
      mandate { supportedTypesBitmap supportedTypes minDurationDays maxDurationDays minFace maxFace maxClaimFace maxIssuerFace }
      capital {
        totalAssets entryAssets sharePrice entryPrice yieldToDateBps writtenDown fundableLiquidity outstandingFace outstandingAdvance
        overdueFace totalShares discountEarned
      }
      pricing { baseDiscountBps durationBpsPerDay premiumBps } registeredAt registeredBlock } } }`)
    const vaults = data.vaults.nodes.map((vault: { capital: { fundableLiquidity: string } }) => ({
      ...vault,
      fundableLiquidity: vault.capital.fundableLiquidity,
    }))
    expect(items).toHaveLength(world.vaults.length)
    expect(keysForObjects(vaults)).toEqual(items)
  })

  it('for GET /executions/:executionId', async () => {
    const { data } = await ask(`{ executions(first: 100) { nodes {
      executionId kind user { address } submitter ${TOKEN} totalFace totalAdvance totalCost effectiveDiscountBps
      executedAt blockNumber transactionHash
      legs { legIndex claim { claimId } vault { address name } sliceIndex faceAmount advanceAmount effectiveDiscountBps } } } }`)
    expect(data.executions.nodes.length).toBeGreaterThan(0)
    for (const execution of data.executions.nodes) {
      const { status, finalizedThrough, ...rest } = await read(`/executions/${execution.executionId}`)
      type Leg = {
        claim: object
        vault: { address: string; name: string }
        faceAmount: string
        advanceAmount: string
      }
      const toRest = ({ claim, vault, ...leg }: Leg) => ({
        ...leg,
        claimId: claim,
        vault: vault.address,
        vaultName: vault.name,
        discountAmount: `${BigInt(leg.faceAmount) - BigInt(leg.advanceAmount)}`,
      })
      const legs = execution.legs.map(toRest)
      expect(keysForObjects({ ...execution, legs })).toEqual(rest)
      expect({ status, block: typeof finalizedThrough.blockNumber }).toEqual({
        status: 'EXECUTED',
        block: 'number',
      })
    }
  })

  it('for GET /activity/:wallet', async () => {
    for (const { address } of world.accounts.slice(0, 8)) {
      const { items } = await read(`/activity/${address}?limit=200`)
      const { data } = await ask(
        `query ($wallet: Address!) { account(address: $wallet) { activity(first: 200) { nodes {
          kind ${TOKEN} amount claim { claimId } execution { executionId } vault { address } at blockNumber transactionHash } } } }`,
        { wallet: address },
      )
      const entries = data.account.activity.nodes.map(
        ({ claim, execution, ...rest }: { claim: object; execution: object }) => ({
          ...rest,
          claimId: claim,
          executionId: execution,
        }),
      )
      expect(keysForObjects(entries)).toEqual(items.map(({ id, ...item }: { id: string }) => item))
    }
  })

  it('for GET /account/:wallet', async () => {
    for (const { address } of world.accounts.slice(0, 8)) {
      const { claims, positions } = await read(`/account/${address}?limit=50`)
      const { data } = await ask(
        `query ($wallet: Address!) { account(address: $wallet) {
          claims(first: 50) { nodes { ${CLAIM} } } positions(first: 200) { nodes {
            vault { address } shares assets withdrawableNow costBasis realizedGain unrealizedGain } } } }`,
        { wallet: address },
      )
      expect(keysForObjects(data.account.claims.nodes)).toEqual(claims.items)
      expect(keysForObjects(data.account.positions.nodes)).toEqual(positions)
    }
  })
})
