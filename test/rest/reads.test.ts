/** Every REST read over the shared world, held against the chain's own views at the block that the answer names. */
import { createPublicClient, erc20Abi, http } from 'viem'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { claimRegistryAbi } from '../../abis/ClaimRegistry.ts'
import { financingVaultAbi } from '../../abis/FinancingVault.ts'
import { sharedAccount, sharedPlan, sharedWorld } from '../support/world.ts'
import { type ReadGateway, startReadGateway } from './gateway.ts'

const STATES = ['NONE', 'ELIGIBLE', 'PARTIALLY_FUNDED', 'FULLY_FUNDED', 'SETTLED', 'REVOKED', 'CLOSED']
const { manifest, rpcUrl, claimIds } = sharedWorld()
const chain = createPublicClient({ chain: foundry, transport: http(rpcUrl) })
const DAY = 86_400
const wallets = ['wallet-1', 'wallet-2', 'wallet-3'] as const

let gateway: ReadGateway
beforeAll(async () => {
  gateway = await startReadGateway()
})
afterAll(() => gateway.stop())

const pageShape = z.looseObject({
  items: z.array(z.record(z.string(), z.unknown())),
  nextCursor: z.string().nullable(),
  finalizedThrough: z.object({ blockNumber: z.number() }),
})

async function getJson(path: string) {
  const response = await gateway.get(path)
  expect(response.status, path).toBe(200)
  return response.json()
}

type Part = { faceAmount: string; advanceAmount: string; fundedAt: string }

/** Face of an allocation that is not repaid, and its advance. */
function unpaidOf({ faceAmount, advanceAmount }: Part, repaid: bigint) {
  const [face, advance] = [BigInt(faceAmount), BigInt(advanceAmount)]
  return { face: face - repaid, advance: advance - (advance * repaid) / face }
}

/** The value of what is unpaid of an allocation, rounded down. */
function carryingValueOf(
  dueDate: number,
  { face, advance }: { face: bigint; advance: bigint },
  fundedAt: string,
  now: number,
): bigint {
  const overdueFrom = (Math.floor(dueDate / DAY) + 1) * DAY
  const left = BigInt(Math.max(0, 90 * DAY - (now - overdueFrom)))
  if (now >= overdueFrom) return (face * left) / BigInt(90 * DAY)
  const funded = Date.parse(fundedAt) / 1000
  return advance + ((face - advance) * BigInt(now - funded)) / BigInt(overdueFrom - funded)
}

/** All items of a list, page by page. */
async function walk(path: string, limit: number) {
  const items: Record<string, unknown>[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page = pageShape.parse(await getJson(`${path}?limit=${limit}${cursor && `&cursor=${cursor}`}`))
    expect(page.items.length).toBeLessThanOrEqual(limit)
    items.push(...page.items)
    cursor = page.nextCursor
  }
  return items
}

