/** Parts of the expected answers: times, discounts, signatures, and the plans that a client keeps. */
import { numberToHex, serializeSignature, toFunctionSelector } from 'viem'
import { describe, expect, it } from 'vitest'
import { preparePermitted } from '../../packages/client/src/permit.ts'
import { createRest } from '../../packages/client/src/rest.ts'
import { attestation } from '../../packages/client/src/verify/attestation.ts'
import { settlement } from '../../packages/client/src/verify/claims.ts'
import { at, Rule } from '../../packages/client/src/verify/compare.ts'
import { financing } from '../../packages/client/src/verify/financing.ts'
import { legsOf, secondsAt, timeOf } from '../../packages/client/src/verify/parts.ts'
import { signedPermitIn } from '../../packages/client/src/verify/permit.ts'
import { createPlans } from '../../packages/client/src/verify/plans.ts'
import type { Prepared } from '../../packages/client/src/verify/prepared.ts'
import { route } from '../../packages/client/src/verify/route.ts'
import { deposit, withdrawal } from '../../packages/client/src/verify/vaults.ts'

describe('a time', () => {
  it('is written to the second, up to the last one that has four digits of the year', () => {
    expect(timeOf(0n)).toBe('1970-01-01T00:00:00Z')
    expect(timeOf(253_402_300_799n)).toBe('9999-12-31T23:59:59Z')
    expect(timeOf(2n ** 64n)).toBe('9999-12-31T23:59:59Z')
  })

  it('is read without the parts of its second', () => {
    expect(secondsAt({ at: '2026-01-01T00:00:00.999Z' }, 'at')).toBe(1_767_225_600n)
    expect(() => secondsAt({ at: 'soon' }, 'at')).toThrow('it must be a time')
  })
})

it('a discount is rounded up to a basis point, and is none of nothing', () => {
  const discountOf = (faceAmount: bigint, advanceAmount: bigint) => {
    const leg = {
      claimId: '0x01',
      vault: '0x02',
      faceAmount,
      minimumAdvanceAmount: 0n,
      advanceAmount,
    } as const
    return legsOf([leg]).totals
  }
  expect(discountOf(10_001n, 10_000n)).toMatchObject({ totalCost: '1', effectiveDiscountBps: 1 })
  expect(discountOf(20_000n, 19_998n)).toMatchObject({ totalCost: '2', effectiveDiscountBps: 1 })
  expect(discountOf(0n, 0n)).toMatchObject({ totalCost: '0', effectiveDiscountBps: 0 })
})

it.each([0, 1])('a permit has the recovery id of its signature, with the parity %i', (yParity) => {
  const [r, s] = [`0x${'1'.repeat(64)}`, `0x${'2'.repeat(64)}`] as const
  const permit = { deadline: '2026-01-01T00:00:00Z', signature: serializeSignature({ r, s, yParity }) }
  expect(signedPermitIn({ body: { permit } })).toEqual([1_767_225_600n, 27 + yParity, r, s])
})

describe('the plans of a client', () => {
  const keepMany = (ids: readonly number[]) => {
    const plans = createPlans()
    for (const [requestedAt, id] of ids.entries())
      plans.keep({}, { routeId: `${id}`, result: { legs: [id] } }, requestedAt)
    return plans
  }
  const upTo = (count: number) => Array.from({ length: count }, (_, id) => id)

  it('are the latest hundred', () => {
    const plans = keepMany(upTo(101))
    expect([0, 1, 100].map((id) => plans.find(`${id}`)?.legs)).toEqual([undefined, [1], [100]])
  })

  it('keep a route that was planned again as the latest one', () => {
    const plans = keepMany([...upTo(100), 0, 100])
    expect([0, 1, 2].map((id) => plans.find(`${id}`)?.requestedAt)).toEqual([100, undefined, 2])
  })

  it('have none that is not executable', () => {
    const plans = createPlans()
    plans.keep({}, { routeId: null, result: {} }, 0)
    expect(plans.find(null)).toBeUndefined()
  })
})

