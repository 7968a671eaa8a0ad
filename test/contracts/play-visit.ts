/** Someone enters a vault, a claim is settled, and they leave within a day. */
import type { Model } from './model.ts'
import { play } from './play.ts'
import type { Stage } from './stage.ts'
import { plainSettlement, type StepOf } from './steps.ts'

export async function visit(stage: Stage, model: Model, step: StepOf<'visit'>): Promise<string> {
  const { elapsed, portion, vault, claim } = step
  const as = { provider: stage.providers.length, vault }
  const entered = await play(stage, model, { kind: 'deposit', elapsed, portion, ...as })
  await play(stage, model, { kind: 'settle', elapsed: 1, claim, blocked: 'none', ...plainSettlement })
  await play(stage, model, { kind: 'wait', elapsed: step.stay })
  await play(stage, model, { kind: 'redeem', elapsed: 1, portion: 16, ...as })
  return entered === 'deposit' ? 'visit' : `visit: ${entered}`
}
