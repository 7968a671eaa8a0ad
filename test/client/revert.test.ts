/** An error of the contracts is named and explained, in whatever form a wallet reports it. */
import { encodeErrorResult, type Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { EVERY_ERROR } from '../../api/chain/revert.ts'
import { reverts } from '../../api/error-catalogue/reverts.ts'
import { callWallet } from '../../packages/client/src/eip1193.ts'
import { revertOf } from '../../packages/client/src/revert.ts'

const CLAIM: Hex = `0x${'ab'.repeat(32)}`
const VAULT = `0x${'11'.repeat(20)}` as const
const DATA = encodeErrorResult({ abi: EVERY_ERROR, errorName: 'DurationExceeded', args: [CLAIM, VAULT] })
const [SELECTOR, WORDS] = [DATA.slice(0, 10), DATA.slice(10)]
const REVERT = { errorName: 'DurationExceeded', arguments: [CLAIM, VAULT] }

/** As the wallets and libraries of this day report it. */
const FORMS: Readonly<Record<string, unknown>> = {
  'a node': { code: 3, message: 'execution reverted', data: DATA },
  'anvil, in words': { message: `execution reverted: custom error ${SELECTOR}: ${WORDS}` },
  'a browser extension': { code: -32603, message: 'Internal JSON-RPC error.', data: { code: 3, data: DATA } },
  'an extension that keeps the original': { data: { originalError: { data: DATA } } },
  viem: { shortMessage: 'failed', cause: { cause: { code: 3, data: DATA } } },
  ethers: { code: 'CALL_EXCEPTION', info: { error: { data: DATA } } },
}

describe('the error of a wallet', () => {
  it.each(Object.entries(FORMS))('of %s names the error of the contract', (_, error) => {
    expect(revertOf(error)).toMatchObject(REVERT)
  })

  it('without arguments is known by its selector', () => {
    const data = encodeErrorResult({ abi: EVERY_ERROR, errorName: 'EnforcedPause' })
    expect(revertOf({ message: `execution reverted: custom error ${data}` })).toMatchObject({
      errorName: 'EnforcedPause',
      arguments: [],
    })
  })

  it('is none of a contract where its data is that of a call, or of nothing that is known', () => {
    expect(revertOf({ message: 'locked' })).toBeUndefined()
    expect(revertOf({ message: `call of ${VAULT} with 0x12345678${'00'.repeat(64)}` })).toBeUndefined()
    expect(revertOf({ data: `0xdeadbeef${'00'.repeat(32)}` })).toBeUndefined()
    expect(revertOf({ data: `${DATA}00` })).toBeUndefined()
    expect(revertOf(undefined)).toBeUndefined()
  })

  it('whose causes are each other is read to an end', () => {
    const [one, other]: Record<string, unknown>[] = [{}, {}]
    for (const name of ['data', 'cause', 'error', 'originalError', 'info']) {
      Object.assign(one ?? {}, { [name]: other })
      Object.assign(other ?? {}, { [name]: one })
    }
    expect(revertOf(one)).toBeUndefined()
  })

  it('of any size is read in bounded time, and a getter that throws is passed over', () => {
    const message = `${'0x12345678 '.repeat(50_000)}0x${'00'.repeat(5_000_000)}`
    expect(revertOf({ message })).toBeUndefined()
    const throwing = {
      get data(): never {
        throw new Error('hostile')
      },
      cause: { data: DATA },
    }
    expect(revertOf(throwing)).toMatchObject(REVERT)
  })

  it('is explained as the playbook explains it', async () => {
    const wallet = { request: () => Promise.reject(FORMS['a node']) }
    const failed = await callWallet(wallet, { method: 'eth_sendTransaction' }).catch(
      (error: unknown) => error,
    )
    const { cause, fix } = reverts.DurationExceeded ?? { cause: '', fix: '' }
    expect(failed).toMatchObject({
      code: 'WALLET_FAILED',
      revert: REVERT,
      message: `eth_sendTransaction failed: It would revert with DurationExceeded(${CLAIM}, ${VAULT}). ${cause} ${fix}`,
    })
  })
})

it('every error that the playbook explains is one of the contracts', () => {
  const names = new Set(EVERY_ERROR.map(({ name }) => name))
  expect(Object.keys(reverts).filter((name) => !names.has(name))).toEqual([])
})