const addressOf = (digit: number) => `0x${`${digit}`.repeat(40)}` as const
const CLAIM = `0x${'c'.repeat(64)}` as const
const [WALLET, TOKEN, VAULT] = [addressOf(1), addressOf(2), addressOf(3)]
const [ROUTER, REGISTRY] = [addressOf(4), addressOf(5)]
const noChain = () => Promise.reject(new Error('the chain is not asked'))

/** A request and its answer, of the wallet. The chain is asked for nothing but what `facts` has. */
const preparedOf = (request: object, answer: object, facts: Partial<Prepared> = {}): Prepared => ({
  path: '',
  request,
  answer,
  wallet: WALLET,
  requestedAt: 1_767_225_600_000,
  deployment: {
    chainId: 31_337,
    contracts: { claimRegistry: REGISTRY, financingRouter: ROUTER },
    tokens: [],
  },
  readClaim: noChain,
  callContract: noChain,
  ...facts,
})

describe('an attestation', () => {
  const facts = {
    beneficiary: WALLET,
    token: TOKEN,
    faceValue: '1000',
    dueDate: '2026-06-01T00:00:00Z',
    documentHash: CLAIM,
  }
  const answer = { validUntil: '2026-01-01T12:00:00Z' }

  it('has the requested claim type, by default the first one', () => {
    const typeOf = (body: object) =>
      at(attestation(preparedOf({ body: { ...facts, ...body } }, answer)), 'typedData.message.claimType')
    expect([typeOf({ claimType: 7 }), typeOf({})]).toEqual(['7', '0'])
  })

  it('is valid until the requested time, or until the time of the answer where none was requested', () => {
    const expectedOf = (body: object) => {
      const expected = attestation(preparedOf({ body: { ...facts, ...body } }, answer))
      return [at(expected, 'validUntil'), at(expected, 'typedData.message.validUntil')]
    }
    expect(expectedOf({ validUntil: '2026-03-01T00:00:00Z' })).toEqual([
      '2026-03-01T00:00:00Z',
      `${Date.UTC(2026, 2, 1) / 1000}`,
    ])
    expect(expectedOf({})).toEqual(['2026-01-01T12:00:00Z', `${Date.UTC(2026, 0, 1, 12) / 1000}`])
  })
})

describe('a settlement', () => {
  const SETTLE = toFunctionSelector('settle(bytes32,address,uint256)')
  const claim = { token: TOKEN, beneficiary: addressOf(6), faceValue: 1000n, dueDate: 1n }
  const expectedOf = (amount: string | undefined, answer: object) => {
    const request = { params: { path: { claimId: CLAIM } }, body: { amount } }
    return settlement(preparedOf(request, answer, { readClaim: async () => claim }))
  }
  const answerOf = (data: string, faceAmount: string) => ({
    transaction: { data },
    faceAmount,
    approvals: [{}],
    repayments: [{ faceAmount: '300' }, { faceAmount: '200' }],
    tokenInfo: null,
  })

  const ruleAt = (expected: unknown, path: string): Rule => {
    const rule = at(expected, path)
    if (rule instanceof Rule) return rule
    throw new Error(`${path} has no rule`)
  }

  it.each([
    ['500', '500', '501'],
    // The face is the most that a claim is paid.
    ['1001', '1000', '1001'],
    [undefined, '1000', '1001'],
    // Nothing is no missing amount.
    ['0', '0', '1'],
  ])('of %s pays at most %s, and not %s', async (amount, most, more) => {
    const settled = await expectedOf(amount, answerOf(SETTLE, most))
    expect([most, more].map(ruleAt(settled, 'faceAmount').matches)).toEqual([true, false])
    const paid = await expectedOf(amount, answerOf('0x12', most))
    expect(at(paid, 'faceAmount')).toBe(most)
    expect(ruleAt(paid, 'transaction.data').words).toBe(`the call \`pay(${CLAIM}, ${TOKEN}, ${most})\``)
  })

  it('leaves to the beneficiary what the vaults do not get, also where that is nothing', async () => {
    const restOf = async (paid: string) =>
      ruleAt(await expectedOf('1000', answerOf(SETTLE, paid)), 'beneficiaryAmount')
    expect(['100', '600'].map((await restOf('600')).matches)).toEqual([true, false])
    expect((await restOf('500')).matches('0')).toBe(true)
  })
})

