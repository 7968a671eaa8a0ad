/** Converts planned actions to transactions. Every address and id follows from the manifest, so nothing is read. */
import { type Address, encodeFunctionData, getContractAddress, type Hex, keccak256, stringToHex } from 'viem'
import { claimRegistryAbi } from '../../abis/ClaimRegistry.ts'
import { demoTokenAbi } from '../../abis/DemoToken.ts'
import { financingRouterAbi } from '../../abis/FinancingRouter.ts'
import { financingVaultAbi } from '../../abis/FinancingVault.ts'
import { issuerRegistryAbi } from '../../abis/IssuerRegistry.ts'
import { vaultRegistryAbi } from '../../abis/VaultRegistry.ts'
import { sum } from '../../api/domain/bigint.ts'
import {
  type ClaimAttestation,
  claimAttestationTypes,
  claimIdOf,
  claimRegistryDomain,
} from '../../api/typed-data/claim-attestation.ts'
import { executionRouteTypes, financingRouterDomain } from '../../api/typed-data/execution-route.ts'
import { vaultDeployerOf } from '../../contracts/protocol.ts'
import type { Manifest } from '../../deployments/manifest.ts'
import { type DemoAccount, lowercase } from '../accounts.ts'
import { OPERATOR } from './accounts.ts'
import type { Action, LegPlan, WorldPlan } from './plan.ts'
import { at } from './random.ts'

/** `gas` is a bound that every action of its kind stays below; estimating each would double the work. */
export type Transaction = { from: Address; to: Address; data: Hex; gas: bigint }

/** The plan with the addresses and ids it has on one chain. */
export type Stage = {
  plan: WorldPlan
  manifest: Manifest
  accounts: readonly DemoAccount[]
  vaults: readonly Address[]
  claimIds: readonly Hex[]
}

export function setStage(plan: WorldPlan, manifest: Manifest, accounts: readonly DemoAccount[]): Stage {
  const vaultDeployer = vaultDeployerOf(manifest.contracts.vaultRegistry)
  const vaults = plan.vaults.map((_, index) =>
    // It creates nothing but vaults, and a contract's own nonces begin with 1.
    lowercase(getContractAddress({ from: vaultDeployer, nonce: BigInt(index + 1) })),
  )
  const { chainId, contracts } = manifest
  const claimIds = plan.claims.map((_, index) =>
    claimIdOf(chainId, contracts.claimRegistry, attestationOf({ plan, manifest, accounts }, index)),
  )
  return { plan, manifest, accounts, vaults, claimIds }
}

function documentHash(plan: WorldPlan, claim: number): Hex {
  return keccak256(stringToHex(`${plan.seed}: ${at(plan.claims, claim).document}`))
}

/** @param time of the block that the transaction will be in */
export async function transactionOf(stage: Stage, action: Action, time: number): Promise<Transaction> {
  const { contracts } = stage.manifest
  const operator = at(stage.accounts, OPERATOR).address
  const addressOf = (actor: number) => at(stage.accounts, actor).address
  switch (action.kind) {
    case 'mint':
    case 'approve':
      return tokenTransaction(stage, action)
    case 'setIssuerActive': {
      const args = [addressOf(action.issuer), action.active] as const
      const data = encodeFunctionData({ abi: issuerRegistryAbi, functionName: 'setActive', args })
      return { from: operator, to: contracts.issuerRegistry, data, gas: 100_000n }
    }
    case 'createVault':
      return {
        from: operator,
        to: contracts.vaultRegistry,
        data: vaultCreation(stage, action.vault),
        gas: 5_000_000n,
      }
    case 'setVaultActive': {
      const args = [at(stage.vaults, action.vault), action.active] as const
      const data = encodeFunctionData({ abi: vaultRegistryAbi, functionName: 'setActive', args })
      return { from: operator, to: contracts.vaultRegistry, data, gas: 100_000n }
    }
    case 'submitTerms':
    case 'acceptTerms':
    case 'deposit':
    case 'withdraw':
      return vaultTransaction(stage, action)
    case 'pause':
    case 'unpause': {
      const data = encodeFunctionData({ abi: financingRouterAbi, functionName: action.kind })
      return { from: operator, to: contracts.financingRouter, data, gas: 100_000n }
    }
    case 'register':
      return registration(stage, action.claim)
    case 'revoke': {
      const { issuer } = at(stage.plan.claims, action.claim)
      const args = [at(stage.claimIds, action.claim)] as const
      const data = encodeFunctionData({ abi: claimRegistryAbi, functionName: 'revoke', args })
      return { from: addressOf(issuer), to: contracts.claimRegistry, data, gas: 200_000n }
    }
    case 'financeDirect':
      return directFinancing(stage, action.leg, time)
    case 'executeRoute':
      return routeExecution(stage, action, time)
    case 'settle':
    case 'pay': {
      const { token, faceValue } = at(stage.plan.claims, action.claim)
      const amount = action.kind === 'pay' ? action.faceAmount : faceValue
      const args = [
        at(stage.claimIds, action.claim),
        at(stage.manifest.tokens, token).address,
        amount,
      ] as const
      const data = encodeFunctionData({ abi: financingRouterAbi, functionName: action.kind, args })
      return { from: addressOf(action.payer), to: contracts.financingRouter, data, gas: 1_500_000n }
    }
  }
}

type TokenAction = Extract<Action, { kind: 'mint' | 'approve' }>

