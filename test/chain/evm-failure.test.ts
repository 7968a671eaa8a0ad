/** A call that a node executed and that failed is an answer, in the words of any node: no other node is asked. */
import { afterEach, describe, expect, it } from 'vitest'
import { createChain } from '../../api/chain/client.ts'
import { simulate } from '../../api/chain/simulate.ts'
import { NODE_TIMEOUT_MS } from '../support/limits.ts'
import { type Answer, startNodeProxy } from '../support/node-proxy.ts'

const GENESIS = `0x${'ab'.repeat(32)}`
const call = { from: `0x${'11'.repeat(20)}`, to: `0x${'22'.repeat(20)}`, data: '0x12345678' } as const

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

/** The outcome of a call that one node answers so and a second one executes, and how often that one is asked. */
async function outcomeOf(answer: Answer) {
  let asked = 0
  const answers = [
    answer,
    () => {
      asked += 1
      return { result: '0x01' }
    },
  ]
  const nodes = await Promise.all(
    answers.map((own) =>
      startNodeProxy(({ method }) => {
        if (method === 'eth_chainId') return { result: '0x1' }
        if (method === 'eth_getBlockByNumber') return { result: { hash: GENESIS } }
        return typeof own === 'function' ? own() : own
      }),
    ),
  )
  stops.push(...nodes.map(({ stop }) => stop))
  const chain = createChain({ urls: nodes.map(({ url }) => url), timeout: NODE_TIMEOUT_MS })
  return { ...(await simulate(chain, call)), asked }
}

describe('an error of a node', () => {
  it.each([
    ['go-ethereum and Erigon', 'out of gas'],
    ['go-ethereum and Erigon', 'invalid opcode: INVALID'],
    ['go-ethereum and Erigon', 'invalid jump destination'],
    ['go-ethereum and Erigon', 'stack underflow (0 <=> 2)'],
    ['go-ethereum and Erigon', 'stack limit reached 1024 (1023)'],
    ['go-ethereum and Erigon', 'max code size exceeded'],
    ['go-ethereum and Erigon', 'max initcode size exceeded: code size 50000, limit 49152'],
    ['go-ethereum and Erigon', 'write protection'],
    ['go-ethereum and Erigon', 'return data out of bounds'],
    ['go-ethereum and Erigon', 'gas uint64 overflow'],
    ['Reth', 'out of gas: gas exhausted during memory expansion: 16777216'],
    ['Reth', 'InvalidJump'],
    ['Reth', 'StackOverflow'],
    ['Nethermind', 'VM execution error.'],
    ['Nethermind', 'OutOfGas'],
    ['Nethermind', 'BadInstruction'],
    ['Nethermind', 'BadJumpDestination'],
    ['Besu', 'Out of gas'],
    ['Besu', 'Bad instruction'],
    ['anvil', 'EVM error OutOfGas'],
    ['anvil', 'EVM error InvalidFEOpcode'],
  ])('of %s states that the call failed: %s', async (_, message) => {
    expect(await outcomeOf({ error: { code: -32_000, message } })).toEqual({
      outcome: 'REVERTS',
      errorName: 'UnknownError',
      args: [],
      asked: 0,
    })
  })

  it.each([
    'header not found',
    'missing trie node',
    'limit exceeded',
    'internal error',
    'EVM error Fatal external error',
    'execution aborted (timeout = 5s)',
    'the request ran out of gaskets',
  ])('states nothing about the call, which the next node executes: %s', async (message) => {
    expect(await outcomeOf({ error: { code: -32_000, message } })).toEqual({ outcome: 'PASSES', asked: 1 })
  })

  it.each([
    [3, 'execution reverted: out of gas'],
    [-32_000, 'execution reverted: out of gas'],
  ])('with the data of a revert is that revert, whatever its words: %i %s', async (code, message) => {
    expect(await outcomeOf({ error: { code, message, data: '0x12345678' } })).toEqual({
      outcome: 'REVERTS',
      errorName: 'UnknownError',
      args: ['0x12345678'],
      asked: 0,
    })
  })
})
