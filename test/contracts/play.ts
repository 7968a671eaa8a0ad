/** Plays one random step on the chain and on the model, and compares what came of it. */
import { type Hex, keccak256, toHex } from 'viem'
import { expect } from 'vitest'
import {
  cancelRoutes as cancelOnChain,
  cancelAttestation as cancelOnRegistry,
  carryForward,
  DAY,
  depositOwned,
  pauseRouter,
  redeem as redeemOnChain,
  setIssuerActive,
  setVaultActive,
  signAttestation,
  submitAttestation,
  transfer,
  unpauseRouter,
  withdraw as withdrawOnChain,
} from '../support/scenario.ts'
import { revertOf } from '../support/transactions.ts'
import {
  balance,
  cancelAttestation,
  cancelRoutes,
  type Model,
  type ModelAttestation,
  move,
  type Refusal,
  refuse,
  register,
  vaultOf,
} from './model.ts'
import { deposit, maxRedeem, maxWithdraw, redeem, withdraw } from './model-capital.ts'
import { passTime } from './model-ledger.ts'
import { endOfDueDay } from './model-value.ts'
import { playDirect, playRoute } from './play-financing.ts'
import { playRelease, playRevoke, playSettle, playWithdrawCredit } from './play-settlement.ts'
import { playAccept, playRevokeTerms, playSubmit, timeOfAcceptance } from './play-terms.ts'
import { visit } from './play-visit.ts'
import type { Stage } from './stage.ts'
import type { Step, StepOf } from './steps.ts'

/** The refusal that the model foresees, and the transaction that tries the step on the chain. */
export type Attempt = { refusal: Refusal | undefined; act: () => Promise<unknown> }

type PlainStep = Exclude<Step, { kind: 'visit' }>

/** @returns what happened: the kind of step, with the error when it was refused */
export async function play(stage: Stage, model: Model, step: Step): Promise<string> {
  if (step.kind === 'visit') return visit(stage, model, step)
  const { chain } = stage.world
  passTime(model, timeOf(stage, model, step))
  const { refusal, act } = await attemptOf(stage, model, step)
  await chain.setNextBlockTimestamp({ timestamp: model.now })
  if (!refusal) {
    await act()
    return step.kind
  }
  expect(await revertOf(act())).toEqual(refusal)
  await chain.mine({ blocks: 1 })
  if (refusal.errorName === 'EnforcedPause') await play(stage, model, { kind: 'pause', elapsed: 1 })
  return `${step.kind}: ${refusal.errorName}`
}

export function pick<item>(items: readonly item[], index: number): item {
  const item = items[index % items.length]
  if (item === undefined) throw new Error('nothing to pick from')
  return item
}

/** The claim at `index` of those registered; an id that is no claim's while there are none. */
export function pickClaim(model: Model, index: number): Hex {
  const claimIds = [...model.claims.keys()]
  return claimIds.length > 0 ? pick(claimIds, index) : keccak256('0x')
}

function timeOf(stage: Stage, model: Model, step: PlainStep): bigint {
  if (step.kind === 'acceptTerms') return timeOfAcceptance(stage, model, step)
  if (step.kind !== 'approach') return model.now + BigInt(step.elapsed)
  const claim = model.claims.get(pickClaim(model, step.claim))
  const due = claim ? (step.midnight ? endOfDueDay(claim) : claim.dueDate) : 0n
  const moment = due - BigInt(step.days) * DAY + BigInt(step.offset)
  return moment > model.now ? moment : model.now + 1n
}

function attemptOf(stage: Stage, model: Model, step: PlainStep): Attempt | Promise<Attempt> {
  switch (step.kind) {
    case 'register':
      return playRegister(stage, model, step)
    case 'route':
      return playRoute(stage, model, step)
    case 'direct':
      return playDirect(stage, model, step)
    case 'settle':
      return playSettle(stage, model, step)
    case 'cancel':
      return playCancel(stage, model, step)
    case 'withdrawCredit':
      return playWithdrawCredit(stage, model, step)
    case 'release':
      return playRelease(stage, model, step)
    case 'revoke':
      return playRevoke(stage, model, step)
    case 'deposit':
    case 'withdraw':
    case 'redeem':
      return playCapital(stage, model, step)
    case 'donate':
      return playDonate(stage, model, step)
    case 'carryForward':
      return playCarryForward(stage, model, step)
    case 'submitTerms':
      return playSubmit(stage, model, step)
    case 'acceptTerms':
      return playAccept(stage, model, step)
    case 'revokeTerms':
      return playRevokeTerms(stage, model, step)
    case 'wait':
    case 'approach':
      return { refusal: undefined, act: () => stage.world.chain.mine({ blocks: 1 }) }
    default:
      return playAdministration(stage, model, step)
  }
}

