import { compare, least } from '../../domain/bigint.ts'
import { MAX_LEGS } from '../../domain/limits.ts'
import { type Domain, withLegs } from '../model/domain.ts'
import type { Option } from '../model/problem.ts'

const leastFace = (list: readonly Option[]): bigint => least(list.map(({ minFace }) => minFace)) ?? 0n

/**
 * Pruning rule: a vault has at most as many legs as there are least faces in it, the smallest first, within the cap on
 * the face.
 * Proof: its legs are of different claims, and each takes at least the least face of its claim there. Without it, a
 * bound counts on a leg too many where the lots are large: at a part of its cost, and for a part of its advance.
 */
export function limitLegs(domain: Domain, maxFace: bigint | undefined): Domain {
  if (maxFace === undefined) return domain
  const vaults = new Set(domain.options.flat().map(({ vault }) => vault))
  return [...vaults].reduce((limited, vault) => {
    const lists = domain.options.map((list) => list.filter((option) => option.vault === vault))
    const faces = lists.filter((list) => list.length > 0).map(leastFace)
    const most = countWithin(faces, maxFace)
    return most < Math.min(faces.length, MAX_LEGS) ? withLegs(limited, vault, { least: 0, most }) : limited
  }, domain)
}

function countWithin(faces: readonly bigint[], maxFace: bigint): number {
  let left = maxFace
  const sorted = [...faces].sort(compare)
  const beyond = sorted.findIndex((face) => {
    left -= face
    return left < 0n
  })
  return beyond < 0 ? faces.length : beyond
}
