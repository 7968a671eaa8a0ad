/** Bounds in the OpenAPI document that follow from the longest value of a kind. */
import { encodeFunctionData, pad, zeroAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { claimRegistryAbi } from '../../abis/ClaimRegistry.ts'
import { SIGNATURE_LENGTH_MAX } from '../../api/auth/sign-in-limits.ts'
import { issueToken, TOKEN_LENGTH } from '../../api/auth/token.ts'
import { decodeRevert, REVERT_BOUNDS } from '../../api/chain/revert.ts'
import { formatMoney, MAX_UINT256, money, sharePrice as sharePriceText } from '../../api/domain/money.ts'
import { preparedTransaction } from '../../api/rest/shared/prepared.ts'
import { sides } from '../../api/rest/shared/refusal.ts'
import { claimAttestationTypes } from '../../api/typed-data/claim-attestation.ts'
import { executionRouteTypes } from '../../api/typed-data/execution-route.ts'
import { signableTypedData, type TypedDataFields } from '../../api/typed-data/signable.ts'

describe('the bound of', () => {
  it('calldata is that of a registration with the longest signature', () => {
    const calldata = preparedTransaction.shape.transaction.shape.data
    const attestation = {
      issuer: zeroAddress,
      beneficiary: zeroAddress,
      token: zeroAddress,
      faceValue: 1n,
      dueDate: 1n,
      claimType: 0,
      documentHash: pad('0x1'),
      validUntil: 1n,
    } as const
    const register = (digits: number) =>
      encodeFunctionData({
        abi: claimRegistryAbi,
        functionName: 'register',
        args: [attestation, `0x${'0'.repeat(digits)}`],
      })
    const longest = SIGNATURE_LENGTH_MAX - '0x'.length
    expect(calldata.safeParse(register(longest)).success).toBe(true)
    expect(calldata.safeParse(register(longest + 4)).success).toBe(false)
  })

  it('an amount is that of the largest uint256', () => {
    expect(money.safeParse(formatMoney(MAX_UINT256)).success).toBe(true)
    expect(money.safeParse(`${formatMoney(MAX_UINT256)}0`).success).toBe(false)
  })

  it('a share price is above that of the most assets on the fewest shares', () => {
    // A whole share has 42 decimals, and a million shares are nobody's.
    const price = formatMoney((10n ** 42n * (MAX_UINT256 + 1n)) / 1_000_000n)
    expect([price.length > 78, sharePriceText.safeParse(price).success]).toEqual([true, true])
  })

  it('a revert holds for the longest data that is decoded, and for longer data', () => {
    for (const bytes of [1, 1024, 1025, 100_000]) {
      const { args, errorName } = decodeRevert(`0x${'ff'.repeat(bytes)}`)
      expect(errorName.length).toBeLessThanOrEqual(REVERT_BOUNDS.name)
      expect(args.length).toBeLessThanOrEqual(REVERT_BOUNDS.arguments)
      for (const { length } of args) expect(length).toBeLessThanOrEqual(REVERT_BOUNDS.argument)
    }
  })

  it('a side of a refusal is the list of all claim types', () => {
    const all = Array.from({ length: 256 }, (_, type) => type).join(', ')
    expect([all, `${all},`].map((text) => sides.have.safeParse(text).success)).toEqual([true, false])
  })

  it('a token holds for the longest issuer and audience, escaped', async () => {
    const party = '\u0001'.repeat(128)
    const settings = {
      secrets: [Buffer.alloc(32)] as const,
      issuer: party,
      audience: party,
      chainId: 2 ** 53 - 1,
    }
    const { token } = await issueToken(
      settings,
      { wallet: zeroAddress, signedBy: 'CONTRACT' },
      (bytes) => new Uint8Array(bytes),
      2 ** 40,
    )
    expect(token.length).toBeLessThanOrEqual(TOKEN_LENGTH)
  })

  it('typed data holds for every struct', () => {
    const structs: TypedDataFields[] = Object.values({ ...claimAttestationTypes, ...executionRouteTypes })
    for (const fields of structs) {
      const copied = fields.map((field) => ({ ...field }))
      expect(signableTypedData.shape.types.safeParse({ Struct: copied }).success).toBe(true)
    }
  })
})