function attestationOf(stage: Stage, model: Model, step: StepOf<'register'>) {
  const issuer = pick(stage.issuers, step.issuer)
  const token = pick(stage.tokens, step.token)
  return {
    issuer: issuer.address,
    beneficiary: step.unpayable
      ? pick(stage.vaults, step.beneficiary)
      : pick(stage.users, step.beneficiary).address,
    token,
    faceValue: step.faceValue * (stage.units.get(token) ?? 1n),
    dueDate: model.now + step.dueIn,
    claimType: step.claimType,
    documentHash: keccak256(toHex(step.document)),
    validUntil: step.expired ? model.now - 1n : model.now,
  }
}

async function playRegister(stage: Stage, model: Model, step: StepOf<'register'>): Promise<Attempt> {
  const { world } = stage
  const issuer = pick(stage.issuers, step.issuer)
  const attestation = attestationOf(stage, model, step)
  if (step.cancelled) return playCancellation(stage, model, attestation, step)
  const signer = step.forged ? world.parties.curator : issuer
  const signature = await signAttestation(world, signer, attestation)
  return {
    refusal: register(model, attestation, !step.forged),
    act: () => submitAttestation(world, { attestation, signature, submitter: world.parties.relayer }),
  }
}

/** The issuer, or once in a while another party, cancels the attestation in place of its registration. */
function playCancellation(
  { world }: Stage,
  model: Model,
  attestation: ModelAttestation,
  step: StepOf<'register'>,
): Attempt {
  const own = [world.parties.issuer, world.parties.otherIssuer].find(
    ({ address }) => address === attestation.issuer,
  )
  const as = own && !step.forged ? own : world.parties.curator
  return {
    refusal: cancelAttestation(model, as.address, attestation),
    act: () => cancelOnRegistry(world, { attestation, as }),
  }
}

function playCancel(stage: Stage, model: Model, step: StepOf<'cancel'>): Attempt {
  const user = pick(stage.users, step.user)
  cancelRoutes(model, user.address)
  return { refusal: undefined, act: () => cancelOnChain(stage.world, { user }) }
}

function playCapital(stage: Stage, model: Model, step: StepOf<'deposit' | 'withdraw' | 'redeem'>): Attempt {
  const provider = pick([...stage.providers, stage.visitor], step.provider)
  const vault = pick(stage.vaults, step.vault)
  const { world } = stage
  const share = (limit: bigint) => (step.portion > 16 ? limit + 1n : (limit * BigInt(step.portion)) / 16n)
  if (step.kind === 'deposit') {
    const owned = balance(model, vaultOf(model, vault).token, provider.address)
    // The largest deposit takes a tenth, so that there are many; only the one that is refused asks for all.
    const assets = step.portion > 16 ? owned + 1n : share(owned / 10n)
    const refusal = deposit(model, provider.address, vault, assets)
    return { refusal, act: () => depositOwned(world, { provider, vault, assets }) }
  }
  if (step.kind === 'withdraw') {
    const assets = share(maxWithdraw(model, provider.address, vault))
    const refusal = withdraw(model, provider.address, vault, assets)
    return { refusal, act: () => withdrawOnChain(world, { provider, vault, assets }) }
  }
  const shares = share(maxRedeem(model, provider.address, vault))
  const refusal = redeem(model, provider.address, vault, shares)
  return { refusal, act: () => redeemOnChain(world, { provider, vault, shares }) }
}

function playDonate(stage: Stage, model: Model, step: StepOf<'donate'>): Attempt {
  const [from] = stage.payers
  const to = pick(stage.vaults, step.vault)
  const { token } = vaultOf(model, to)
  const amount = BigInt(step.amount)
  move(model, token, from.address, to, amount)
  return { refusal: undefined, act: () => transfer(stage.world, { from, token, to, amount }) }
}

function playCarryForward(
  { world, vaults, payers }: Stage,
  model: Model,
  step: StepOf<'carryForward'>,
): Attempt {
  const day = model.now / DAY + BigInt(step.days)
  const vault = pick(vaults, step.vault)
  return { refusal: undefined, act: () => carryForward(world, { sender: payers[0], vault, day }) }
}

type Administration = StepOf<'vaultActive' | 'issuerActive' | 'pause'>

function playAdministration(stage: Stage, model: Model, step: Administration): Attempt {
  const { world } = stage
  if (step.kind === 'pause') {
    model.paused = !model.paused
    const act = model.paused ? () => pauseRouter(world) : () => unpauseRouter(world)
    return { refusal: undefined, act }
  }
  if (step.kind === 'issuerActive') {
    const { active } = step
    const issuer = pick(stage.issuers, step.issuer).address
    const unchanged = model.issuers.get(issuer) === active
    model.issuers.set(issuer, active)
    const refusal = unchanged ? refuse('IssuerStatusUnchanged', issuer, active) : undefined
    return { refusal, act: () => setIssuerActive(world, { issuer, active }) }
  }
  const vault = pick(stage.vaults, step.vault)
  const state = vaultOf(model, vault)
  const { active } = step
  const refusal = state.active === active ? refuse('VaultStatusUnchanged', vault, active) : undefined
  state.active = active
  return { refusal, act: () => setVaultActive(world, { vault, active }) }
}
