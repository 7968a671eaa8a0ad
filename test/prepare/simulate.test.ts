/** A step that would fail is reported by its error name; a simulation without a result never counts as a pass. */
import { type CallParameters, encodeFunctionData, type Hex, maxUint256 } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { demoTokenAbi } from '../../abis/DemoToken.ts'
import { financingRouterAbi } from '../../abis/FinancingRouter.ts'
import { createChain } from '../../api/chain/client.ts'
import { decodeRevert } from '../../api/chain/revert.ts'
import { type Call, simulate, simulateRoute } from '../../api/chain/simulate.ts'
import { simulationIssues } from '../../api/chain/simulation-issues.ts'
import type { Issue, IssueCode } from '../../api/domain/issues.ts'
import { ask } from '../indexer/lying-node.ts'
import { NODE_TIMEOUT_MS } from '../support/limits.ts'
import { type Answer, type RpcRequest, startNodeProxy } from '../support/node-proxy.ts'
import { startWorld } from '../support/protocol.ts'
import * as act from '../support/scenario.ts'

let world: Awaited<ReturnType<typeof startWorld>>
let payer: Hex
beforeAll(async () => {
  world = await startWorld()
  payer = world.parties.payer.address
})
afterAll(() => world.stop())

const chainAt = (url: string) => createChain({ urls: [url], timeout: NODE_TIMEOUT_MS })

const simulated = z.tuple([z.looseObject({ calls: z.array(z.unknown()) })])

/** A node that answers some requests in its own way. */
async function throughNode<T>(
  answer: (request: RpcRequest) => Answer | Promise<Answer>,
  use: (chain: ReturnType<typeof chainAt>) => Promise<T>,
): Promise<T> {
  const node = await startNodeProxy(answer, world.rpcUrl)
  return use(chainAt(node.url)).finally(node.stop)
}

const onToken = (functionName: 'approve' | 'transfer', token: Hex, amount: bigint): Call => {
  const args = [world.parties.stranger.address, amount] as const
  return { from: payer, to: token, data: encodeFunctionData({ abi: demoTokenAbi, functionName, args }) }
}

const take = (token: Hex, amount: bigint): Call => ({
  from: world.parties.stranger.address,
  to: token,
  data: encodeFunctionData({
    abi: demoTokenAbi,
    functionName: 'transferFrom',
    args: [payer, world.parties.stranger.address, amount],
  }),
})

describe('a simulated call', () => {
  it('passes, or reverts with the error that a contract of the protocol or a token gives', async () => {
    const chain = chainAt(world.rpcUrl)
    expect(await simulate(chain, onToken('transfer', world.usd, 0n))).toEqual({ outcome: 'PASSES' })
    expect(await simulate(chain, onToken('transfer', world.usd, 7n))).toEqual({
      outcome: 'REVERTS',
      errorName: 'ERC20InsufficientBalance',
      args: [payer, '0', '7'],
    })
    const claimId: Hex = `0x${'AB'.repeat(32)}`
    const args = [claimId, world.usd, 1n] as const
    const data = encodeFunctionData({ abi: financingRouterAbi, functionName: 'settle', args })
    expect(await simulate(chain, { from: payer, to: world.protocol.financingRouter, data })).toEqual({
      outcome: 'REVERTS',
      errorName: 'UnknownClaim',
      args: [claimId.toLowerCase()],
    })
  })

  it('runs on the state after those before it, and the first that fails is reported', async () => {
    const chain = chainAt(world.rpcUrl)
    await act.mint(world, { token: world.eur, to: payer, amount: 10n })
    const [approve, again] = [onToken('approve', world.eur, 10n), onToken('approve', world.eur, 11n)]
    expect(await simulate(chain, take(world.eur, 10n))).toMatchObject({
      errorName: 'ERC20InsufficientAllowance',
    })
    expect(await simulate(chain, take(world.eur, 10n), [approve])).toEqual({ outcome: 'PASSES' })
    const refused = { outcome: 'REVERTS', errorName: 'ApprovalNotReset', args: [expect.any(String), '10'] }
    expect(await simulate(chain, take(world.eur, 10n), [approve, again])).toEqual(refused)
    // The second approval is refused, so the transfer fails, too.
    expect(await simulate(chain, take(world.eur, 11n), [approve, again])).toEqual(refused)
    expect(await simulate(chain, take(world.eur, 11n), [approve])).toMatchObject({
      outcome: 'REVERTS',
      errorName: 'ERC20InsufficientAllowance',
      args: [world.parties.stranger.address, '10', '11'],
    })
  })

  it('that reverts without a word or with an unknown one is no pass either', async () => {
    const nonsense = { from: payer, to: world.usd, data: '0x12345678' } as const
    expect(await simulate(chainAt(world.rpcUrl), nonsense)).toEqual({
      outcome: 'REVERTS',
      errorName: 'UnknownError',
      args: [],
    })
    expect(decodeRevert('0x12345678')).toEqual({ errorName: 'UnknownError', args: ['0x12345678'] })
  })

  it('is unknown where a node answers for fewer calls than it was asked for', async () => {
    const transfer = onToken('transfer', world.usd, 0n)
    const withoutLast = async ({ method, params }: RpcRequest) => {
      if (method !== 'eth_simulateV1') return undefined
      const [block] = simulated.parse(await ask(world.rpcUrl, { method, params }))
      return { result: [{ ...block, calls: block.calls.slice(0, -1) }] }
    }
    const simulateBoth = (chain: ReturnType<typeof chainAt>) => simulate(chain, transfer, [transfer])
    expect(await throughNode(() => undefined, simulateBoth)).toEqual({ outcome: 'PASSES' })
    expect(await throughNode(withoutLast, simulateBoth)).toEqual({ outcome: 'UNKNOWN' })
  })

  it('is unknown when no node answers, or none can run several calls in order', async () => {
    const transfer = onToken('transfer', world.usd, 0n)
    const unknown = { outcome: 'UNKNOWN' }
    expect(
      await throughNode(
        () => ({ status: 500 }),
        (chain) => simulate(chain, transfer),
      ),
    ).toEqual(unknown)
    const withoutOrder = ({ method }: RpcRequest) =>
      method === 'eth_simulateV1' ? { status: 400 } : undefined
    expect(await throughNode(withoutOrder, (chain) => simulate(chain, transfer, [transfer]))).toEqual(unknown)
    expect(await throughNode(withoutOrder, (chain) => simulate(chain, transfer))).toEqual({
      outcome: 'PASSES',
    })
  })
})

