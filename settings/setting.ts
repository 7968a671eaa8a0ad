/** One setting: its format and default, and its meaning for docs/settings.md. */
import type { z } from 'zod'

export type Env = Readonly<Record<string, string | undefined>>

type Documentation = {
  /** One sentence or more, in Markdown. */
  readonly meaning: string
  /** Unit of a number, as in "milliseconds". */
  readonly unit?: string
  /** Instead of the default of the schema: for one that depends on more than the setting. */
  readonly byDefault?: string
}

const documented = new WeakMap<z.ZodType, Documentation>()

/** @throws Error for a setting that was declared in another way: the document must not leave it out */
export function documentationOf(variable: string, schema: z.ZodType): Documentation {
  const found = documented.get(schema)
  if (!found) throw new Error(`${variable} is not declared with \`setting\``)
  return found
}

/** Declares a setting. The schema stays the same; a later default or check would make another one. */
export function setting<S extends z.ZodType>(
  schema: S,
  meaning: string,
  more: Omit<Documentation, 'meaning'> = {},
): S {
  documented.set(schema, { meaning, ...more })
  return schema
}

/** Settings that are described together. */
export type Group = { readonly [variable: string]: z.ZodType }
