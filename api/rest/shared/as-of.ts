/** Reads of REST as of a block of the past. */
import { z } from '@hono/zod-openapi'
import { formatTime, timeInput } from '../../domain/time.ts'
import { validationFailed } from '../../errors.ts'
import type { AsOf } from '../../projection/past/around.ts'

/** Largest number with as many digits as block numbers of requests may have. */
const BLOCK_MAX = 999_999_999_999_999

/** Parameters of a read that has a past. */
export const asOfParameters = {
  asOfBlock: z
    .string({ error: 'must be given once' })
    .regex(/^[0-9]{1,15}$/, 'must be a block number')
    .transform(BigInt)
    .optional()
    .openapi({
      type: 'integer',
      minimum: 0,
      maximum: BLOCK_MAX,
      description: 'Finalized block as of which the answer is read. Default: the last one.',
    }),
  asOfTime: timeInput.optional().openapi({
    description: 'Time as of which the answer is read: it stands for the last block until then.',
  }),
} as const

/** Errors of a read that has a past. */
export const asOfProblems = ['AS_OF_NOT_FINAL', 'CHAIN_UNAVAILABLE'] as const

type Parameters = { readonly asOfBlock?: bigint | undefined; readonly asOfTime?: bigint | undefined }

/** @throws CodedError `VALIDATION_FAILED` for both a block and a time */
export function asOfIn({ asOfBlock: block, asOfTime: time }: Parameters): AsOf | undefined {
  if (block !== undefined && time !== undefined)
    throw validationFailed([{ path: 'asOfTime', message: 'must not be given with asOfBlock' }])
  if (block !== undefined) return { block }
  return time === undefined ? undefined : { time }
}

/** Presents the block or the time as a value of the input type `AsOf` of GraphQL. @throws as `asOfIn` */
export function asOfVariable(parameters: Parameters) {
  const asOf = asOfIn(parameters)
  if (!asOf) return undefined
  return 'block' in asOf ? { block: Number(asOf.block) } : { time: formatTime(asOf.time) }
}