describe('GET /claims/:claimId', () => {
  it("says of every claim what the registry says at the answer's block", async () => {
    for (const claimId of claimIds) {
      const claim = await getJson(`/claims/${claimId}`)
      const blockNumber = BigInt(claim.finalizedThrough.blockNumber)
      const read = { address: manifest.contracts.claimRegistry, abi: claimRegistryAbi, blockNumber }
      const onChain = await chain.readContract({ ...read, functionName: 'claim', args: [claimId] })
      const allocations = await chain.readContract({ ...read, functionName: 'allocations', args: [claimId] })
      expect(claim).toMatchObject({
        claimId,
        issuer: onChain.issuer.toLowerCase(),
        beneficiary: onChain.beneficiary.toLowerCase(),
        token: onChain.token.toLowerCase(),
        faceValue: `${onChain.faceValue}`,
        financedFaceValue: `${onChain.financedFaceValue}`,
        remainingFace: `${onChain.faceValue - onChain.financedFaceValue}`,
        dueDateUnix: Number(onChain.dueDate),
        claimType: onChain.claimType,
        sliceCount: onChain.sliceCount,
        slicesRemaining: 8 - onChain.sliceCount,
        state: STATES[onChain.state],
      })
      expect(Date.parse(claim.dueDate)).toBe(Number(onChain.dueDate) * 1000)
      expect(
        claim.allocations.map((part: Record<string, string>) => [
          part.vault,
          part.faceAmount,
          part.advanceAmount,
        ]),
      ).toEqual(
        allocations.map((part) => [part.vault.toLowerCase(), `${part.faceAmount}`, `${part.advanceAmount}`]),
      )
    }
  })

  it('has the value of each allocation, which grows until the end of the due day, and then declines to zero', async () => {
    const ratios: number[] = []
    for (const claimId of claimIds) {
      const claim = await getJson(`/claims/${claimId}`)
      const now = Date.parse(claim.finalizedThrough.timestamp) / 1000
      for (const part of claim.allocations) {
        const unpaid = unpaidOf(part, BigInt(part.repaidFace))
        const value = carryingValueOf(claim.dueDateUnix, unpaid, part.fundedAt, now)
        const difference = BigInt(part.carryingValue) - value
        expect([-1n, 0n, 1n], `${claimId} ${part.sliceIndex}`).toContain(difference)
        expect(part.repaidAt === null).toBe(unpaid.face > 0n)
        if (unpaid.face > 0n) ratios.push(Number(part.carryingValue) / Number(unpaid.advance))
      }
    }
    // The world has a slice without value, slices that lose value, and slices that gain value.
    expect(Math.min(...ratios)).toBe(0)
    expect(ratios.some((ratio) => ratio > 0 && ratio < 1)).toBe(true)
    expect(ratios.some((ratio) => ratio > 1)).toBe(true)
  })

  it('distinguishes matured claims from others at the time of the block that was read', async () => {
    const claims = await Promise.all(claimIds.map((claimId) => getJson(`/claims/${claimId}`)))
    const matured = claims.filter((claim) => claim.matured)
    expect(matured.length).toBeGreaterThan(0)
    expect(matured.length).toBeLessThan(claims.length)
    for (const claim of claims) {
      expect(claim.matured).toBe(Date.parse(claim.dueDate) <= Date.parse(claim.finalizedThrough.timestamp))
    }
  })
})

describe('GET /vaults', () => {
  it("lists the active vaults with what each says of itself at the answer's block", async () => {
    const page = await getJson('/vaults?limit=200')
    const planned = sharedPlan().vaults
    expect(page.items.length).toBe(planned.filter(({ character }) => character !== 'inactive').length)
    const blockNumber = BigInt(page.finalizedThrough.blockNumber)
    for (const vault of page.items) {
      const read = { address: vault.address, abi: financingVaultAbi, blockNumber } as const
      const share = [10n ** BigInt(vault.shareDecimals)] as const
      expect(vault.shareDecimals).toBe(vault.tokenInfo.decimals + 6)
      const [mandate, pricing, liquidity, totalAssets, totalSupply, entryAssets, exit, entry] =
        await Promise.all([
          chain.readContract({ ...read, functionName: 'mandate' }),
          chain.readContract({ ...read, functionName: 'pricing' }),
          chain.readContract({ ...read, functionName: 'fundableLiquidity' }),
          chain.readContract({ ...read, functionName: 'totalAssets' }),
          chain.readContract({ ...read, functionName: 'totalSupply' }),
          chain.readContract({ ...read, functionName: 'entryAssets' }),
          chain.readContract({ ...read, functionName: 'convertToAssets', args: share }),
          chain.readContract({ ...read, functionName: 'previewMint', args: share }),
        ])
      expect(vault.active).toBe(true)
      expect(vault.fundableLiquidity).toBe(`${liquidity}`)
      expect(vault.capital).toMatchObject({
        totalAssets: `${totalAssets}`,
        fundableLiquidity: `${liquidity}`,
        totalShares: `${totalSupply}`,
        entryAssets: `${entryAssets}`,
        sharePrice: `${exit}`,
        entryPrice: `${entry}`,
      })
      expect(vault.mandate).toMatchObject({
        supportedTypesBitmap: `${mandate.supportedTypesBitmap}`,
        minDurationDays: mandate.minDurationDays,
        maxDurationDays: mandate.maxDurationDays,
        minFace: `${mandate.minFace}`,
        maxFace: `${mandate.maxFace}`,
        maxClaimFace: `${mandate.maxClaimFace}`,
        maxIssuerFace: `${mandate.maxIssuerFace}`,
      })
      expect(vault.pricing).toEqual({ ...pricing, premiumBps: [...pricing.premiumBps] })
      for (const type of vault.mandate.supportedTypes) {
        expect((mandate.supportedTypesBitmap >> BigInt(type)) & 1n).toBe(1n)
      }
    }
  })

  it('lists inactive vaults on request, and the vaults of one token', async () => {
    const { items: all } = await getJson('/vaults?active=all&limit=200')
    const { items: inactive } = await getJson('/vaults?active=false')
    expect(all.length).toBe(sharedPlan().vaults.length)
    expect(inactive.length).toBe(1)
    const [token] = manifest.tokens
    const { items: ofToken } = await getJson(`/vaults?token=${token?.address}`)
    expect(ofToken.length).toBeGreaterThan(0)
    for (const vault of ofToken) expect(vault.token).toBe(token?.address)
    for (const { address } of manifest.tokens) {
      const own = ({ token }: { token: string }) => token === address
      expect((await getJson(`/vaults?active=all&token=${address}`)).items).toEqual(all.filter(own))
      expect((await getJson(`/vaults?active=false&token=${address}`)).items).toEqual(inactive.filter(own))
    }
  })

  it('comes in pages that join without gap or overlap', async () => {
    const whole = await getJson('/vaults?limit=200')
    expect(await walk('/vaults', 3)).toEqual(whole.items)
    expect(whole.nextCursor).toBeNull()
  })
})

