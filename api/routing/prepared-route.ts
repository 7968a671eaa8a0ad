/** A route that is ready to be signed, and the text as which it is stored for repeated requests. */
import { z } from '@hono/zod-openapi'
import { address } from '../domain/address.ts'
import { hash } from '../domain/hash.ts'
import { issueCodes } from '../domain/issues.ts'
import { formatMoney, money } from '../domain/money.ts'
import { formatTime, time, timeInput } from '../domain/time.ts'
import { signableTypedData } from '../typed-data/signable.ts'

const amount = z.codec(money, z.bigint(), { decode: BigInt, encode: formatMoney })

const issue = z.object({
  code: z.enum(issueCodes),
  message: z.string(),
  have: amount.exactOptional(),
  need: amount.exactOptional(),
  errorName: z.string().exactOptional(),
  arguments: z.array(z.string()).readonly().exactOptional(),
})

const preparedRoute = z.object({
  /** The digest of `typedData`. */
  executionId: hash,
  typedData: signableTypedData,
  /** Inclusive, Unix seconds. */
  deadline: z.codec(time, z.bigint(), { decode: (text) => timeInput.parse(text), encode: formatTime }),
  /** The legs of the message. */
  legs: z
    .array(z.object({ claimId: hash, vault: address, faceAmount: amount, minimumAdvanceAmount: amount }))
    .readonly(),
  /** Number of the finalized block of all checks. */
  blockNumber: z.codec(z.int(), z.bigint(), { decode: BigInt, encode: Number }),
  /** Reasons for which it would fail at the latest block. */
  issues: z.array(issue).readonly(),
})

export type PreparedRoute = z.output<typeof preparedRoute>

export function writePreparedRoute(prepared: PreparedRoute): string {
  return JSON.stringify(z.encode(preparedRoute, prepared))
}

/** Reads the texts of earlier versions, too: they have the same fields, and some more that follow from these. */
export function readPreparedRoute(text: string): PreparedRoute {
  return preparedRoute.parse(JSON.parse(text))
}
