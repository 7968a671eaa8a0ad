import { afterAll, describe, expect, it } from 'vitest'
import { loadManifest } from '../../deployments/manifest.ts'
import { sharedAccount, sharedPlan, sharedWorld } from '../support/world.ts'
import { createClient } from './client.ts'

const world = sharedWorld()
const plan = sharedPlan()
const { ask, stop } = createClient(world.databaseUrl)
afterAll(stop)

describe('claims', () => {
  it('are what was registered, and in the state the plan leaves them in', async () => {
    const { data } = await ask(
      '{ claims(first: 200) { totalCount nodes { claimId state faceValue financedFaceValue remainingFace dueDateUnix claimType sliceCount slicesRemaining } } }',
    )
    expect(data.claims.totalCount).toBe(plan.claims.length)
    const byId = new Map<string, object>(
      data.claims.nodes.map((node: { claimId: string }) => [node.claimId, node]),
    )
    for (const [i, claim] of plan.claims.entries()) {
      const outcome = plan.outcomes[i]
      if (!outcome) throw new Error(`claim ${i} has no outcome`)
      expect(byId.get(world.claimIds[i] ?? '')).toEqual({
        claimId: world.claimIds[i],
        state: outcome.state,
        faceValue: String(claim.faceValue),
        financedFaceValue: String(outcome.financedFaceValue),
        remainingFace: String(claim.faceValue - outcome.financedFaceValue),
        dueDateUnix: claim.dueAt,
        claimType: claim.claimType,
        sliceCount: outcome.sliceCount,
        slicesRemaining: 8 - outcome.sliceCount,
      })
    }
  })

  it('are filtered by suffixes, AND and OR', async () => {
    const { data } = await ask(
      `query ($wallet: Address!) {
        claims(first: 200, filter: { beneficiary: $wallet, OR: [{ state_in: [SETTLED, REVOKED] }, { AND: [{ state: ELIGIBLE }, { faceValue_gte: "1000000000" }] }] }) {
          nodes { claimId }
        }
      }`,
      { wallet: sharedAccount('wallet-1').address.toUpperCase().replace('0X', '0x') },
    )
    const wanted = world.claimIds.filter((_, i) => {
      const claim = plan.claims[i]
      const state = plan.outcomes[i]?.state ?? ''
      if (!claim || plan.actors[claim.beneficiary]?.role !== 'wallet-1') return false
      return (
        ['SETTLED', 'REVOKED'].includes(state) || (state === 'ELIGIBLE' && claim.faceValue >= 1_000_000_000n)
      )
    })
    expect(wanted.length).toBeGreaterThan(0)
    expect(data.claims.nodes.map((node: { claimId: string }) => node.claimId).sort()).toEqual(
      [...wanted].sort(),
    )
  })

  it('are paged forwards by first and after, and backwards by last and before', async () => {
    const page = `claims(first: $first, after: $after, last: $last, before: $before, orderBy: faceValue, orderDirection: asc) {
      edges { cursor node { claimId } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }`
    const query = `query ($first: Int, $after: String, $last: Int, $before: String) { ${page} }`
    const walk = async (size: 'first' | 'last', place: 'after' | 'before') => {
      const ids: string[] = []
      for (let cursor: string | null = null; ; ) {
        const { data } = await ask(query, { [size]: 25, [place]: cursor })
        const own = data.claims.edges.map((edge: { node: { claimId: string } }) => edge.node.claimId)
        if (size === 'first') ids.push(...own)
        else ids.unshift(...own)
        const { hasNextPage, hasPreviousPage, startCursor, endCursor } = data.claims.pageInfo
        // A page that begins at a cursor has rows before it; one that does not is the first, or the last from the end.
        expect(size === 'first' ? hasPreviousPage : hasNextPage).toBe(cursor !== null)
        if (!(size === 'first' ? hasNextPage : hasPreviousPage)) return ids
        cursor = size === 'first' ? endCursor : startCursor
      }
    }
    const forwards = await walk('first', 'after')
    expect(new Set(forwards).size).toBe(plan.claims.length)
    expect(await walk('last', 'before')).toEqual(forwards)
  })

  it('are found again by their global id', async () => {
    const { data } = await ask('{ claims(first: 1) { nodes { id claimId } } }')
    const [claim] = data.claims.nodes
    const again = await ask('query ($id: ID!) { node(id: $id) { __typename ... on Claim { claimId } } }', {
      id: claim.id,
    })
    expect(again.data).toEqual({ node: { __typename: 'Claim', claimId: claim.claimId } })
  })

  it('mature at the time of the finalized block, not of any clock', async () => {
    const { data, extensions } = await ask(
      '{ claims(first: 200) { nodes { dueDateUnix matured daysToDue } } }',
    )
    const now = Math.floor(Date.parse(extensions.finalizedThrough.timestamp) / 1000)
    for (const { dueDateUnix, matured, daysToDue } of data.claims.nodes) {
      expect(matured).toBe(dueDateUnix <= now)
      expect(daysToDue).toBe(dueDateUnix <= now ? null : Math.floor((dueDateUnix - now) / 86_400))
    }
  })
})

