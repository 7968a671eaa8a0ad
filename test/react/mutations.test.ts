/** Requests of the hooks that act, and the cases in which they ask nobody. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import {
  type Address,
  createGateway,
  deployments,
  type Eip1193Provider,
  GatewayError,
  type Hash,
  type Transaction,
} from '../../packages/client/src/index.ts'
import { plan } from '../../packages/react/src/finance.ts'
import {
  GatewayProvider,
  type QueryOptions,
  useDeposit,
  usePlan,
  useRegister,
  useSend,
  useSettle,
  useTerms,
  useUnfinalized,
  useWithdraw,
} from '../../packages/react/src/index.ts'
import { reporting } from '../../packages/react/src/steps.ts'

const WALLET: Address = `0x${'1'.repeat(40)}`
const VAULT: Address = `0x${'2'.repeat(40)}`
const TOKEN: Address = `0x${'3'.repeat(40)}`
const CLAIM: Hash = `0x${'4'.repeat(64)}`
/** A transaction that is mined and not final. */
const TRANSACTION: Transaction = {
  hash: CLAIM,
  status: 'MINED',
  final: false,
  from: WALLET,
  to: VAULT,
  block: { number: 5, timestamp: '2026-01-01T00:00:00Z' },
  expectedFinalAt: null,
  revert: null,
  touchesProtocol: true,
  executionIds: [],
  claimIds: [],
  finalizedThrough: null,
}

/** The network: notes each request, and answers all with `answer`. */
function connect(answer: () => Response) {
  const requests: unknown[] = []
  const calls: string[] = []
  const wallet: Eip1193Provider = {
    request: async ({ method }) => {
      calls.push(method)
      return method === 'eth_chainId' ? '0x7a69' : [WALLET]
    },
  }
  const gateway = createGateway({
    url: 'http://gateway.test',
    wallet,
    deployment: deployments[31337],
    storage: { getItem: () => null, setItem: () => {}, removeItem: () => {} },
    fetch: async (request) => {
      const text = await request.text()
      requests.push([new URL(request.url).pathname.replace('/api/v1', ''), text && JSON.parse(text)])
      return answer()
    },
  })
  return { gateway, requests, calls }
}

type Connected = ReturnType<typeof connect>

/** The result of a hook, on a page that is rendered once. */
function resultOf<Result>({ gateway }: Connected, useHook: () => Result, client = new QueryClient()): Result {
  let result: { value: Result } | undefined
  const Probe = () => {
    result = { value: useHook() }
    return null
  }
  const tree = createElement(GatewayProvider, { gateway }, createElement(Probe))
  renderToString(createElement(QueryClientProvider, { client }, tree))
  if (!result) throw new Error('the hook was not rendered')
  return result.value
}

const refuse = () =>
  Response.json({ code: 'VALIDATION_FAILED', detail: 'refused', status: 400 }, { status: 400 })

