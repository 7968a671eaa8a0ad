/**
 * A model of the protocol, written from protocol.md alone: plain figures and no code of the service. Every action
 * either changes the model or leaves it alone and returns the error that the contracts must revert with.
 */
import { type Address, type Hex, hashTypedData } from 'viem'
import {
  type ModelMandate,
  type ModelPricing,
  type ModelTerms,
  priceOf,
  refusalOfQuote,
} from './model-quote.ts'

export type Refusal = { errorName: string; args: readonly unknown[] }
export const State = {
  NONE: 0,
  ELIGIBLE: 1,
  PARTIALLY_FUNDED: 2,
  FULLY_FUNDED: 3,
  SETTLED: 4,
  REVOKED: 5,
  CLOSED: 6,
} as const

export type ModelClaim = {
  issuer: Address
  beneficiary: Address
  token: Address
  faceValue: bigint
  financedFaceValue: bigint
  paidFaceValue: bigint
  dueDate: bigint
  claimType: number
  state: number
  allocations: { vault: Address; faceAmount: bigint; advanceAmount: bigint }[]
}
export type ModelVault = {
  token: Address
  active: boolean
  mandate: ModelMandate
  pricing: ModelPricing
  noticePeriod: bigint
  /** Terms that are submitted and not in effect. */
  pending: (ModelTerms & { effectiveAt: bigint }) | undefined
  idleAssets: bigint
  outstandingFace: bigint
  outstandingAdvance: bigint
  /** By `sliceKey`. */
  financed: Map<string, ModelFinanced>
  totalSupply: bigint
  ledger: Ledger
}
/** An allocation that a vault has paid the advance of. */
export type ModelFinanced = {
  fundedAt: bigint
  dueDate: bigint
  faceAmount: bigint
  advanceAmount: bigint
  repaidFace: bigint
}
/**
 * `net` is the amount that a provider has put in and not taken out, and `earned` the most that it may have earned, in
 * parts of a base unit (`model-value.ts`). `moves` counts deposits and redemptions, each of which rounds.
 */
export type Ledger = { moves: bigint; providers: Map<Address, { net: bigint; earned: bigint }> }
/** `balances` holds shares too: a vault is the token of its own shares. */
export type Model = {
  now: bigint
  chainId: bigint
  claimRegistry: Address
  router: Address
  paused: boolean
  issuers: Map<Address, boolean>
  claims: Map<Hex, ModelClaim>
  /** The claim that was registered last, by issuer and document. */
  documents: Map<string, Hex>
  /** Ids of the claims of cancelled attestations. */
  cancelled: Set<Hex>
  vaults: Map<Address, ModelVault>
  balances: Map<Address, Map<Address, bigint>>
  nonces: Map<Address, bigint>
  /** Amounts that the router holds for accounts, by token and account. */
  credits: Map<Address, Map<Address, bigint>>
  /** Face of slices that the router holds for their vaults, by `sliceKey`. */
  held: Map<string, bigint>
}
export type ModelLeg = { claimId: Hex; vault: Address; faceAmount: bigint; minimumAdvanceAmount: bigint }

export function refuse(errorName: string, ...args: readonly unknown[]): Refusal {
  return { errorName, args }
}

export function balance(model: Model, token: Address, holder: Address): bigint {
  return model.balances.get(token)?.get(holder) ?? 0n
}

export function move(model: Model, token: Address, from: Address, to: Address, amount: bigint): void {
  change(model, token, from, -amount)
  change(model, token, to, amount)
}

function change(model: Model, token: Address, holder: Address, amount: bigint): void {
  add(model.balances, token, holder, amount)
}

export function add(
  amounts: Map<Address, Map<Address, bigint>>,
  token: Address,
  holder: Address,
  amount: bigint,
): void {
  const holders = amounts.get(token) ?? new Map<Address, bigint>()
  holders.set(holder, (holders.get(holder) ?? 0n) + amount)
  amounts.set(token, holders)
}

export function sliceKey(claimId: Hex, sliceIndex: number): string {
  return `${claimId} ${sliceIndex}`
}

export function vaultOf(model: Model, address: Address): ModelVault {
  const vault = model.vaults.get(address)
  if (!vault) throw new Error(`the model has no vault ${address}`)
  return vault
}

export type ModelAttestation = {
  issuer: Address
  beneficiary: Address
  token: Address
  faceValue: bigint
  dueDate: bigint
  claimType: number
  documentHash: Hex
  validUntil: bigint
}

