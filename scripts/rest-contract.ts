/**
 * The part of an OpenAPI 3.1 document that clients rely on: paths, parameters, bodies and types, without descriptions.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

export const RELEASED_CONTRACT = join(import.meta.dirname, '../api/rest/generated/released.json')

/** Bounds that can be narrowed: the largest by a lower value, the least by a higher one. */
export const BOUNDS = [
  ['maximum', 1],
  ['maxLength', 1],
  ['maxItems', 1],
  ['minimum', -1],
  ['minLength', -1],
  ['minItems', -1],
] as const

const bound = z.number().optional()

const schema = z.object({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  pattern: z.string().optional(),
  maximum: bound,
  maxLength: bound,
  maxItems: bound,
  minimum: bound,
  minLength: bound,
  minItems: bound,
  required: z.array(z.string()).optional(),
  get properties() {
    return z.record(z.string(), schema).optional()
  },
  get additionalProperties() {
    return z.union([z.boolean(), schema]).optional()
  },
  get items() {
    return schema.optional()
  },
  get allOf() {
    return z.array(schema).optional()
  },
  get anyOf() {
    return z.array(schema).optional()
  },
  get oneOf() {
    return z.array(schema).optional()
  },
})

const content = z.record(z.string(), z.object({ schema: schema.optional() })).optional()

const operation = z.object({
  security: z.array(z.record(z.string(), z.array(z.string()))).optional(),
  parameters: z
    .array(
      z.object({
        in: z.string(),
        name: z.string(),
        required: z.boolean().optional(),
        schema: schema.optional(),
      }),
    )
    .optional(),
  requestBody: z.object({ required: z.boolean().optional(), content }).optional(),
  responses: z.record(
    z.string(),
    z.object({ headers: z.record(z.string(), z.object({})).optional(), content }),
  ),
})

const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const

/** Strips everything else. */
export const restContract = z.object({
  paths: z.record(z.string(), z.partialRecord(z.enum(METHODS), operation)),
  components: z.object({ schemas: z.record(z.string(), schema) }),
})

export type RestContract = z.output<typeof restContract>
export type Schema = z.output<typeof schema>
export type Operation = z.output<typeof operation>

/** Reads the contract that clients were last promised. */
export function readReleasedContract(): RestContract {
  return restContract.parse(JSON.parse(readFileSync(RELEASED_CONTRACT, 'utf8')))
}