function tokenTransaction(stage: Stage, action: TokenAction): Transaction {
  const { address: to } = at(stage.manifest.tokens, action.token)
  if (action.kind === 'mint') {
    const args = [at(stage.accounts, action.to).address, action.amount] as const
    const data = encodeFunctionData({ abi: demoTokenAbi, functionName: 'mint', args })
    return { from: at(stage.accounts, OPERATOR).address, to, data, gas: 100_000n }
  }
  const spender =
    action.spender === 'router'
      ? stage.manifest.contracts.financingRouter
      : at(stage.vaults, action.spender.vault)
  const data = encodeFunctionData({
    abi: demoTokenAbi,
    functionName: 'approve',
    args: [spender, action.amount],
  })
  return { from: at(stage.accounts, action.owner).address, to, data, gas: 100_000n }
}

function vaultCreation(stage: Stage, vault: number): Hex {
  const { name, symbol, token, curator, noticePeriod, mandate, pricing } = at(stage.plan.vaults, vault)
  const { address } = at(stage.manifest.tokens, token)
  const owner = at(stage.accounts, curator).address
  return encodeFunctionData({
    abi: vaultRegistryAbi,
    functionName: 'createVault',
    args: [address, name, symbol, owner, noticePeriod, mandate, pricing],
  })
}

type VaultAction = Extract<Action, { kind: 'submitTerms' | 'acceptTerms' | 'deposit' | 'withdraw' }>

function vaultTransaction(stage: Stage, action: VaultAction): Transaction {
  const to = at(stage.vaults, action.vault)
  const abi = financingVaultAbi
  if (action.kind === 'submitTerms' || action.kind === 'acceptTerms') {
    const from = at(stage.accounts, at(stage.plan.vaults, action.vault).curator).address
    const data =
      action.kind === 'submitTerms'
        ? encodeFunctionData({ abi, functionName: 'submitTerms', args: [action.mandate, action.pricing] })
        : encodeFunctionData({ abi, functionName: 'acceptTerms' })
    return { from, to, data, gas: 500_000n }
  }
  const from = at(stage.accounts, action.lender).address
  const data =
    action.kind === 'deposit'
      ? encodeFunctionData({ abi, functionName: 'deposit', args: [action.assets, from] })
      : encodeFunctionData({ abi, functionName: 'withdraw', args: [action.assets, from, from] })
  return { from, to, data, gas: 300_000n }
}

/** It can be registered until its claim is due. */
function attestationOf(
  { plan, manifest, accounts }: Pick<Stage, 'plan' | 'manifest' | 'accounts'>,
  claim: number,
): ClaimAttestation {
  const { issuer, beneficiary, token, faceValue, dueAt, claimType } = at(plan.claims, claim)
  return {
    issuer: at(accounts, issuer).address,
    beneficiary: at(accounts, beneficiary).address,
    token: at(manifest.tokens, token).address,
    faceValue,
    dueDate: BigInt(dueAt),
    claimType,
    documentHash: documentHash(plan, claim),
    validUntil: BigInt(dueAt),
  }
}

/** Submitted by the beneficiary, with the signature of the issuer. */
async function registration(stage: Stage, claim: number): Promise<Transaction> {
  const { manifest, accounts, plan } = stage
  const { issuer } = at(plan.claims, claim)
  const attestation = attestationOf(stage, claim)
  const signature = await at(accounts, issuer).signer.signTypedData({
    domain: claimRegistryDomain(manifest.chainId, manifest.contracts.claimRegistry),
    types: claimAttestationTypes,
    primaryType: 'ClaimAttestation',
    message: attestation,
  })
  const args = [attestation, signature] as const
  const data = encodeFunctionData({ abi: claimRegistryAbi, functionName: 'register', args })
  return { from: attestation.beneficiary, to: manifest.contracts.claimRegistry, data, gas: 500_000n }
}

/** Validity of a signature or a direct financing, seconds. */
const VALIDITY = 300

function directFinancing(stage: Stage, leg: LegPlan, time: number): Transaction {
  const { claimId, vault, faceAmount, minimumAdvanceAmount } = routeLeg(stage, leg)
  const data = encodeFunctionData({
    abi: financingRouterAbi,
    functionName: 'executeFinancing',
    args: [claimId, vault, faceAmount, minimumAdvanceAmount, BigInt(time + VALIDITY)],
  })
  const from = at(stage.accounts, at(stage.plan.claims, leg.claim).beneficiary).address
  return { from, to: stage.manifest.contracts.financingRouter, data, gas: 1_000_000n }
}

type RouteAction = Extract<Action, { kind: 'executeRoute' }>

async function routeExecution(stage: Stage, action: RouteAction, time: number): Promise<Transaction> {
  const { financingRouter } = stage.manifest.contracts
  const user = at(stage.accounts, action.user)
  const route = {
    user: user.address,
    token: at(stage.manifest.tokens, at(stage.plan.claims, at(action.legs, 0).claim).token).address,
    legs: action.legs.map((leg) => routeLeg(stage, leg)),
    targetAdvance: sum(action.legs.map(({ advanceAmount }) => advanceAmount)),
    maxTotalFace: sum(action.legs.map(({ faceAmount }) => faceAmount)),
    nonce: action.nonce,
    deadline: BigInt(time + VALIDITY),
  }
  const signature = await user.signer.signTypedData({
    domain: financingRouterDomain(stage.manifest.chainId, financingRouter),
    types: executionRouteTypes,
    primaryType: 'ExecutionRoute',
    message: route,
  })
  const data = encodeFunctionData({
    abi: financingRouterAbi,
    functionName: 'executeRoute',
    args: [route, signature],
  })
  const gas = 300_000n + 700_000n * BigInt(action.legs.length)
  return { from: at(stage.accounts, action.submitter).address, to: financingRouter, data, gas }
}

function routeLeg(stage: Stage, { claim, vault, faceAmount, advanceAmount }: LegPlan) {
  return {
    claimId: at(stage.claimIds, claim),
    vault: at(stage.vaults, vault),
    faceAmount,
    minimumAdvanceAmount: advanceAmount,
  }
}