/** The id of a claim is the digest (EIP-712) of its attestation. */
export function claimIdIn(model: Model, message: ModelAttestation): Hex {
  return hashTypedData({
    domain: {
      name: 'ClaimRegistry',
      version: '1',
      chainId: model.chainId,
      verifyingContract: model.claimRegistry,
    },
    types: {
      ClaimAttestation: [
        { name: 'issuer', type: 'address' },
        { name: 'beneficiary', type: 'address' },
        { name: 'token', type: 'address' },
        { name: 'faceValue', type: 'uint256' },
        { name: 'dueDate', type: 'uint64' },
        { name: 'claimType', type: 'uint8' },
        { name: 'documentHash', type: 'bytes32' },
        { name: 'validUntil', type: 'uint64' },
      ],
    },
    primaryType: 'ClaimAttestation',
    message,
  })
}

export function register(
  model: Model,
  attestation: ModelAttestation,
  signedByIssuer: boolean,
): Refusal | undefined {
  const { documentHash, validUntil, ...terms } = attestation
  const claimId = claimIdIn(model, attestation)
  const document = `${terms.issuer} ${documentHash}`
  if (validUntil < model.now) return refuse('AttestationExpired', validUntil, model.now)
  const earlier = model.documents.get(document)
  const isRevoked = earlier !== undefined && model.claims.get(earlier)?.state === State.REVOKED
  if (earlier !== undefined && !isRevoked) return refuse('ClaimAlreadyRegistered', earlier)
  const refusal = refusalOfUsed(model, claimId)
  if (refusal) return refusal
  if (!model.issuers.get(terms.issuer)) return refuse('IssuerInactive', terms.issuer)
  if (model.vaults.has(terms.beneficiary)) return refuse('InvalidBeneficiary')
  if (terms.faceValue === 0n) return refuse('InvalidFaceValue', 0n)
  if (terms.dueDate <= model.now) return refuse('DueDateNotInFuture', terms.dueDate, model.now)
  if (!signedByIssuer) return refuse('InvalidAttestationSignature', terms.issuer)
  model.claims.set(claimId, {
    ...terms,
    financedFaceValue: 0n,
    paidFaceValue: 0n,
    state: State.ELIGIBLE,
    allocations: [],
  })
  model.documents.set(document, claimId)
  return undefined
}

function refusalOfUsed(model: Model, claimId: Hex): Refusal | undefined {
  if (model.claims.has(claimId)) return refuse('ClaimAlreadyRegistered', claimId)
  if (model.cancelled.has(claimId)) return refuse('CancelledAttestation', claimId)
  return undefined
}

export function cancelAttestation(
  model: Model,
  issuer: Address,
  attestation: ModelAttestation,
): Refusal | undefined {
  const claimId = claimIdIn(model, attestation)
  if (attestation.issuer !== issuer) return refuse('NotIssuer', claimId, issuer)
  const refusal = refusalOfUsed(model, claimId)
  if (!refusal) model.cancelled.add(claimId)
  return refusal
}

export type ModelRoute = {
  user: Address
  token: Address
  legs: readonly ModelLeg[]
  targetAdvance: bigint
  maxTotalFace: bigint
  nonce: bigint
  deadline: bigint
}

export function executeRoute(model: Model, route: ModelRoute, signedByUser: boolean): Refusal | undefined {
  const nonce = model.nonces.get(route.user) ?? 0n
  if (model.paused) return refuse('EnforcedPause')
  if (model.now > route.deadline) return refuse('DeadlineExpired', route.deadline, model.now)
  const latest = model.now + 3600n
  if (route.deadline > latest) return refuse('RouteLifetimeExceeded', route.deadline, latest)
  if (!signedByUser) return refuse('InvalidRouteSignature', route.user)
  if (route.nonce !== nonce) return refuse('InvalidAccountNonce', route.user, nonce)
  const refusal = refusalOfLegs(model, route.user, route.legs)
  if (refusal) return refusal
  const token = route.legs[0] && model.claims.get(route.legs[0].claimId)?.token
  if (token !== route.token) return refuse('UnexpectedToken', route.token, token)
  const totalFace = route.legs.reduce((sum, leg) => sum + leg.faceAmount, 0n)
  const totalAdvance = route.legs.reduce((sum, leg) => sum + advanceOf(model, leg), 0n)
  if (totalAdvance < route.targetAdvance) return refuse('TargetNotMet', totalAdvance, route.targetAdvance)
  if (totalFace > route.maxTotalFace) return refuse('TotalFaceExceeded', totalFace, route.maxTotalFace)
  model.nonces.set(route.user, nonce + 1n)
  for (const leg of route.legs) fund(model, leg)
  return undefined
}

export function cancelRoutes(model: Model, user: Address): void {
  model.nonces.set(user, (model.nonces.get(user) ?? 0n) + 1n)
}

