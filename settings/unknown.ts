/** Variables that are likely settings with a wrong name. */
import { nearestOf } from './nearest.ts'
import { names } from './processes.ts'
import type { Env } from './setting.ts'

/**
 * A sentence for each variable that no process reads, and that looks like a setting: a few letters from one, one
 * without its last word, or of a family such as `RATE_LIMIT_`. Each names the nearest setting, and none has a value.
 */
export function unknownSettings(env: Env): string[] {
  const unknown = Object.keys(env).filter(
    (name) => env[name]?.trim() && !names.has(name) && !OF_OPEN_TELEMETRY.test(name),
  )
  return unknown.sort().flatMap((name) => {
    const { nearest, distance } = nearestOf(name, names)
    const isOurs =
      distance <= tolerance(name) ||
      nearest.replace(LAST_WORD, '') === name ||
      families.some((family) => name.startsWith(family))
    return isOurs ? [`${name} is not a setting: the nearest one is ${nearest}`] : []
  })
}

/** First two words of names, and those that several settings have in common. */
const prefixes = [...names].flatMap((name) => /^[A-Z]+_[A-Z]+_/.exec(name) ?? [])
const families = prefixes.filter((prefix, index) => prefixes.indexOf(prefix) !== index)

/** It defines many names, of which two are settings here. */
const OF_OPEN_TELEMETRY = /^OTEL_/

/** The last word of three or more: shorter names are too general without it. */
const LAST_WORD = /(?<=_.*)_[A-Z]+$/

/** Letters that may differ. Short names are too close to those of others, as HOST is to HOME. */
function tolerance({ length }: string): number {
  if (length < 6) return 0
  return length < 8 ? 1 : length < 16 ? 2 : 3
}
