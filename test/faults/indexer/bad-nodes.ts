/** Episodes in which a node gives wrong answers or none. */
import { setTimeout as pause } from 'node:timers/promises'
import { actUntil } from '../../indexer/act-until.ts'
import { failures, type WrongChains, wrongAnswers } from '../../indexer/lies.ts'
import type { Lie } from '../../indexer/lying-node.ts'
import { playSteps } from '../../indexer/random-world.ts'
import { until } from '../../support/indexer.ts'
import type { Draw } from './draw.ts'
import type { Stage } from './episodes.ts'

export type NodeFault = { lieFor: (chains: WrongChains) => Lie; hasSpare: boolean }

/** The fault continues for at most this time after it was met. */
const LONGEST_MS = 8000

const SEEDS = 2 ** 31

/** Every wrong answer and failure, of a node with a spare one and of the only one. */
export function nodeFaults(): NodeFault[] {
  const lies = [
    ...Object.values(wrongAnswers).map(({ lieFor }) => lieFor),
    ...Object.values(failures).map((lie) => () => lie),
  ]
  return [true, false].flatMap((hasSpare) => lies.map((lieFor) => ({ lieFor, hasSpare })))
}

/**
 * Makes the first node faulty for some seconds. The second one is correct, or fails. In half of the episodes the
 * indexer starts again meanwhile.
 */
export async function badNodes(stage: Stage, draw: Draw): Promise<void> {
  const [node, spare] = stage.nodes
  const { lieFor, hasSpare } = stage.drawFault()
  node.lieWith(lieFor(await stage.wrongChains()))
  spare.lieWith(hasSpare ? undefined : failures['answers with a page of HTML'])
  if (draw(2) === 0) stage.indexer.kill()
  await until(async () => stage.isPlayed())
  await actUntil(node.hasLied, () => playSteps(stage.scene, draw(SEEDS), 3), {
    world: stage.scene.world,
    pool: stage.postgres.pool,
  })
  await pause(draw(LONGEST_MS))
  for (const each of stage.nodes) each.lieWith(undefined)
}