export function executeFinancing(
  model: Model,
  user: Address,
  leg: ModelLeg,
  deadline: bigint,
): Refusal | undefined {
  if (model.paused) return refuse('EnforcedPause')
  if (model.now > deadline) return refuse('DeadlineExpired', deadline, model.now)
  const refusal = refusalOfLegs(model, user, [leg])
  if (!refusal) fund(model, leg)
  return refusal
}

export function advanceOf(model: Model, leg: ModelLeg): bigint {
  const claim = model.claims.get(leg.claimId)
  if (!claim || claim.dueDate <= model.now) return 0n
  return leg.faceAmount - priceOf(vaultOf(model, leg.vault).pricing, claim, leg.faceAmount, model.now)
}

function refusalOfLegs(model: Model, user: Address, legs: readonly ModelLeg[]): Refusal | undefined {
  if (legs.length < 1 || legs.length > 8) return refuse('InvalidLegCount', BigInt(legs.length))
  const before: ModelLeg[] = []
  for (const leg of legs) {
    const refusal = refusalOfLeg(model, user, leg, before)
    if (refusal) return refusal
    before.push(leg)
  }
  return undefined
}

function refusalOfLeg(model: Model, user: Address, leg: ModelLeg, before: ModelLeg[]): Refusal | undefined {
  const { claimId, vault: address } = leg
  if (before.some((other) => other.claimId === claimId)) return refuse('DuplicateClaim', claimId)
  const claim = model.claims.get(claimId)
  if (!claim) return refuse('UnknownClaim', claimId)
  const first = before[0] && model.claims.get(before[0].claimId)
  if (first && first.token !== claim.token) return refuse('MixedTokens', claimId)
  if (claim.beneficiary !== user) return refuse('NotBeneficiary', claimId, user)
  if (!model.issuers.get(claim.issuer)) return refuse('IssuerInactive', claimId, claim.issuer)
  const vault = vaultOf(model, address)
  if (!vault.active) return refuse('VaultInactive', address)
  const ofQuote = refusalOfQuote(vault, claim, leg, model.now, owedFace(model, vault, claim.issuer))
  if (ofQuote) return ofQuote
  if (claim.allocations.length === 8) return refuse('NoSlicesRemaining', claimId)
  const advance = advanceOf(model, leg)
  const { minimumAdvanceAmount: minimum } = leg
  if (advance < minimum) return refuse('AdvanceBelowMinimum', claimId, advance, minimum)
  const sharing = before.filter((other) => other.vault === address)
  const alike = sharing.filter((other) => model.claims.get(other.claimId)?.issuer === claim.issuer)
  const owed = alike.reduce((sum, other) => sum + other.faceAmount, owedFace(model, vault, claim.issuer))
  if (owed + leg.faceAmount > vault.mandate.maxIssuerFace)
    return refuse('AboveMaximumIssuerFace', claimId, address, leg.faceAmount)
  const required = sharing.reduce((sum, other) => sum + advanceOf(model, other), advance)
  if (required > vault.idleAssets) return refuse('InsufficientLiquidity', address, required, vault.idleAssets)
  return undefined
}

/** Face that the claims of an issuer owe a vault. */
export function owedFace(model: Model, vault: ModelVault, issuer: Address): bigint {
  return [...vault.financed].reduce((sum, [key, { faceAmount, repaidFace }]) => {
    const claim = model.claims.get(key.split(' ')[0] as Hex)
    return claim?.issuer === issuer ? sum + faceAmount - repaidFace : sum
  }, 0n)
}

function fund(model: Model, leg: ModelLeg): void {
  const claim = model.claims.get(leg.claimId)
  if (!claim) throw new Error('a leg without a claim passed the checks')
  const vault = vaultOf(model, leg.vault)
  const advanceAmount = advanceOf(model, leg)
  vault.financed.set(sliceKey(leg.claimId, claim.allocations.length), {
    fundedAt: model.now,
    dueDate: claim.dueDate,
    faceAmount: leg.faceAmount,
    advanceAmount,
    repaidFace: 0n,
  })
  claim.allocations.push({ vault: leg.vault, faceAmount: leg.faceAmount, advanceAmount })
  claim.financedFaceValue += leg.faceAmount
  claim.state = claim.financedFaceValue === claim.faceValue ? State.FULLY_FUNDED : State.PARTIALLY_FUNDED
  vault.idleAssets -= advanceAmount
  vault.outstandingFace += leg.faceAmount
  vault.outstandingAdvance += advanceAmount
  move(model, claim.token, leg.vault, claim.beneficiary, advanceAmount)
}
