/**
 * Faults that hit an indexer at random moments while events arrive. Each episode is one fault; afterwards the indexer
 * has to reach the chain's finalized block by itself.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { WrongChains } from '../../indexer/lies.ts'
import type { LyingNode } from '../../indexer/lying-node.ts'
import type { Scene } from '../../indexer/random-actions.ts'
import { playSteps } from '../../indexer/random-world.ts'
import type { DurablePostgres } from '../../support/durable-postgres.ts'
import { projectedBlock, until } from '../../support/indexer.ts'
import { badNodes, type NodeFault, nodeFaults } from './bad-nodes.ts'
import { type Draw, deckOf, random } from './draw.ts'
import { catchUp, hasReached } from './progress.ts'
import type { Supervised } from './supervised.ts'

export type Stage = {
  scene: Scene
  postgres: DurablePostgres
  indexer: Supervised
  /** The nodes of the indexer in their order: the second one is asked only when the first one fails. */
  nodes: readonly [LyingNode, LyingNode]
  /** Adds blocks to the wrong chains until they are higher than the world. */
  wrongChains: () => Promise<WrongChains>
  /** Whether the events of the episode have all happened. */
  isPlayed: () => boolean
  drawFault: () => NodeFault
}

export type Episode = (stage: Stage, draw: Draw) => Promise<void>

/** A moment within this many milliseconds of the first event covers several blocks, and the COMMIT of some. */
const MOMENT_MS = 1500

export const episodes = {
  /** Ends one, some or all connections of the indexer. */
  async terminated({ postgres }, draw) {
    await pause(draw(MOMENT_MS))
    const victims = [
      'true',
      'pid % 2 = 0',
      `application_name like '%_user'`,
      `application_name = 'ponder_sync'`,
    ]
    await postgres.terminate(victims[draw(victims.length)] ?? 'true')
  },
  /** Crashes Postgres right after a block was projected. */
  async crashes({ postgres, isPlayed }, draw) {
    const next = ((await projectedBlock(postgres.pool)) ?? 0n) + 1n + BigInt(draw(3))
    await until(async () => isPlayed() || (await hasReached(postgres.pool, next)))
    await postgres.crash()
    await postgres.start()
  },
  /** Kills the Ponder process. */
  async killed({ indexer }, draw) {
    await pause(draw(MOMENT_MS))
    indexer.kill()
  },
  badNodes,
} satisfies Record<string, Episode>

export type EpisodeName = keyof typeof episodes

/** Injects each kind of fault as often as `counts` states, in an order that the seed selects. */
export async function playEpisodes(
  stage: Omit<Stage, 'isPlayed' | 'drawFault'>,
  counts: Record<EpisodeName, number>,
  seed: number,
) {
  const draw = random(seed)
  const drawFault = deckOf(nodeFaults(), draw)
  const names = Object.keys(episodes).filter(isEpisode)
  const left = names.flatMap((name) => Array<EpisodeName>(counts[name]).fill(name))
  for (let round = 0; left.length > 0; round++) {
    const [name] = left.splice(draw(left.length), 1)
    if (!name) break
    let isPlayed = false
    const playing = playSteps(stage.scene, seed + round, 3).then(() => {
      isPlayed = true
    })
    await Promise.all([playing, episodes[name]({ ...stage, isPlayed: () => isPlayed, drawFault }, draw)])
    await catchUp(stage.scene.world, stage.postgres.pool)
  }
}

function isEpisode(name: string): name is EpisodeName {
  return name in episodes
}
