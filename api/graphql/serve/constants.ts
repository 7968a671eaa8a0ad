/**
 * Answers that read nothing, such as introspection: kept and compressed once for all requests that repeat them. They
 * are of the schema alone, so compression can reveal no secret.
 */
import { createLRUCache } from 'graphql-yoga'
import type { Context } from 'hono'
import { type ConstantText, createConstantText, encodeFor } from '../../http/assets.ts'
import type { AppEnv } from '../../http/env.ts'
import type { Answer } from '../../http/kept-answers.ts'

/** Tools differ in their introspection queries. An answer takes half a megabyte, and at most four. */
const CONSTANTS_KEPT = 4

/** Bytes from which an answer is compressed: less fits in one packet. */
const COMPRESSED_FROM = 1024

type Constant = Omit<Answer, 'text'> & { readonly text: ConstantText }

export function createConstants() {
  const kept = createLRUCache<Constant>({ max: CONSTANTS_KEPT })
  return {
    find: (request: string): Constant | undefined => kept.get(request),
    keep: (request: string, { text, ...answer }: Answer): Constant => {
      const constant = { ...answer, text: createConstantText(text) }
      kept.set(request, constant)
      return constant
    },
  }
}

/** @throws CodedError `ANSWERS_UNREAD` */
export async function sendConstant(
  c: Context<AppEnv>,
  { text, headers, operation }: Constant,
): Promise<Response> {
  c.set('operation', operation)
  const isSmall = text.bytes.length < COMPRESSED_FROM
  const { body, encoding } = isSmall ? { body: text.bytes, encoding: {} } : await encodeFor(c, text)
  c.get('requireRead')(body.length)
  return c.body(body, 200, { ...headers, ...encoding })
}