describe('relations', () => {
  it('lead from every claim to what financed and settled it and back', async () => {
    const { data } = await ask(`{ claims(first: 60) { nodes {
      claimId financedFaceValue state
      allocations { faceAmount sliceIndex claim { claimId } execution { legs { claim { claimId } faceAmount } } }
      legs { faceAmount sliceIndex }
      faceValue paidFaceValue
      settlements(first: 10) { nodes { claim { claimId } faceAmount vaultsAmount beneficiaryAmount } }
    } } }`)
    for (const claim of data.claims.nodes) {
      const sum = claim.allocations.reduce(
        (total: bigint, { faceAmount }: { faceAmount: string }) => total + BigInt(faceAmount),
        0n,
      )
      expect(String(sum)).toBe(claim.financedFaceValue)
      expect(claim.legs).toEqual(
        claim.allocations.map(({ faceAmount, sliceIndex }: { faceAmount: string; sliceIndex: number }) => ({
          faceAmount,
          sliceIndex,
        })),
      )
      for (const allocation of claim.allocations) {
        expect(allocation.claim.claimId).toBe(claim.claimId)
        expect(allocation.execution.legs).toContainEqual({
          claim: { claimId: claim.claimId },
          faceAmount: allocation.faceAmount,
        })
      }
      expect(claim.paidFaceValue === claim.faceValue).toBe(claim.state === 'SETTLED')
      let paid = 0n
      for (const { faceAmount, vaultsAmount, beneficiaryAmount, claim: of } of claim.settlements.nodes) {
        expect(of.claimId).toBe(claim.claimId)
        expect(BigInt(vaultsAmount) + BigInt(beneficiaryAmount)).toBe(BigInt(faceAmount))
        paid += BigInt(faceAmount)
      }
      expect(String(paid)).toBe(claim.paidFaceValue)
    }
  })

  it('give an account the settlements that it paid apart from those of its claims', async () => {
    const { data } = await ask(
      '{ settlements(first: 200) { nodes { payer { address } claim { claimId beneficiary { address } } } } }',
    )
    type Settled = {
      payer: { address: string }
      claim: { claimId: string; beneficiary: { address: string } }
    }
    const all: Settled[] = data.settlements.nodes
    const ids = (settled: readonly { claim: { claimId: string } }[]) =>
      settled.map(({ claim }) => claim.claimId).sort()
    const wallets = new Set(all.flatMap(({ payer, claim }) => [payer.address, claim.beneficiary.address]))
    for (const wallet of [...wallets].slice(0, 8)) {
      const list = '(first: 60) { totalCount nodes { claim { claimId } } }'
      const query = `{ account(address: "${wallet}") { settlementsPaid${list} settlementsReceived${list} } }`
      const { data: own, errors } = await ask(query)
      expect(errors).toBeUndefined()
      const { settlementsPaid, settlementsReceived } = own.account
      const paid = all.filter(({ payer }) => payer.address === wallet)
      const received = all.filter(({ claim }) => claim.beneficiary.address === wallet)
      expect([ids(settlementsPaid.nodes), settlementsPaid.totalCount]).toEqual([ids(paid), paid.length])
      expect([ids(settlementsReceived.nodes), settlementsReceived.totalCount]).toEqual([
        ids(received),
        received.length,
      ])
    }
  })

  it('give an account its claims, executions, positions and activity', async () => {
    const { address } = sharedAccount('wallet-1')
    const { data } = await ask(
      `query ($address: Address!) { account(address: $address) {
        address issuer { address }
        claims(first: 3) { totalCount nodes { beneficiary { address } } }
        executions(first: 200) { nodes { user { address } totalFace totalAdvance totalCost effectiveDiscountBps } }
        activity(first: 200) { nodes { wallet { address } kind at } }
        positions { nodes { owner { address } } }
      } }`,
      { address },
    )
    const { account } = data
    expect(account.issuer).toBeNull()
    expect(account.claims.totalCount).toBe(
      plan.claims.filter((claim) => plan.actors[claim.beneficiary]?.role === 'wallet-1').length,
    )
    for (const { user, totalFace, totalAdvance, totalCost, effectiveDiscountBps } of account.executions
      .nodes) {
      expect(user.address).toBe(account.address)
      expect(BigInt(totalCost)).toBe(BigInt(totalFace) - BigInt(totalAdvance))
      expect(effectiveDiscountBps).toBe(
        Number((BigInt(totalCost) * 10_000n + BigInt(totalFace) - 1n) / BigInt(totalFace)),
      )
    }
    const times = account.activity.nodes.map(({ at }: { at: string }) => at)
    expect(times.length).toBeGreaterThan(0)
    expect(times).toEqual([...times].sort().reverse())
  })

  it('show the terms that are submitted last as pending, and no terms that are in effect', async () => {
    const { data } = await ask(`{ vaults(first: 200) { nodes {
      address noticePeriod mandate { maxFace }
      pendingTerms { mandate { maxFace supportedTypes } pricing { baseDiscountBps } submittedAt effectiveAt }
    } } }`)
    const submissions = plan.steps.flatMap(({ at, actions }) =>
      actions.flatMap((action) => (action.kind === 'submitTerms' ? [{ ...action, at }] : [])),
    )
    const last = submissions.at(-1)
    if (!last) throw new Error('the plan submits no terms')
    const pending = data.vaults.nodes.filter(({ pendingTerms }: { pendingTerms: unknown }) => pendingTerms)
    const { supportedTypesBitmap, maxFace } = last.mandate
    const types = Array.from({ length: 256 }, (_, type) => type)
    const isoOf = (seconds: number) => new Date(seconds * 1000).toISOString().replace('.000', '')
    expect(pending).toEqual([
      {
        address: world.vaults[last.vault],
        noticePeriod: 172_800,
        mandate: { maxFace: expect.not.stringMatching(`^${maxFace}$`) },
        pendingTerms: {
          mandate: {
            maxFace: String(maxFace),
            supportedTypes: types.filter((type) => (supportedTypesBitmap >> BigInt(type)) & 1n),
          },
          pricing: { baseDiscountBps: last.pricing.baseDiscountBps },
          submittedAt: isoOf(last.at),
          effectiveAt: isoOf(last.at + 172_800),
        },
      },
    ])
  })

  it('give a vault its mandate, pricing, capital and history, which agree', async () => {
    const { data } = await ask(`{ vaults { nodes {
      active capital {
        totalAssets entryAssets writtenDown fundableLiquidity outstandingFace outstandingAdvance utilizationBps
      }
      capitalHistory(first: 1) { nodes { idleAssets outstandingFace outstandingAdvance } }
      days(last: 1) { nodes { idleAssets outstandingFace } }
    } } }`)
    expect(data.vaults.nodes).toHaveLength(plan.vaults.length)
    for (const { capital, capitalHistory, days } of data.vaults.nodes) {
      const { fundableLiquidity: idleAssets, outstandingFace, outstandingAdvance, totalAssets } = capital
      expect(capitalHistory.nodes).toEqual([{ idleAssets, outstandingFace, outstandingAdvance }])
      expect(days.nodes).toEqual([{ idleAssets, outstandingFace }])
      const atCost = BigInt(idleAssets) + BigInt(outstandingAdvance)
      const { entryAssets, writtenDown } = capital
      // Values are rounded down, and losses up.
      const lost = BigInt(entryAssets) - BigInt(totalAssets)
      expect([lost, lost - 1n, lost + 1n]).toContain(BigInt(writtenDown))
      expect(BigInt(entryAssets)).toBeGreaterThanOrEqual(atCost)
      expect(BigInt(entryAssets)).toBeLessThanOrEqual(BigInt(idleAssets) + BigInt(outstandingFace))
      expect(capital.utilizationBps).toBe(
        atCost === 0n ? 0 : Number((BigInt(outstandingAdvance) * 10_000n) / atCost),
      )
    }
  })
})

