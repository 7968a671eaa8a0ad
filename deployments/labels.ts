/**
 * Labels that an operator gives to claim types and issuers of one chain: the shape of
 * `deployments/<chainId>.labels.json` and how to load it. They are for people and decide nothing, so they are no part
 * of the manifest, from which the name of the index derives.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { describeIssue } from './describe-issue.ts'
import { address } from './manifest.ts'

/** Issuers with a label. Statements have all labels of a kind as one parameter. */
const ISSUERS_MAX = 1000

/** Characters of a label at most. */
export const LABEL_CHARACTERS = 100

/** Without control and format characters, which can change how the text around them is shown. */
const label = z
  .string()
  .regex(
    new RegExp(`^[^\\p{C}]{1,${LABEL_CHARACTERS}}$`, 'u'),
    `must have 1 to ${LABEL_CHARACTERS} characters, none of them a control character`,
  )

const claimType = z
  .string()
  .regex(/^(0|[1-9]\d{0,2})$/, 'must be a claim type, 0 to 255')
  .refine((text) => Number(text) <= 255, 'must be a claim type, 0 to 255')

const labelsShape = z.strictObject({
  generated: z.string().optional(),
  claimTypes: z.record(claimType, label).default({}),
  issuers: z
    .record(address, label)
    .default({})
    .refine(
      (issuers) => Object.keys(issuers).length <= ISSUERS_MAX,
      `must have ${ISSUERS_MAX} issuers at most`,
    ),
})

/** Labels by claim type and by lowercase address. */
export type Labels = {
  readonly claimTypes: Readonly<Record<string, string>>
  readonly issuers: Readonly<Record<string, string>>
}

export const NO_LABELS: Labels = { claimTypes: {}, issuers: {} }

/** Reads the labels of a chain; none without a file. @throws Error that names the file and what is wrong in it */
export function loadLabels(chainId: number, folder: string = import.meta.dirname): Labels {
  const file = join(folder, `${chainId}.labels.json`)
  if (!existsSync(file)) return NO_LABELS
  const result = labelsShape.safeParse(parse(readFileSync(file, 'utf8')))
  if (result.success) return result.data
  throw new Error(`${file} has no valid labels: ${result.error.issues.map(describeIssue).join('; ')}.`)
}

/** Undefined for what is no JSON, which the shape refuses. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