describe('GET /account/:wallet', () => {
  it("has the balances that the tokens say at the answer's block, and every claim the wallet owns", async () => {
    for (const role of wallets) {
      const { address } = sharedAccount(role)
      const account = await getJson(`/account/${address}?limit=200`)
      const blockNumber = BigInt(account.finalizedThrough.blockNumber)
      for (const { token, balance } of account.balances) {
        const args = [address] as const
        const read = { address: token, abi: erc20Abi, functionName: 'balanceOf', args, blockNumber } as const
        expect(balance).toBe(`${await chain.readContract(read)}`)
      }
      expect(account.balances.length).toBe(manifest.tokens.length)
      const owned = sharedPlan().claims.flatMap(({ beneficiary }, i) =>
        sharedPlan().actors[beneficiary]?.role === role ? [claimIds[i]] : [],
      )
      expect(account.claims.items.map((claim: { claimId: string }) => claim.claimId).sort()).toEqual(
        owned.sort(),
      )
    }
  })

  it('has the vault shares that the vaults say, with their value and the part that can be withdrawn', async () => {
    const lender = sharedAccount('lender-1')
    const account = await getJson(`/account/${lender.address}`)
    expect(account.positions.length).toBeGreaterThan(0)
    const blockNumber = BigInt(account.finalizedThrough.blockNumber)
    const args = [lender.address] as const
    for (const { vault, shares, assets, withdrawableNow, costBasis, unrealizedGain } of account.positions) {
      const read = { address: vault, abi: financingVaultAbi, blockNumber } as const
      const held = await chain.readContract({ ...read, functionName: 'balanceOf', args })
      const value = await chain.readContract({ ...read, functionName: 'convertToAssets', args: [held] })
      const withdrawable = await chain.readContract({ ...read, functionName: 'maxWithdraw', args })
      expect([shares, assets, withdrawableNow]).toEqual([`${held}`, `${value}`, `${withdrawable}`])
      expect(BigInt(assets) - BigInt(costBasis)).toBe(BigInt(unrealizedGain))
    }
  })

  it('answers for a wallet that nobody has seen, in whatever case it is written', async () => {
    const account = await getJson(`/account/0x${'AB'.repeat(20)}`)
    expect(account).toMatchObject({ wallet: `0x${'ab'.repeat(20)}`, claims: { items: [], nextCursor: null } })
    for (const { balance } of account.balances) expect(balance).toBe('0')
  })
})

