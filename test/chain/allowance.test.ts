/** The balance and the allowance of a wallet are read or unknown: an amount that no node answers is not 0. */
import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readFunds } from '../../api/chain/allowance.ts'
import { createChain } from '../../api/chain/client.ts'
import {
  revertingContractAbi,
  revertingContractBytecode,
} from '../../contracts/testing/generated/RevertingContract.ts'
import { rejection } from '../support/coded.ts'
import { startNodeProxy } from '../support/node-proxy.ts'
import { deployForTest, startWorld } from '../support/protocol.ts'
import * as act from '../support/scenario.ts'

let world: Awaited<ReturnType<typeof startWorld>>
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

function fundsOf(token: `0x${string}`, rpcUrl = world.rpcUrl) {
  const owner = world.parties.payer.address
  const chain = createChain({ urls: [rpcUrl], timeout: 60_000 })
  return readFunds(chain, { owner, token, spender: world.protocol.financingRouter })
}

it('funds are what the token answers', async () => {
  const { payer } = world.parties
  await act.mint(world, { token: world.usd, to: payer.address, amount: 7n })
  const spender = world.protocol.financingRouter
  await act.approve(world, { owner: payer, token: world.usd, spender, amount: 2n ** 256n - 1n })
  expect(await fundsOf(world.usd)).toEqual({ balance: 7n, allowance: 2n ** 256n - 1n })
})

it('funds of a contract that is no token are 0, whatever it answers', async () => {
  const none = { balance: 0n, allowance: 0n }
  expect(await fundsOf(world.parties.stranger.address)).toEqual(none)
  for (const size of [0, 4, 100_000]) {
    const token = await deployForTest(world, revertingContractAbi, revertingContractBytecode, [size])
    expect(await fundsOf(token)).toEqual(none)
  }
  const BYTECODES: Hex[] = [
    '0x60016000f3', // one byte
    '0x00', // nothing
    '0x5b600056', // all gas
    '0x62124f806000f3', // more than is read of an answer
    '0x622dc6c06000f3', // as much memory as the gas buys
  ]
  for (const bytecode of BYTECODES) {
    const token = `0x${'70'.repeat(20)}` as const
    await world.chain.setCode({ address: token, bytecode })
    expect(await fundsOf(token)).toEqual(none)
  }
})

it.each([
  { status: 503 },
  { error: { code: -32005, message: 'limit exceeded' } },
  { error: { code: -32000, message: 'header not found' } },
])('funds are unknown while a node answers %j', async (answer) => {
  const node = await startNodeProxy(() => answer)
  expect(await rejection(fundsOf(world.usd, node.url))).toBe('CHAIN_UNAVAILABLE')
  await node.stop()
})
