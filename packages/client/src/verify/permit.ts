/** Permits of tokens (EIP-2612): the one that an answer offers, and the signed one of a request. */
import { type Address, type Hex, hashTypedData, parseSignature } from 'viem'
import { permit } from '../generated/contracts.ts'
import { at, type Expected, hexAt, integerAt, isSameHex, mismatch, Rule, textAt } from './compare.ts'
import { refuseLater, secondsAt, timeOf, typedDataOf } from './parts.ts'
import type { Prepared } from './prepared.ts'

/** Lifetime of an offered permit. */
const LIFETIME_SECONDS = 1_800

/**
 * The permit of the answer, if it offers one. The token decides whether name, version and nonce are right: with others,
 * the signature gives no allowance before its deadline.
 */
export function permitOf(
  prepared: Prepared,
  { token, spender, value }: { token: Address; spender: Address; value: bigint },
): Expected {
  const { answer, wallet, deployment } = prepared
  if (at(answer, 'permit') === null) return null
  const deadline = secondsAt(answer, 'permit.deadline')
  refuseLater(prepared, 'permit.deadline', deadline, LIFETIME_SECONDS)
  const domain = {
    name: textAt(answer, 'permit.typedData.domain.name'),
    version: textAt(answer, 'permit.typedData.domain.version'),
    chainId: BigInt(deployment.chainId),
    verifyingContract: token,
  }
  const nonce = integerAt(answer, 'permit.typedData.message.nonce')
  const message = { owner: wallet, spender, value, nonce, deadline }
  const hash = hashTypedData({ ...permit, domain, message })
  return {
    typedData: typedDataOf(permit, domain, message),
    digest: new Rule('the digest of `permit.typedData`', (received) => isSameHex(received, hash)),
    deadline: timeOf(deadline),
  }
}

/** Deadline and signature, as the vault takes them; undefined if the request has no permit. */
export function signedPermitIn(
  request: unknown,
): readonly [deadline: bigint, v: number, r: Hex, s: Hex] | undefined {
  if (at(request, 'body.permit') === undefined) return undefined
  const signature = hexAt(request, 'body.permit.signature')
  try {
    const { r, s, yParity } = parseSignature(signature)
    return [secondsAt(request, 'body.permit.deadline'), 27 + yParity, r, s]
  } catch {
    throw mismatch('permit.signature', signature, 'a signature of 65 bytes')
  }
}
