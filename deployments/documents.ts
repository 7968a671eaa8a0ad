/**
 * Documents of GraphQL that an operator registers: the shape of the file and how to load it. Tools that generate code
 * from documents write such files.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { describeIssue } from './describe-issue.ts'

/** Documents of one gateway: they stay in memory. */
const DOCUMENTS_MAX = 10_000

const documentsShape = z
  .record(z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 of 64 lowercase hex digits'), z.string())
  .refine(
    (documents) => Object.keys(documents).length <= DOCUMENTS_MAX,
    `must be ${DOCUMENTS_MAX} documents at most`,
  )

/** Texts of documents by their ids: `sha256:` and the hash of the text (GraphQL over HTTP, appendix A). */
export type Documents = ReadonlyMap<string, string>

export const NO_DOCUMENTS: Documents = new Map()

/** @throws Error that names the file and what is wrong in it */
export function loadDocuments(file: string): Documents {
  const { success, data, error } = documentsShape.safeParse(parse(file))
  if (!success)
    throw new Error(`${file} has no valid documents: ${error.issues.map(describeIssue).join('; ')}.`)
  for (const [hash, text] of Object.entries(data)) {
    if (createHash('sha256').update(text).digest('hex') !== hash)
      throw new Error(`${file} has another text under ${hash} than that of this SHA-256.`)
  }
  return new Map(Object.entries(data).map(([hash, text]) => [`sha256:${hash}`, text]))
}

function parse(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (cause) {
    throw new Error(`${file}, the file of DOCUMENTS_FILE, is not there or is not JSON.`, { cause })
  }
}