describe('a route', () => {
  const planned = [
    { claimId: CLAIM, vault: VAULT, faceAmount: '1000' },
    { claimId: CLAIM, vault: TOKEN, faceAmount: '500' },
  ]
  const expectedOf = (body: object, deadline = '2026-01-01T00:05:00Z') => {
    const message = { token: TOKEN, nonce: '7' }
    const legs = [{ minimumAdvanceAmount: '900' }, { minimumAdvanceAmount: '450' }]
    const answer = { deadline, legs, tokenInfo: null, typedData: { message } }
    const plan = {
      body: { claimIds: [CLAIM], targetAdvance: '1200', ...body },
      legs: planned,
      requestedAt: Date.UTC(2026),
    }
    return route(preparedOf({}, answer, { plan }))
  }

  it('has the requested maximum face, by default the face of its legs', () => {
    const mostOf = (body: object) => at(expectedOf(body), 'typedData.message.maxTotalFace')
    expect([mostOf({ maxTotalFace: '2000' }), mostOf({})]).toEqual(['2000', '1500'])
  })

  it('costs at most what was requested, also where that is nothing', () => {
    expect(at(expectedOf({ maxTotalCost: '150' }), 'totals.totalCost')).toBe('150')
    for (const maxTotalCost of ['149', '0'])
      expect(() => expectedOf({ maxTotalCost }), maxTotalCost).toThrow('`totals.totalCost`')
    expect(() => expectedOf({ maxTotalFace: '0' })).toThrow('`totals.totalFace`')
  })

  it('has a deadline within the requested seconds and 300 more for clock skew', () => {
    const body = { routeDeadlineSeconds: 30 }
    expect(at(expectedOf(body, '2026-01-01T00:05:30Z'), 'deadline')).toBe('2026-01-01T00:05:30Z')
    expect(() => expectedOf(body, '2026-01-01T00:05:31Z')).toThrow('`deadline`')
    expect(() => expectedOf({}, '2026-01-01T00:10:01Z')).toThrow('`deadline`')
  })

  it('states the token as the gateway does where the deployment does not know it', () => {
    expect(at(expectedOf({}), 'tokenInfo')).toBeNull()
  })
})

describe('a financing', () => {
  it('advances at least the requested amount, also where that is nothing, by default that of the answer', async () => {
    const readClaim: Prepared['readClaim'] = async () => ({
      token: TOKEN,
      beneficiary: WALLET,
      faceValue: 1000n,
      dueDate: 1n,
    })
    const leastOf = async (body: object) => {
      const request = { body: { claimId: CLAIM, vault: VAULT, faceAmount: '1000', ...body } }
      const legs = [{ advanceAmount: '900' }]
      const answer = { deadline: '2026-01-01T00:05:00Z', legs, tokenInfo: null }
      const expected = await financing(preparedOf(request, answer, { readClaim }))
      return at(expected, 'legs.0.minimumAdvanceAmount')
    }
    const least = [{ minimumAdvanceAmount: '800' }, { minimumAdvanceAmount: '0' }, {}].map(leastOf)
    expect(await Promise.all(least)).toEqual(['800', '0', '900'])
  })
})

/** The figures of a vault by the call that reads them, beside those that make it a vault of the registry. */
const vaultWith = (figures: Readonly<Record<string, bigint>>): Prepared['callContract'] => {
  const ofRegistry = {
    'vaults()': BigInt(REGISTRY),
    'isRegistered(address)': 1n,
    'asset()': BigInt(TOKEN),
  }
  const selectors = new Map<string, bigint>(
    Object.entries({ ...ofRegistry, ...figures }).map(([call, figure]) => [toFunctionSelector(call), figure]),
  )
  return async ({ data }) => numberToHex(selectors.get(data.slice(0, 10)) ?? 0n, { size: 32 })
}

