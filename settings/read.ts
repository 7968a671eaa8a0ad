/** Reads the settings of one process. */
import type { z } from 'zod'
import type { Env } from './setting.ts'
import { unknownSettings } from './unknown.ts'

/**
 * The settings in an environment. A blank variable is none: `NAME=` in an env file is the same as no line.
 *
 * @throws Error with a sentence for each invalid variable, and for each that may be meant for one that is missing; none
 * has a value
 */
export function readSettings<S extends z.ZodType>(schema: S, env: Env): z.output<S> {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()))
  const result = schema.safeParse(set)
  if (result.success) return result.data
  const faults = new Map(result.error.issues.map(({ path, message }) => [String(path[0]), message]))
  const sentences = [...faults].map(([variable, message]) => `${variable} ${message}`)
  throw new Error(`${[...sentences, ...unknownSettings(env)].join('; ')}.`)
}
