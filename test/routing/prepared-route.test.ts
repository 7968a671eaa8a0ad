import { expect, it } from 'vitest'
import {
  type PreparedRoute,
  readPreparedRoute,
  writePreparedRoute,
} from '../../api/routing/prepared-route.ts'

const hash = `0x${'ab'.repeat(32)}` as const
const address = `0x${'cd'.repeat(20)}` as const
const largest = 2n ** 256n - 1n

const prepared: PreparedRoute = {
  executionId: hash,
  typedData: {
    domain: { name: 'FinancingRouter', version: '1', chainId: 31337, verifyingContract: address },
    types: { Z: [{ name: 'b', type: 'uint256' }], A: [] },
    primaryType: 'Z',
    message: { b: largest.toString(), a: { nested: [address] } },
  },
  deadline: 1_800_000_000n,
  legs: [{ claimId: hash, vault: address, faceAmount: largest, minimumAdvanceAmount: 0n }],
  blockNumber: 17n,
  issues: [
    { code: 'BALANCE_TOO_LOW', message: 'first', have: 0n, need: largest },
    { code: 'EXECUTION_WOULD_REVERT', message: 'second', errorName: 'Failed', arguments: ['1', '0x'] },
    { code: 'SIMULATION_UNAVAILABLE', message: 'third' },
  ],
}

it('is read as it was written, every amount, issue and order of fields', () => {
  const read = readPreparedRoute(writePreparedRoute(prepared))
  expect(read).toEqual(prepared)
  const orderOf = ({ typedData }: PreparedRoute) => JSON.stringify(typedData)
  expect(orderOf(read)).toBe(orderOf(prepared))
})

it('refuses a stored text that is no prepared route', () => {
  expect(() => readPreparedRoute('{"executionId":"0x12"}')).toThrow()
})
