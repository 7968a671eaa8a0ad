/** `POST /vaults/{vault}/terms/prepare`: the terms are those of the request, and of the vault where it names none. */
import { decodeFunctionResult, encodeFunctionData, type Hex } from 'viem'
import { financingVaultAbi as abi } from '../generated/contracts.ts'
import { at, type Expected, hexAt, integerAt, listAt } from './compare.ts'
import { tokenOf, transactionOf } from './parts.ts'
import type { Prepared } from './prepared.ts'
import { requireVault } from './vaults.ts'

type Mandate = {
  supportedTypesBitmap: bigint
  minDurationDays: number
  maxDurationDays: number
  minFace: bigint
  maxFace: bigint
  maxClaimFace: bigint
  maxIssuerFace: bigint
}
type Pricing = { baseDiscountBps: number; durationBpsPerDay: number; premiumBps: readonly number[] }

export async function terms(prepared: Prepared): Promise<Expected> {
  const { request } = prepared
  const vault = hexAt(request, 'params.path.vault')
  const tokenInfo = tokenOf(prepared, await requireVault(prepared, vault))
  const action = at(request, 'body.action') ?? 'submit'
  const call = async (data: Hex) => prepared.callContract({ to: vault, data })
  if (action === 'accept' || action === 'revoke') {
    const functionName = action === 'accept' ? 'acceptTerms' : 'revokeTerms'
    const data = await call(encodeFunctionData({ abi, functionName: 'pendingTerms' }))
    const [mandate, pricing] = decodeFunctionResult({ abi, functionName: 'pendingTerms', data })
    const step = { to: vault, data: encodeFunctionData({ abi, functionName }), words: `${functionName}()` }
    return { ...transactionOf(prepared, step), vault, action, tokenInfo, ...written(mandate, pricing) }
  }
  const mandate = mandateIn(request) ?? (await readMandate(call))
  const pricing = pricingIn(request) ?? (await readPricing(call))
  const data = encodeFunctionData({ abi, functionName: 'submitTerms', args: [mandate, pricing] })
  const words = 'submitTerms` of `mandate` and `pricing'
  return {
    ...transactionOf(prepared, { to: vault, data, words }),
    vault,
    action: 'submit',
    tokenInfo,
    ...written(mandate, pricing),
  }
}

type CallVault = (data: Hex) => Promise<Hex>

async function readMandate(call: CallVault): Promise<Mandate> {
  const data = await call(encodeFunctionData({ abi, functionName: 'mandate' }))
  return decodeFunctionResult({ abi, functionName: 'mandate', data })
}

async function readPricing(call: CallVault): Promise<Pricing> {
  const data = await call(encodeFunctionData({ abi, functionName: 'pricing' }))
  return decodeFunctionResult({ abi, functionName: 'pricing', data })
}

function mandateIn(request: unknown): Mandate | undefined {
  if (at(request, 'body.mandate') === undefined) return undefined
  const integer = (name: string) => integerAt(request, `body.mandate.${name}`)
  return {
    supportedTypesBitmap: integer('supportedTypesBitmap'),
    minDurationDays: Number(integer('minDurationDays')),
    maxDurationDays: Number(integer('maxDurationDays')),
    minFace: integer('minFace'),
    maxFace: integer('maxFace'),
    maxClaimFace: integer('maxClaimFace'),
    maxIssuerFace: integer('maxIssuerFace'),
  }
}

function pricingIn(request: unknown): Pricing | undefined {
  if (at(request, 'body.pricing') === undefined) return undefined
  const integer = (name: string) => Number(integerAt(request, `body.pricing.${name}`))
  const premiums = listAt(request, 'body.pricing.premiumBps')
  return {
    baseDiscountBps: integer('baseDiscountBps'),
    durationBpsPerDay: integer('durationBpsPerDay'),
    premiumBps: premiums.map((_, type) => integer(`premiumBps.${type}`)),
  }
}

function written(mandate: Mandate, { premiumBps, ...pricing }: Pricing) {
  const { supportedTypesBitmap: bitmap } = mandate
  const types = Array.from({ length: 256 }, (_, type) => type)
  return {
    mandate: {
      supportedTypesBitmap: `${bitmap}`,
      supportedTypes: types.filter((type) => ((bitmap >> BigInt(type)) & 1n) === 1n),
      minDurationDays: mandate.minDurationDays,
      maxDurationDays: mandate.maxDurationDays,
      minFace: `${mandate.minFace}`,
      maxFace: `${mandate.maxFace}`,
      maxClaimFace: `${mandate.maxClaimFace}`,
      maxIssuerFace: `${mandate.maxIssuerFace}`,
    },
    pricing: { ...pricing, premiumBps: [...premiumBps] },
  }
}
