/** Reads as of earlier blocks, held against the chain at these blocks. `test/indexer/as-of.test.ts` has every field. */
import { createPublicClient, erc20Abi, http } from 'viem'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { claimRegistryAbi } from '../../abis/ClaimRegistry.ts'
import { financingVaultAbi } from '../../abis/FinancingVault.ts'
import { formatTime } from '../../api/domain/time.ts'
import { sharedAccount, sharedWorld } from '../support/world.ts'
import { readCsv } from './csv.ts'
import { type ReadGateway, startReadGateway } from './gateway.ts'

const STATES = ['NONE', 'ELIGIBLE', 'PARTIALLY_FUNDED', 'FULLY_FUNDED', 'SETTLED', 'REVOKED', 'CLOSED']
const { manifest, rpcUrl, claimIds } = sharedWorld()
const chain = createPublicClient({ chain: foundry, transport: http(rpcUrl) })

let gateway: ReadGateway
let last: number
beforeAll(async () => {
  gateway = await startReadGateway()
  last = (await json('/vaults')).finalizedThrough.blockNumber
})
afterAll(() => gateway.stop())

async function json(path: string, status = 200) {
  const response = await gateway.get(path)
  expect(response.status, path).toBe(status)
  return response.json()
}

async function ask(query: string) {
  const response = await gateway.app.request('/api/v1/graphql', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  return response.json()
}

/** Blocks of the history, the first and the last included. */
const blocks = () => Array.from({ length: 8 }, (_, i) => Math.floor((last * i) / 7))

describe('a read as of an earlier block', () => {
  it('has the claims as the registry had them, and none before their registration', async () => {
    const states = new Set<string>()
    for (const block of blocks()) {
      for (const id of claimIds.slice(0, 12)) {
        const held = await chain
          .readContract({
            abi: claimRegistryAbi,
            address: manifest.contracts.claimRegistry,
            functionName: 'claim',
            args: [id],
            blockNumber: BigInt(block),
          })
          .catch(() => undefined)
        const state = STATES[held?.state ?? 0] ?? ''
        states.add(state)
        const path = `/claims/${id}?asOfBlock=${block}`
        if (!held || state === 'NONE') {
          expect(await json(path, 404)).toMatchObject({ code: 'CLAIM_NOT_FOUND' })
          continue
        }
        expect(await json(path)).toMatchObject({
          state,
          financedFaceValue: held.financedFaceValue.toString(),
          paidFaceValue: held.paidFaceValue.toString(),
          sliceCount: held.sliceCount,
          finalizedThrough: { blockNumber: block },
        })
      }
    }
    expect(states.size).toBeGreaterThan(3)
  })

  it('has the value of each vault and the balances of a wallet as the contracts had them', async () => {
    const wallet = sharedAccount('wallet-1').address
    let compared = 0
    for (const block of blocks()) {
      const at = { blockNumber: BigInt(block) }
      const { timestamp } = await chain.getBlock(at)
      const { items, finalizedThrough } = await json(`/vaults?active=all&limit=200&asOfBlock=${block}`)
      expect(finalizedThrough).toEqual({ blockNumber: block, timestamp: formatTime(timestamp) })
      for (const { address, capital } of items) {
        const of = { abi: financingVaultAbi, address, ...at } as const
        expect([block, address, capital.totalAssets, capital.totalShares, capital.entryAssets]).toEqual([
          block,
          address,
          String(await chain.readContract({ ...of, functionName: 'totalAssets' })),
          String(await chain.readContract({ ...of, functionName: 'totalSupply' })),
          String(await chain.readContract({ ...of, functionName: 'entryAssets' })),
        ])
        compared += 1
      }
      const { balances } = await json(`/account/${wallet}?asOfBlock=${block}`)
      for (const { token, balance } of balances) {
        const held = await chain
          .readContract({ abi: erc20Abi, address: token, functionName: 'balanceOf', args: [wallet], ...at })
          .catch(() => 0n)
        expect([block, token, balance]).toEqual([block, token, String(held)])
      }
    }
    expect(compared).toBeGreaterThan(30)
  })

  it('takes a time for the last block until then', async () => {
    const block = Math.floor(last / 2)
    const { timestamp } = await chain.getBlock({ blockNumber: BigInt(block) })
    const { timestamp: next } = await chain.getBlock({ blockNumber: BigInt(block + 1) })
    const through = async (time: bigint) => {
      const answer = await json(`/vaults?asOfTime=${encodeURIComponent(formatTime(time))}`)
      return answer.finalizedThrough.blockNumber
    }
    expect(next).toBeGreaterThan(timestamp)
    expect(await through(timestamp)).toBe(block)
    expect(await through(next - 1n)).toBe(block)
    expect(await through(next)).toBe(block + 1)
  })

  it('exports the rows of that block, and names it', async () => {
    const block = Math.floor(last / 2)
    const response = await gateway.get(`/exports/claims.csv?asOfBlock=${block}&columns=claimId,state`)
    expect(response.status).toBe(200)
    expect(response.headers.get('x-finalized-through')).toBe(String(block))
    expect(response.headers.get('content-disposition')).toContain(`claims-${block}.csv`)
    const rows = readCsv(await response.text()).slice(1)
    const { data } = await ask(
      `{ claims(first: 200, asOf: { block: ${block} }) { nodes { claimId state } } }`,
    )
    expect(rows.length).toBeGreaterThan(3)
    expect(rows).toEqual(
      data.claims.nodes.map(({ claimId, state }: Record<string, string>) => [claimId, state]),
    )
  })

  it('stands beside reads of the present and of other blocks', async () => {
    const [id] = claimIds
    const { registeredBlock } = await json(`/claims/${id}`)
    const claim = (asOf: string) => `claim(claimId: "${id}"${asOf}) { state changedAt }`
    const { data, extensions } = await ask(`{
      before: ${claim(`, asOf: { block: ${registeredBlock - 1} }`)}
      after: ${claim(`, asOf: { block: ${registeredBlock} }`)}
      now: ${claim('')}
      _meta(asOf: { block: ${registeredBlock} }) { finalizedThrough { blockNumber } }
    }`)
    expect(data).toMatchObject({
      before: null,
      after: { state: 'ELIGIBLE' },
      _meta: { finalizedThrough: { blockNumber: registeredBlock } },
    })
    expect(data.now).not.toEqual(data.after)
    expect(extensions.finalizedThrough.blockNumber).toBe(last)
    const mixed = await ask(`{ after: ${claim(`, asOf: { block: ${registeredBlock} }`)} now: ${claim('')} }`)
    expect(mixed.extensions.finalizedThrough.blockNumber).toBe(last)
  })

  it('is of nothing at the first block', async () => {
    const { data, errors } = await ask(`{
      claims(asOf: { block: 0 }) { totalCount } vaults(asOf: { block: 0 }) { totalCount }
      claimAggregates(asOf: { block: 0 }) { nodes { count } } router(asOf: { block: ${manifest.startBlock} }) { paused }
    }`)
    expect(errors).toBeUndefined()
    expect(data).toEqual({
      claims: { totalCount: 0 },
      vaults: { totalCount: 0 },
      claimAggregates: { nodes: [] },
      router: { paused: false },
    })
  })
})

describe('a read as of a block is refused', () => {
  it.each([
    ['asOfBlock=999999999999999', 409, 'AS_OF_NOT_FINAL'],
    ['asOfTime=9999-12-31T23:59:59Z', 409, 'AS_OF_NOT_FINAL'],
    ['asOfTime=1970-01-01T00:00:00Z', 400, 'VALIDATION_FAILED'],
    ['asOfBlock=-1', 400, 'VALIDATION_FAILED'],
    ['asOfBlock=1.5', 400, 'VALIDATION_FAILED'],
    ['asOfBlock=1&asOfTime=2026-01-01T00:00:00Z', 400, 'VALIDATION_FAILED'],
  ])('for %s', async (query, status, code) => {
    expect(await json(`/vaults?${query}`, status)).toMatchObject({ code })
    expect(await json(`/exports/vaults.csv?${query}`, status)).toMatchObject({ code })
  })

  it('for neither or both of a block and a time, in GraphQL', async () => {
    for (const asOf of ['{}', '{ block: 1, time: "2026-01-01T00:00:00Z" }']) {
      const { errors } = await ask(`{ vaults(asOf: ${asOf}) { totalCount } }`)
      expect(errors[0].extensions.code).toBe('VALIDATION_FAILED')
    }
  })

  it('for the router before its deployment', async () => {
    const { errors } = await ask('{ router(asOf: { block: 0 }) { paused } }')
    expect(errors[0].extensions.code).toBe('NOT_IN_PAST')
  })

  it('for a cursor of another block or of the present, and there for a cursor of the block', async () => {
    const message = expect.stringContaining('as of the same block')
    const page = (given: string, inner = '') =>
      ask(`{ claims(first: 2${given}) { nodes { claimId ${inner} } pageInfo { endCursor } } }`)
    const at = (block: number) => `, asOf: { block: ${block} }`
    const cursorOf = async (given: string) => {
      const { data } = await page(given)
      return `, after: "${data.claims.pageInfo.endCursor}"`
    }
    const [own, present] = [await cursorOf(at(last)), await cursorOf('')]
    const { data } = await page(`${at(last)}${own}`)
    expect(data.claims.nodes).toEqual((await page(present)).data.claims.nodes)
    for (const given of [`${at(last - 1)}${own}`, `${at(last)}${present}`, own]) {
      const { errors } = await page(given)
      expect([given, errors]).toEqual([
        given,
        [
          expect.objectContaining({
            path: ['claims'],
            extensions: expect.objectContaining({
              code: 'VALIDATION_FAILED',
              errors: [{ path: 'after', message }],
            }),
          }),
        ],
      ])
    }
  })

  it('for a cursor of another block in REST, and in a list below another field', async () => {
    const list = (block: number) => `/vaults?active=all&limit=1&asOfBlock=${block}`
    const { nextCursor } = await json(list(last))
    expect((await json(`${list(last)}&cursor=${nextCursor}`)).items).toHaveLength(1)
    expect(await json(`${list(last - 1)}&cursor=${nextCursor}`, 400)).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ path: 'cursor' }],
    })
    const history = (block: number, after: string) =>
      ask(`query { vaults(first: 1, asOf: { block: ${block} }) {
        nodes { capitalHistory(first: 1${after}) { pageInfo { endCursor } } }
      } }`)
    const { data } = await history(last, '')
    const after = `, after: "${data.vaults.nodes[0].capitalHistory.pageInfo.endCursor}"`
    expect((await history(last, after)).errors).toBeUndefined()
    const { errors } = await history(last - 1, after)
    expect(errors[0].extensions.code).toBe('VALIDATION_FAILED')
  })

  it('where a field has no past, which the error names', async () => {
    const { errors } = await ask(
      `{ vaults(first: 1, asOf: { block: ${last} }) { nodes { pendingTerms { effectiveAt } } } }`,
    )
    expect(errors[0]).toMatchObject({
      extensions: { code: 'NOT_IN_PAST' },
      path: ['vaults', 'nodes', 'pendingTerms'],
    })
  })
})
