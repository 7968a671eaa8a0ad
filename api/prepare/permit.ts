/** Permits (EIP-2612) in place of approvals: the wallet signs the allowance, and the transaction carries it. */
import { type Address, type Hex, parseSignature, recoverAddress } from 'viem'
import { hasContractCode } from '../chain/account-code.ts'
import { readPermitFacts } from '../chain/permit-facts.ts'
import { lowercaseAddress } from '../domain/address.ts'
import type { BaseUnits } from '../domain/money.ts'
import { formatTime, type UnixSeconds } from '../domain/time.ts'
import { CodedError } from '../errors.ts'
import { permitDigest, toPermit } from '../typed-data/permit.ts'
import { type SignableTypedData, toSignable } from '../typed-data/signable.ts'
import type { PrepareDeps } from './deps.ts'

/** The wallet signs that `spender` may take `amount` base units of `token` from `owner`, once. */
export type PermitTerms = { owner: Address; token: Address; spender: Address; amount: BaseUnits }

export type OfferedPermit = { typedData: SignableTypedData; digest: Hex; deadline: UnixSeconds }

/** A signature of 65 bytes, and the deadline that was signed. */
export type SignedPermit = { signature: Hex; deadline: UnixSeconds }

export type PermitArguments = { deadline: UnixSeconds; v: number; r: Hex; s: Hex }

type Context = Pick<PrepareDeps, 'chain' | 'deployment'>

/** Lifetime of an offered permit: for a wallet that signs and a transaction that is mined. */
export const PERMIT_SECONDS = 1_800n

/** Signatures with a larger `s` are refused by tokens, since another signature of the message follows from them. */
const S_LARGEST = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

/**
 * The permit that removes the need for approvals; undefined where the token has none, or where the account is a
 * contract, which has no key to sign it with.
 *
 * @throws CodedError `CHAIN_UNAVAILABLE`
 */
export async function offerPermit(
  context: Context,
  terms: PermitTerms,
  now: UnixSeconds,
): Promise<OfferedPermit | undefined> {
  const [isContract, permit] = await Promise.all([
    hasContractCode(context.chain, terms.owner),
    readPermit(context, terms, now + PERMIT_SECONDS),
  ])
  if (isContract || !permit) return undefined
  const { domain, message } = permit
  return {
    typedData: toSignable(toPermit(domain, message)),
    digest: permitDigest(domain, message),
    deadline: message.deadline,
  }
}

/**
 * Returns the arguments of the call that uses the permit.
 *
 * @throws CodedError `PERMIT_INVALID`, `CHAIN_UNAVAILABLE`
 */
export async function checkPermit(
  context: Context,
  terms: PermitTerms,
  { signature, deadline }: SignedPermit,
  now: UnixSeconds,
): Promise<PermitArguments> {
  const refuse = (detail: string) =>
    new CodedError('PERMIT_INVALID', detail, { facts: { token: terms.token, owner: terms.owner } })
  if (deadline <= now) throw refuse(`The deadline of the permit, ${formatTime(deadline)}, is over.`)
  const permit = await readPermit(context, terms, deadline)
  if (!permit) throw refuse(`Token ${terms.token} takes no permit (EIP-2612).`)
  const { domain, message } = permit
  const signed = await recoverSigner(permitDigest(domain, message), signature)
  if (signed?.signer === terms.owner && BigInt(signed.s) <= S_LARGEST) {
    const { v, r, s } = signed
    return { deadline, v, r, s }
  }
  throw refuse(
    `The signature is not that of ${terms.owner} for a permit of ${terms.amount} base units with nonce ${message.nonce} and deadline ${formatTime(deadline)}.`,
  )
}

/** Undefined for bytes that are no signature. */
async function recoverSigner(hash: Hex, signature: Hex) {
  try {
    const { r, s, yParity } = parseSignature(signature)
    return { signer: lowercaseAddress(await recoverAddress({ hash, signature })), v: 27 + yParity, r, s }
  } catch {
    return undefined
  }
}

async function readPermit(
  { chain, deployment: { chainId } }: Context,
  { owner, token, spender, amount }: PermitTerms,
  deadline: UnixSeconds,
) {
  const facts = await readPermitFacts(chain, { chainId, token, owner, spender })
  if (!facts) return undefined
  const { domain, nonce } = facts
  return { domain, message: { owner, spender, value: amount, nonce, deadline } }
}
