/**
 * Someone enters a vault, a claim is settled, and they leave within a day, with no more than their share of the time.
 */
import type { Address } from 'viem'
import { expect } from 'vitest'
import { balance, type Model, type ModelVault, vaultOf } from './model.ts'
import { assetsFor } from './model-capital.ts'
import { lockedProfitOf } from './model-profit.ts'
import { pick, play } from './play.ts'
import type { Stage } from './stage.ts'
import { plainSettlement, type StepOf } from './steps.ts'

const PERIOD = 30n * 86_400n

export async function visit(stage: Stage, model: Model, step: StepOf<'visit'>): Promise<string> {
  const index = step.vault % stage.vaults.length
  const address = pick(stage.vaults, index)
  const vault = vaultOf(model, address)
  const { elapsed, portion } = step
  const as = { provider: stage.providers.length, vault: index }
  const entered = await play(stage, model, { kind: 'deposit', elapsed, portion, ...as })
  const since = model.now
  const before = worthOf(model, address, stage.visitor.address)
  const [pace, locked] = [paceOf(vault, since), lockedProfitOf(vault, since)]
  const settlement = { kind: 'settle', elapsed: 1, claim: step.claim, blocked: 'none' } as const
  await play(stage, model, { ...settlement, ...plainSettlement })
  const gained = lockedProfitOf(vault, model.now) - locked
  if (vault.totalSupply > 0n) expect(slowestPaceOf(vault, model.now)).toBeLessThanOrEqual(pace + gained + 1n)
  await play(stage, model, { kind: 'wait', elapsed: step.stay })
  const [shares, supply] = [balance(model, address, stage.visitor.address), vault.totalSupply]
  await play(stage, model, { kind: 'redeem', elapsed: 1, portion: 16, ...as })

  const gain = worthOf(model, address, stage.visitor.address) - before
  const most =
    ((pace + (gained > 0n ? gained : 0n) + 1n) * (model.now - since) * shares) / (PERIOD * (supply + 1n))
  expect(gain).toBeLessThanOrEqual(most + 1n)
  return entered === 'deposit' ? 'visit' : `visit: ${entered}`
}

function worthOf(model: Model, address: Address, holder: Address): bigint {
  const vault = vaultOf(model, address)
  return balance(model, vault.token, holder) + assetsFor(vault, balance(model, address, holder), model.now)
}

/** Amount that would unlock in a whole period at the present speed, rounded up. */
function paceOf(vault: ModelVault, now: bigint): bigint {
  const remaining = vault.unlocking.until - now
  return remaining > 0n ? (lockedProfitOf(vault, now) * PERIOD + remaining - 1n) / remaining : 0n
}

/** The lowest value of `paceOf` if the remaining time had not been rounded down. */
function slowestPaceOf(vault: ModelVault, now: bigint): bigint {
  const remaining = vault.unlocking.until - now
  return remaining > 0n ? (lockedProfitOf(vault, now) * PERIOD) / (remaining + 1n) : 0n
}