describe('a deposit', () => {
  const expectedOf = (body: object, figures: Readonly<Record<string, bigint>>) => {
    const callContract = vaultWith(figures)
    const request = { params: { path: { vault: VAULT } }, body }
    const answer = { pricedAt: { blockNumber: 9 }, approvals: [{}], permit: null, tokenInfo: null }
    return deposit(preparedOf(request, answer, { callContract }))
  }

  it('is worth the assets that its shares pay right after it, and nothing in a vault that has lost its value', async () => {
    const exitOf = async (totalAssets: bigint) =>
      at(
        await expectedOf(
          { assets: '1000' },
          {
            'previewDeposit(uint256)': 4_000_000n,
            'totalAssets()': totalAssets,
            'totalSupply()': 5_000_000n,
          },
        ),
        'exitAssets',
      )
    expect([await exitOf(1_000n), await exitOf(0n)]).toEqual(['800', '0'])
  })

  it('for shares pays at most the largest amount of 256 bits', async () => {
    const figures = { 'previewMint(uint256)': 2n ** 256n - 1n }
    const expected = await expectedOf({ shares: '1', slippageBps: 100 }, figures)
    expect(at(expected, 'maxAssets')).toBe(`${2n ** 256n - 1n}`)
  })

  it('has the requested slippage, also none, and by default 0.1 %', async () => {
    const leastOf = async (body: object) =>
      at(
        await expectedOf({ assets: '1000', ...body }, { 'previewDeposit(uint256)': 1_000_000n }),
        'minShares',
      )
    const all = [{ slippageBps: 20 }, { slippageBps: 0 }, {}].map(leastOf)
    expect(await Promise.all(all)).toEqual(['998000', '1000000', '999000'])
  })

  it('is prepared with its permit for the amount, the receiver and the slippage of its request', async () => {
    const sent: unknown[] = []
    const rest = createRest('http://gateway.test', async (request) => {
      sent.push([new URL(request.url).pathname, await request.json()])
      return Response.json({})
    })
    const signature = `0x${'1'.repeat(130)}` as const
    const deadline = '2026-01-01T00:30:00Z'
    const path = `/api/v1/vaults/${VAULT}/deposits/prepare`
    for (const body of [{ slippageBps: 20 }, { slippageBps: 0 }, { receiver: TOKEN }, {}]) {
      const { request, ...record } = preparedOf(
        { params: { path: { vault: VAULT } }, body: { assets: '5', ...body } },
        {},
      )
      await preparePermitted(rest, { ...record, request }, signature, { deadline })
      expect(sent.splice(0)).toEqual([[path, { assets: '5', permit: { signature, deadline }, ...body }]])
    }
    const record = preparedOf({ params: { path: { vault: VAULT } }, body: { assets: '5' } }, {})
    for (const other of [`${signature}1`, signature.slice(0, -1)] as const)
      expect(await preparePermitted(rest, record, `0x${other.slice(2)}`, { deadline })).toBeUndefined()
    expect(sent).toEqual([])
  })
})

describe('a withdrawal', () => {
  const expectedOf = (body: object) => {
    const figures = {
      'balanceOf(address)': 7_000_000n,
      'previewRedeem(uint256)': 5_000n,
      'previewWithdraw(uint256)': 4_000n,
    }
    const request = { params: { path: { vault: VAULT } }, body }
    const answer = { pricedAt: { blockNumber: 9 }, tokenInfo: null }
    return withdrawal(preparedOf(request, answer, { callContract: vaultWith(figures) }))
  }

  it('is of the requested shares, also of none, and of all that the wallet has where none are named', async () => {
    const sharesOf = async (body: object) => at(await expectedOf(body), 'shares')
    expect(await Promise.all([{ shares: '8' }, { shares: '0' }, { all: true }].map(sharesOf))).toEqual([
      '8',
      '0',
      '7000000',
    ])
  })

  it('has the requested slippage, also none, and by default 0.1 %', async () => {
    const boundsOf = async (body: object) => {
      const [ofShares, ofAssets] = [
        await expectedOf({ all: true, ...body }),
        await expectedOf({ assets: '1', ...body }),
      ]
      return [at(ofShares, 'minAssets'), at(ofAssets, 'maxShares')]
    }
    const all = [{ slippageBps: 20 }, { slippageBps: 0 }, {}].map(boundsOf)
    expect(await Promise.all(all)).toEqual([
      ['4990', '4008'],
      ['5000', '4000'],
      ['4995', '4004'],
    ])
  })
})
