/** Reads by the lens of quotes that no vault of the protocol gives: a vault answers any bytes. */
import { type Address, concatHex, encodeFunctionData, type Hex, toFunctionSelector } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { financingVaultAbi } from '../../abis/FinancingVault.ts'
import { createChain } from '../../api/chain/client.ts'
import { createLens } from '../../api/chain/lens.ts'
import { quoteReasons } from '../../api/chain/lens-types.ts'
import { pinFinalizedBlock } from '../../api/chain/pin-block.ts'
import { rawTokenAbi } from '../../contracts/testing/generated/RawToken.ts'
import { NODE_TIMEOUT_MS } from '../support/limits.ts'
import { startWorld } from '../support/protocol.ts'
import { deployRawToken, word } from '../support/raw-token.ts'
import * as act from '../support/scenario.ts'
import { send } from '../support/transactions.ts'

const FACE = 1_000_003n
const GETTERS = ['asset', 'fundableLiquidity', 'mandate', 'pricing'] as const
const MOST = 2n ** 240n - 1n
const FAILED = { status: 'FAILED' }
const LAST = quoteReasons.length - 1

let world: Awaited<ReturnType<typeof startWorld>>
let claimId: Hex
let vault: Address
const quote = financingVaultAbi.find((entry) => entry.type === 'function' && entry.name === 'quote')

beforeAll(async () => {
  world = await startWorld()
  const { beneficiary, issuer } = world.parties
  const terms = { issuer, beneficiary: beneficiary.address, token: world.usd, faceValue: FACE }
  claimId = (await act.registerClaim(world, terms)).claimId
  vault = (await act.createVault(world, { token: world.usd })).vault
  const answers = await Promise.all(GETTERS.map(answerOf))
  const code = await world.chain.getCode({ address: await deployRawToken(world, {}) })
  await world.chain.setCode({ address: vault, bytecode: code ?? '0x' })
  for (const [getter, answer] of answers) await setAnswer(toFunctionSelector(`${getter}()`), answer)
})
afterAll(() => world?.stop())

async function answerOf(functionName: (typeof GETTERS)[number]) {
  const data = encodeFunctionData({ abi: financingVaultAbi, functionName })
  const answer = await world.chain.call({ to: vault, data })
  return [functionName, answer.data ?? '0x'] as const
}

function setAnswer(selector: Hex, answer: Hex) {
  const data = encodeFunctionData({
    abi: rawTokenAbi,
    functionName: 'setAnswer',
    args: [selector, answer],
  })
  return send(world.chain, world.parties.admin, { to: vault, data })
}

async function readerAtNow() {
  const chain = createChain({ urls: [world.rpcUrl], timeout: NODE_TIMEOUT_MS })
  return {
    lens: createLens(chain, world.protocol.financingRouter),
    block: await pinFinalizedBlock(chain),
  }
}

const answer = (reason: number, discount: bigint) =>
  concatHex([word(1n), word(BigInt(reason)), word(discount), word(FACE)])

it('reads no quote of a vault that cannot be read', async () => {
  const { lens, block } = await readerAtNow()
  const noVault = world.protocol.claimRegistry
  const { legs } = await lens.readRoute(block, [{ claimId, vault: noVault, faceAmount: FACE }])
  expect(legs[0]).toMatchObject({ vault: { readable: false }, quote: { status: 'NOT_ASKED' } })
})

it.each([
  ['a discount of 1', answer(0, 1n), { status: 'ANSWERED', reason: 'NONE', discountAmount: 1n }],
  ['the largest discount', answer(0, MOST), { status: 'ANSWERED', reason: 'NONE', discountAmount: MOST }],
  ['a larger discount', answer(0, MOST + 1n), FAILED],
  ['the largest number', answer(0, 2n ** 256n - 1n), FAILED],
  [
    'the last reason',
    answer(LAST, MOST),
    { status: 'ANSWERED', reason: quoteReasons[LAST], discountAmount: MOST },
  ],
  ['a reason that there is not', answer(LAST + 1, 1n), FAILED],
  ['a reason of more than a byte', answer(256, 1n), FAILED],
  ['a byte too few', answer(0, 1n).slice(0, -2), FAILED],
  ['nothing', '0x', FAILED],
])('reads %s', async (_, answered, expected) => {
  if (!quote) throw new Error('a vault has no quote')
  await setAnswer(toFunctionSelector(quote), `0x${answered.slice(2)}`)
  await act.finalize(world)
  const { lens, block } = await readerAtNow()
  const market = await lens.readMarket(block, { claimIds: [claimId] })
  const route = await lens.readRoute(block, [{ claimId, vault, faceAmount: FACE }])
  expect(market.vaults[0]).toMatchObject({ readable: true })
  expect([market.probes[0]?.[0], route.legs[0]?.quote]).toEqual([expected, expected])
})
