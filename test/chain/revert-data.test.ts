/** Return data of a hostile contract is bounded before it is parsed, decoded or shown. */
import { type Address, encodeErrorResult, type Hex, toFunctionSelector } from 'viem'
import { formatAbiItem } from 'viem/utils'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { claimRegistryAbi } from '../../abis/ClaimRegistry.ts'
import { demoTokenAbi } from '../../abis/DemoToken.ts'
import { financingRouterAbi } from '../../abis/FinancingRouter.ts'
import { financingVaultAbi } from '../../abis/FinancingVault.ts'
import { issuerRegistryAbi } from '../../abis/IssuerRegistry.ts'
import { tokenRegistryAbi } from '../../abis/TokenRegistry.ts'
import { vaultRegistryAbi } from '../../abis/VaultRegistry.ts'
import { ANSWER_BYTES_MAX, REVERT_BYTES_MAX } from '../../api/chain/call-limits.ts'
import { createChain } from '../../api/chain/client.ts'
import { decodeRevert } from '../../api/chain/revert.ts'
import { simulate } from '../../api/chain/simulate.ts'
import { contractClaimStates } from '../../api/domain/claim.ts'
import {
  revertingContractAbi,
  revertingContractBytecode,
} from '../../contracts/testing/generated/RevertingContract.ts'
import { deployForTest, startWorld } from '../support/protocol.ts'

let world: Awaited<ReturnType<typeof startWorld>>
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

/** Simulates a call that reverts with the given number of zero bytes. */
async function revertOf(size: number) {
  const to = await deployForTest(world, revertingContractAbi, revertingContractBytecode, [size])
  const call: { from: Address; to: Address; data: Hex } = {
    from: world.parties.stranger.address,
    to,
    data: '0x12345678',
  }
  return simulate(createChain({ urls: [world.rpcUrl], timeout: 60_000 }), call)
}

const zeros = (size: number) => `0x${'00'.repeat(size)}`

describe('revert data', () => {
  it('is shown whole up to its limit, and beyond by its first bytes and its size', async () => {
    const unknown = { outcome: 'REVERTS', errorName: 'UnknownError' }
    expect(await revertOf(0)).toEqual({ ...unknown, args: [] })
    expect(await revertOf(REVERT_BYTES_MAX)).toEqual({ ...unknown, args: [zeros(REVERT_BYTES_MAX)] })
    for (const size of [REVERT_BYTES_MAX + 1, 200_000]) {
      expect(await revertOf(size)).toEqual({
        ...unknown,
        args: [zeros(REVERT_BYTES_MAX), `of ${size} bytes`],
      })
    }
  })

  it('of each error of the contracts has the name of the error', () => {
    const errors = [
      ...[claimRegistryAbi, financingRouterAbi, financingVaultAbi, issuerRegistryAbi],
      ...[tokenRegistryAbi, vaultRegistryAbi, demoTokenAbi],
    ].flatMap((abi) => abi.filter((entry) => entry.type === 'error'))
    const ofWords = errors.filter(({ inputs }) => inputs.every(({ type }) => type !== 'string'))
    expect(ofWords.length).toBeGreaterThan(80)
    for (const error of ofWords) {
      const zero = zeros(32 * error.inputs.length).slice(2)
      const data = `${toFunctionSelector(formatAbiItem(error))}${zero}` as const
      const { errorName, args } = decodeRevert(data)
      expect([errorName, args.length]).toEqual([error.name, error.inputs.length])
    }
  })

  it('states a state of a claim by its name, and addresses and hashes in lowercase', () => {
    const claimId: Hex = `0x${'AB'.repeat(32)}`
    const abi = claimRegistryAbi
    for (const [index, state] of contractClaimStates.entries()) {
      const data = encodeErrorResult({ abi, errorName: 'ClaimNotRevocable', args: [claimId, index] })
      expect(decodeRevert(data).args).toEqual([claimId.toLowerCase(), state])
    }
    const caller: Address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
    const data = encodeErrorResult({ abi, errorName: 'NotIssuer', args: [claimId, caller] })
    expect(decodeRevert(data).args).toEqual([claimId.toLowerCase(), caller.toLowerCase()])
  })

  it('larger than an answer may be is not read to its end: the call reverts without data', async () => {
    const reverted = { outcome: 'REVERTS', errorName: 'UnknownError', args: [] }
    expect(await revertOf(ANSWER_BYTES_MAX / 2)).toEqual(reverted)
  })

  it('of a string is not decoded beyond the limit', () => {
    const text = (length: number): Hex =>
      `0x08c379a0${word(32)}${word(length)}${'61'.repeat(length).padEnd(Math.ceil(length / 32) * 64, '0')}`
    expect(decodeRevert(text(900))).toEqual({ errorName: 'Error', args: ['a'.repeat(900)] })
    expect(decodeRevert(text(1_000_000)).args[0]).toHaveLength(2 + 2 * REVERT_BYTES_MAX)
  })
})

function word(value: number): string {
  return value.toString(16).padStart(64, '0')
}
