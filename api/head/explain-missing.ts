/** Why a claim is not found that was registered in a block that is not final. */
import { formatTime } from '../domain/time.ts'
import { CodedError } from '../errors.ts'
import { expectedFinalAt } from './unfinalized.ts'
import type { HeadWatch } from './watch-head.ts'

type Parts = {
  head: Pick<HeadWatch, 'latest'>
  /** Milliseconds since 1970. */
  clock: () => number
}

/** @returns the error with the block of the registration and the time of the next try; any other error as it is */
export function explainMissing({ head, clock }: Parts, thrown: Error): Error {
  if (!(thrown instanceof CodedError) || thrown.code !== 'CLAIM_NOT_FOUND') return thrown
  const view = head.latest()
  const registration = view?.events.find(
    ({ name, claimId }) => name === 'ClaimRegistered' && claimId === thrown.facts.claimId,
  )
  if (!view || !registration) return thrown
  const { block, transactionHash } = registration
  const finalAt = expectedFinalAt(block, view)
  const facts = {
    ...thrown.facts,
    registeredBlock: Number(block.number),
    transactionHash,
    expectedFinalAt: formatTime(finalAt),
  }
  const detail = `${thrown.message} This one is registered in block ${block.number}, which should be final at ${facts.expectedFinalAt}.`
  const retryAfter = Math.max(1, Math.ceil(Number(finalAt) - clock() / 1000))
  return new CodedError(thrown.code, detail, { facts, retryAfter, cause: thrown.cause })
}
