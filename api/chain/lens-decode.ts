import { type DecodeFunctionResultReturnType, decodeFunctionResult, type Hex } from 'viem'
import { financingLensAbi } from '../../abis/FinancingLens.ts'
import { lowercaseAddress } from '../domain/address.ts'
import { contractClaimStates } from '../domain/claim.ts'
import {
  type ChainClaim,
  type LensClaim,
  type LensQuote,
  type LensVault,
  quoteReasons,
} from './lens-types.ts'

type Abi = typeof financingLensAbi
type RawMarket = DecodeFunctionResultReturnType<Abi, 'market'>
type RawLensClaim = RawMarket['claims'][number]
type RawClaim = RawLensClaim['claim']
type RawVault = RawMarket['vaults'][number]

export function decodeMarket(data: Hex): RawMarket {
  return decodeFunctionResult({ abi: financingLensAbi, functionName: 'market', data })
}

export function decodeRoute(data: Hex): DecodeFunctionResultReturnType<Abi, 'route'> {
  return decodeFunctionResult({ abi: financingLensAbi, functionName: 'route', data })
}

export function toLensClaim(claimId: Hex, { claim, issuerActive, allocations }: RawLensClaim): LensClaim {
  return {
    ...toClaim(claimId, claim),
    issuerActive,
    allocations: allocations.map(({ vault, faceAmount }) => ({ vault: lowercaseAddress(vault), faceAmount })),
  }
}

export function toClaim(claimId: Hex, claim: RawClaim): ChainClaim {
  return {
    claimId,
    issuer: lowercaseAddress(claim.issuer),
    beneficiary: lowercaseAddress(claim.beneficiary),
    token: lowercaseAddress(claim.token),
    faceValue: claim.faceValue,
    financedFaceValue: claim.financedFaceValue,
    paidFaceValue: claim.paidFaceValue,
    dueAt: claim.dueDate,
    claimType: claim.claimType,
    sliceCount: claim.sliceCount,
    state: named(contractClaimStates, claim.state),
  }
}

/** @param claims those that the lens was asked for with the vault */
export function toVault(raw: RawVault, claims: readonly RawLensClaim[]): LensVault {
  const vault = lowercaseAddress(raw.vault)
  if (!raw.readable) return { vault, readable: false }
  const { active, fundableLiquidity, mandate, pricing, issuerFaces } = raw
  const issuers = claims.map(({ claim }) => lowercaseAddress(claim.issuer))
  return {
    vault,
    readable: true,
    active,
    token: lowercaseAddress(raw.token),
    fundableLiquidity,
    mandate,
    pricing,
    issuerFaces: new Map(issuerFaces.map((face, index) => [issuers[index] ?? '0x', face])),
  }
}

/** @param packed `PackedQuote` of contracts/lens/FinancingLens.sol */
export function toQuote(packed: bigint): LensQuote {
  const status = named(['NOT_ASKED', 'FAILED', 'ANSWERED'], Number(packed >> 248n))
  if (status !== 'ANSWERED') return { status }
  const reason = named(quoteReasons, Number(BigInt.asUintN(8, packed >> 240n)))
  return { status, reason, discountAmount: BigInt.asUintN(240, packed) }
}

/** @throws Error for an index that the contracts of this version do not define */
function named<Name extends string>(names: readonly Name[], index: number): Name {
  const name = names[index]
  if (name === undefined)
    throw new Error(`the contracts answer ${index} where only ${names.join(', ')} are known`)
  return name
}