describe('a hook that acts requests', () => {
  it.each<[string, (at: Connected) => Promise<unknown>, string, unknown]>([
    [
      'a deposit',
      (at) => resultOf(at, () => useDeposit()).mutateAsync({ vault: VAULT, assets: '5', receiver: TOKEN }),
      `/vaults/${VAULT}/deposits/prepare`,
      { assets: '5', receiver: TOKEN },
    ],
    [
      'a withdrawal',
      (at) => resultOf(at, () => useWithdraw()).mutateAsync({ vault: VAULT, all: true }),
      `/vaults/${VAULT}/withdrawals/prepare`,
      { all: true },
    ],
    [
      'terms',
      (at) => resultOf(at, () => useTerms()).mutateAsync({ vault: VAULT, action: 'accept' }),
      `/vaults/${VAULT}/terms/prepare`,
      { action: 'accept' },
    ],
    [
      'the payment of all that is unpaid',
      (at) => resultOf(at, () => useSettle()).mutateAsync({ claimId: CLAIM }),
      `/settlements/${CLAIM}/prepare`,
      {},
    ],
    [
      'the payment of a part',
      (at) => resultOf(at, () => useSettle()).mutateAsync({ claimId: CLAIM, amount: 7n }),
      `/settlements/${CLAIM}/prepare`,
      { amount: '7' },
    ],
    [
      'the payment of nothing',
      (at) => resultOf(at, () => useSettle()).mutateAsync({ claimId: CLAIM, amount: 0n }),
      `/settlements/${CLAIM}/prepare`,
      { amount: '0' },
    ],
    [
      'a plan',
      (at) => resultOf(at, () => usePlan()).mutateAsync({ claimIds: [CLAIM], targetAdvance: '9' }),
      '/routes/optimize',
      { claimIds: [CLAIM], targetAdvance: '9' },
    ],
    [
      'a credit',
      (at) =>
        resultOf(at, () => useSend()).mutateAsync(({ post }) =>
          post('/api/v1/credits/withdrawal/prepare', { body: { token: TOKEN } }),
        ),
      '/credits/withdrawal/prepare',
      { token: TOKEN },
    ],
  ])('%s, and reports its refusal', async (_, act, path, body) => {
    const connected = connect(refuse)
    await expect(act(connected)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
    expect(connected.requests).toEqual([[path, body]])
  })

  it('a registration, and reports its refusal', async () => {
    const attestation = {
      issuer: WALLET,
      beneficiary: WALLET,
      token: TOKEN,
      faceValue: '1',
      dueDate: '2',
      claimType: '0',
      documentHash: CLAIM,
      validUntil: '3',
    } as const
    const body = { attestation, signature: '0x12' } as const
    const connected = connect(refuse)
    const registered = resultOf(connected, () => useRegister()).mutateAsync(body)
    await expect(registered).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
    expect(connected.requests).toEqual([['/claims/registration/prepare', body]])
  })
})

it('a prepared answer that its user declines asks the wallet for nothing', async () => {
  const connected = connect(refuse)
  const transaction = { chainId: 31_337, from: WALLET, to: VAULT, data: '0x', value: '0' } as const
  const prepared = {
    description: 'a transaction',
    transaction,
    rpc: { method: 'eth_sendTransaction' as const, params: [] },
    approvals: [],
    blockNumber: 1,
    issues: [],
    pendingChanges: null,
  }
  const seen: unknown[] = []
  const accept = (shown: unknown) => {
    seen.push(shown)
    return Promise.resolve(false)
  }
  const sent = resultOf(connected, () => useSend({ accept })).mutateAsync(async () => prepared)
  await expect(sent).rejects.toMatchObject({ code: 'USER_REJECTED' })
  expect([seen, connected.calls.filter((method) => !/^eth_(?:accounts|chainId)$/.test(method))]).toEqual([
    [prepared],
    [],
  ])
})

it('the steps of a run are its prompts, and its transaction with each status', () => {
  const steps: unknown[] = []
  const { onStep, onSent, onStatus } = reporting((step) => steps.push(step))
  onStep?.({ description: 'Sign', index: 1, count: 2 })
  onSent?.(CLAIM)
  const expectedFinalAt = '2026-01-01T00:00:00Z'
  onStatus?.({ ...TRANSACTION, expectedFinalAt })
  expect(steps).toEqual([
    { name: 'prompt', description: 'Sign', index: 1, count: 2 },
    { name: 'sent', hash: CLAIM },
    { name: 'sent', hash: CLAIM, status: 'MINED', expectedFinalAt },
  ])
})

describe('a plan', () => {
  const common = { filteredOut: [], tokenInfo: null, issues: [], pendingChanges: null }
  const planned = (answer: object) =>
    plan(connect(() => Response.json({ ...common, ...answer })).gateway, {
      claimIds: [CLAIM],
      targetAdvance: '9',
    })

  it('has its route with the id and the time until which it is valid', async () => {
    const result = { executable: true, legs: [], totals: { totalAdvance: '9' } }
    const answer = { routeId: CLAIM, expiresAt: '2026-01-01T00:00:00Z', result }
    expect(await planned(answer)).toEqual({
      ...common,
      noRoute: null,
      route: { ...result, routeId: CLAIM, tokenInfo: null, expiresAt: answer.expiresAt },
    })
  })

  it('has the reason where there is none', async () => {
    const result = { executable: false, reason: 'TARGET_UNSATISFIABLE' }
    expect(await planned({ routeId: null, expiresAt: null, result })).toEqual({
      ...common,
      route: null,
      noRoute: result,
    })
  })

  it('fails where a route has no id', async () => {
    const answer = { routeId: null, expiresAt: null, result: { executable: true, legs: [] } }
    await expect(planned(answer)).rejects.toBeInstanceOf(GatewayError)
  })
})

it('pending events are read every four seconds, or as often as their reader says', () => {
  const intervalOf = (options?: QueryOptions) => {
    const client = new QueryClient()
    resultOf(connect(refuse), () => useUnfinalized({ wallet: WALLET }, options), client)
    return client.getQueryCache().getAll()[0]?.options
  }
  expect(intervalOf()).toMatchObject({ refetchInterval: 4_000 })
  expect(intervalOf({ refetchInterval: 9_000 })).toMatchObject({ refetchInterval: 9_000 })
  expect(intervalOf({ refetchInterval: false })).toMatchObject({ refetchInterval: false })
})