describe('a simulated route', () => {
  it('is unknown at a node that ignores overrides, and takes the signature for missing', async () => {
    const { beneficiary, issuer } = world.parties
    const vault = await act.createFundedVault(world, { token: world.usd, capital: 100n })
    const terms = { issuer, beneficiary: beneficiary.address, token: world.usd, faceValue: 100n }
    const { claimId } = await act.registerClaim(world, terms)
    const route = await act.routeOf(world, {
      user: beneficiary,
      legs: [{ claimId, vault, faceAmount: 10n }],
      maxTotalFace: maxUint256,
    })
    const router = world.protocol.financingRouter
    expect(await simulateRoute(chainAt(world.rpcUrl), router, route)).toEqual({ outcome: 'PASSES' })
    const node = chainAt(world.rpcUrl)
    const ignorant = {
      ...node,
      call: (parameters: CallParameters) => node.call({ ...parameters, stateOverride: undefined }),
    }
    expect(await simulateRoute(ignorant, router, route)).toEqual({ outcome: 'UNKNOWN' })
  })
})

describe('the issues of a simulation', () => {
  const reverts = (errorName: string) => ({ outcome: 'REVERTS', errorName, args: ['1', '2'] }) as const
  const known = (code: IssueCode): Issue => ({ code, message: 'It is known.' })
  const codes = (...of: Parameters<typeof simulationIssues>) =>
    simulationIssues(...of).map(({ code }) => code)

  it('are none where it passes, and one where it reverts or is unknown', () => {
    expect(codes({ outcome: 'PASSES' })).toEqual([])
    expect(codes({ outcome: 'UNKNOWN' }, [known('BALANCE_TOO_LOW')])).toEqual(['SIMULATION_UNAVAILABLE'])
    const message = 'At the latest block this would revert with EnforcedPause(1, 2).'
    expect(simulationIssues(reverts('EnforcedPause'))).toEqual([
      { code: 'EXECUTION_WOULD_REVERT', message, errorName: 'EnforcedPause', arguments: ['1', '2'] },
    ])
  })

  it.each([
    ['ERC20InsufficientBalance', ['BALANCE_TOO_LOW']],
    ['ERC20InsufficientAllowance', ['ALLOWANCE_TOO_LOW']],
    ['ERC4626ExceededMaxWithdraw', ['SHARES_TOO_LOW', 'LIQUIDITY_TOO_LOW']],
    ['ERC4626ExceededMaxRedeem', ['SHARES_TOO_LOW', 'LIQUIDITY_TOO_LOW']],
    ['EnforcedPause', []],
  ] as const)('are none for %s where the reads report it: %j', (errorName, reported) => {
    const reads = ['BALANCE_TOO_LOW', 'ALLOWANCE_TOO_LOW', 'SHARES_TOO_LOW', 'LIQUIDITY_TOO_LOW'] as const
    const silent = reads.filter((code) => codes(reverts(errorName), [known(code)]).length === 0)
    expect(silent.toSorted()).toEqual(reported.toSorted())
  })
})