describe('every answer', () => {
  it('names the finalized block it was read at, in _meta and extensions alike', async () => {
    const { data, extensions } = await ask(
      '{ _meta { finalizedThrough { blockNumber timestamp } } a: _meta { finalizedThrough { blockNumber } } }',
    )
    expect(extensions.finalizedThrough).toEqual(data._meta.finalizedThrough)
    expect(data.a.finalizedThrough.blockNumber).toBe(data._meta.finalizedThrough.blockNumber)
  })

  it('has its fields in the order of the query, whichever of them is ready first', async () => {
    const { data } = await ask(
      '{ issuers(first: 1) { totalCount nodes { address } } claims(first: 1) { totalCount nodes { claimId } } _meta { __typename } }',
    )
    expect(Object.keys(data)).toEqual(['issuers', 'claims', '_meta'])
    expect(Object.keys(data.claims)).toEqual(['totalCount', 'nodes'])
  })

  it('reports its cost', async () => {
    const { extensions } = await ask('{ claims(first: 10) { nodes { claimId state } } }')
    expect(extensions.cost).toEqual({ cost: 103, maximum: 20_000 })
  })
})

describe('tokens', () => {
  it('are those of the manifest, with the metadata that they had when they were listed', async () => {
    const { tokens } = loadManifest(31_337)
    const fields = 'address name symbol decimals listed'
    const expected = tokens.map(({ resetsApproval: _, ...token }) => ({ ...token, listed: true }))
    const { data } = await ask(`{ tokens { nodes { ${fields} } } }`)
    expect(data.tokens.nodes).toHaveLength(expected.length)
    expect(data.tokens.nodes).toEqual(expect.arrayContaining(expected))
    const query = `query ($address: Address!) { token(address: $address) { ${fields} } }`
    expect((await ask(query, { address: tokens[1]?.address })).data.token).toEqual(expected[1])
    expect((await ask(query, { address: world.vaults[0] })).data.token).toBeNull()
  })
})

describe('the market per day', () => {
  it('adds up to the executions', async () => {
    const { data } = await ask(
      '{ tokenDays(first: 200) { nodes { token: tokenInfo { address } amount: faceFinanced } } executions(first: 200) { nodes { token: tokenInfo { address } amount: totalFace } } }',
    )
    const sumsByToken = (rows: { token: { address: string }; amount: string }[]) => {
      const sums: Record<string, bigint> = {}
      for (const { token, amount } of rows) sums[token.address] = (sums[token.address] ?? 0n) + BigInt(amount)
      return sums
    }
    expect(sumsByToken(data.tokenDays.nodes)).toEqual(sumsByToken(data.executions.nodes))
  })
})