describe('GET /activity/:wallet', () => {
  it('is newest first, in pages that join, with every execution of the wallet', async () => {
    const { address } = sharedAccount('wallet-1')
    const items = await walk(`/activity/${address}`, 7)
    const ids = items.map(({ id }) => BigInt(String(id)))
    expect(ids).toEqual(ids.toSorted((a, b) => Number(b - a)))
    expect(new Set(ids).size).toBe(ids.length)
    const executions = items.filter(({ kind }) => kind === 'EXECUTION')
    expect(executions.length).toBeGreaterThan(0)
    for (const { executionId, amount } of executions) {
      const execution = await getJson(`/executions/${executionId}`)
      expect(execution).toMatchObject({ status: 'EXECUTED', user: address, totalAdvance: amount })
    }
    expect(new Set(items.map(({ kind }) => kind))).toContain('SETTLEMENT_RECEIVED')
  })
})

describe('GET /executions/:executionId', () => {
  it('has legs that add up to its totals', async () => {
    const { address } = sharedAccount('wallet-1')
    const items = await walk(`/activity/${address}`, 200)
    for (const { executionId } of items.filter(({ kind }) => kind === 'EXECUTION')) {
      const execution = await getJson(`/executions/${executionId}`)
      const sum = (field: string) =>
        execution.legs.reduce(
          (total: bigint, leg: Record<string, string>) => total + BigInt(leg[field] ?? ''),
          0n,
        )
      const token = manifest.tokens.find((one) => one.address === execution.token)
      expect(token).toMatchObject(execution.tokenInfo)
      expect(`${sum('faceAmount')}`).toBe(execution.totalFace)
      expect(`${sum('advanceAmount')}`).toBe(execution.totalAdvance)
      expect(BigInt(execution.totalFace) - BigInt(execution.totalAdvance)).toBe(BigInt(execution.totalCost))
    }
  })
})

describe('every read', () => {
  const paths = () => [
    `/claims/${claimIds[0]}`,
    '/vaults',
    `/account/${sharedAccount('wallet-1').address}`,
    `/activity/${sharedAccount('wallet-1').address}`,
  ]

  it('names its finalized block in header and body', async () => {
    for (const path of paths()) {
      const response = await gateway.get(path)
      const { finalizedThrough } = await response.json()
      expect(response.headers.get('X-Finalized-Through')).toBe(`${finalizedThrough.blockNumber}`)
    }
  })

  it.each([
    ['kept', {}],
    ['read again', { KEPT_ANSWERS_SIZE: '0' }],
  ])(
    'that is %s is a 304 for a request with its ETag, and a 200 for one with another',
    async (_, settings) => {
      const own = await startReadGateway(settings)
      for (const path of paths()) {
        const first = await own.get(path)
        const tag = first.headers.get('ETag') ?? ''
        expect(tag).toMatch(/^"[0-9a-f]{64}"$/)
        expect(first.headers.get('Cache-Control')).toBe('no-cache')
        const again = await own.get(path, { 'If-None-Match': tag })
        expect([again.status, await again.text()]).toEqual([304, ''])
        for (const name of ['X-Finalized-Through', 'ETag', 'Cache-Control', 'Content-Security-Policy'])
          expect([name, again.headers.get(name)]).toEqual([name, first.headers.get(name)])
        expect((await own.get(path, { 'If-None-Match': '"another"' })).status).toBe(200)
      }
      await own.stop()
    },
  )

  it('answers an unknown id with a 404 that says what was looked for and where', async () => {
    const unknown = `0x${'0'.repeat(64)}`
    for (const [path, code] of [
      [`/claims/${unknown}`, 'CLAIM_NOT_FOUND'],
      [`/executions/${unknown}`, 'EXECUTION_NOT_FOUND'],
    ]) {
      const response = await gateway.get(path ?? '')
      expect(response.status).toBe(404)
      expect(response.headers.get('Content-Type')).toBe('application/problem+json')
      const problem = await response.json()
      expect(problem.code).toBe(code)
      expect(problem.detail).toContain(unknown)
      expect(problem.requestId).toBe(response.headers.get('X-Request-Id'))
    }
  })
})

describe('readiness', () => {
  it('names the finalized block once the first index is complete', async () => {
    const ready = await getJson('/health/ready')
    expect(ready.status).toBe('ready')
    expect(ready.finalizedThrough.blockNumber).toBeGreaterThan(0)
  })
})
