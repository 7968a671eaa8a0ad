/**
 * A sign-in message (EIP-4361): read by the strict grammar of the siwe package, each of its fields checked here. A
 * field that the standard makes optional is checked when it is there; no check is skipped because a setting is missing.
 */
import { ParsedMessage } from '@spruceid/siwe-parser'
import type { Address } from 'viem'
import { lowercaseAddress } from '../domain/address.ts'
import { includesOrigin, isUriOf, type Origins } from '../domain/origin.ts'
import { CodedError, type ErrorCode } from '../errors.ts'
import { CLOCK_SKEW_SECONDS, MESSAGE_FIELDS_LENGTH_MAX, NONCE_LIFETIME_SECONDS } from './sign-in-limits.ts'

/** Sites at which wallets sign in; a message for any other site is refused (interface specification, section 5.6). */
export type Sites = { readonly siteOrigins: Origins; readonly chainId: number }

export type SignInMessage = { wallet: Address; nonce: string }

/**
 * Reads the wallet and nonce of a message that is for one of the sites, this chain and this moment. Its nonce and
 * signature are not checked yet.
 *
 * @param now Unix seconds
 * @throws `SIWE_MESSAGE_INVALID`, `SIWE_DOMAIN_MISMATCH`, `SIWE_URI_MISMATCH`, `SIWE_CHAIN_MISMATCH`,
 * `SIWE_MESSAGE_EXPIRED`, `SIWE_MESSAGE_NOT_YET_VALID`
 */
export function readSignInMessage(text: string, sites: Sites, now: number): SignInMessage {
  const message = parse(text)
  checkSite(message, sites)
  checkTimes(message, now)
  return { wallet: walletOf(message), nonce: message.nonce }
}

/** A statement, with the lines before it and the start of the line after it. Its characters are those of EIP-4361. */
const STATEMENT = /^([^\n]*\n[^\n]*\n\n)[A-Za-z0-9 !#$&-;=?@[\]_~]+\n(?=\nURI: )/
/** Resources, which end a message: URIs, by their characters (RFC 3986). */
const RESOURCES =
  /\nResources:(?:\n- [A-Za-z][A-Za-z0-9+.-]*:(?:[\w\-.~:/?#[\]@!$&'()*+,;=]|%[\dA-Fa-f]{2})*)*$/

/**
 * Parses the fields that are read here. The grammar is interpreted, character by character: statement and resources,
 * which can be long and are read by nobody, are checked by expressions that do not backtrack.
 */
function parse(text: string): ParsedMessage {
  const fields = text.replace(STATEMENT, '$1').replace(RESOURCES, '')
  if (fields.length > MESSAGE_FIELDS_LENGTH_MAX) {
    throw refused(
      'SIWE_MESSAGE_INVALID',
      `The message has ${fields.length} characters besides its statement and resources; the maximum is ${MESSAGE_FIELDS_LENGTH_MAX}. Use a shorter URI.`,
    )
  }
  try {
    return new ParsedMessage(fields)
  } catch (cause) {
    throw refused(
      'SIWE_MESSAGE_INVALID',
      'The message does not follow EIP-4361. Build it with a library.',
      cause,
    )
  }
}

function checkSite(message: ParsedMessage, { siteOrigins, chainId }: Sites): void {
  const sites = sitesOf(message, siteOrigins)
  if (sites.length === 0) {
    const hosts = siteOrigins.listed.map((origin) => new URL(origin).host)
    const wanted = siteOrigins.local ? [...hosts, 'localhost with any port'] : hosts
    throw refused(
      'SIWE_DOMAIN_MISMATCH',
      `The message is for another site: its domain must be ${wanted.join(' or ')}, and its scheme, if it has one, that of the site.`,
    )
  }
  if (!sites.some((origin) => isUriOf(origin, message.uri))) {
    throw refused(
      'SIWE_URI_MISMATCH',
      `The message is for another resource: its URI must begin with ${sites.join(' or ')}.`,
    )
  }
  if (message.version !== '1') throw refused('SIWE_MESSAGE_INVALID', 'The message must have version 1.')
  if (message.chainId !== chainId) {
    throw refused('SIWE_CHAIN_MISMATCH', `The message is for another chain: its chain id must be ${chainId}.`)
  }
}

/** Accepted origins to which the message can belong. The scheme of a message is optional (EIP-4361). */
function sitesOf({ scheme, domain }: ParsedMessage, accepted: Origins): readonly string[] {
  const schemes = scheme === undefined ? ['https', 'http'] : [scheme]
  return schemes.map((one) => `${one}://${domain}`).filter((origin) => includesOrigin(accepted, origin))
}

function checkTimes({ issuedAt, notBefore, expirationTime }: ParsedMessage, now: number): void {
  const issued = seconds('Issued At', issuedAt)
  if (issued > now + CLOCK_SKEW_SECONDS) {
    throw refused(
      'SIWE_MESSAGE_NOT_YET_VALID',
      "The message is dated in the future. Check the client's clock.",
    )
  }
  // The nonce cannot be older than this, so an older message was not written for this nonce.
  if (issued < now - NONCE_LIFETIME_SECONDS - CLOCK_SKEW_SECONDS) {
    throw refused(
      'SIWE_MESSAGE_EXPIRED',
      'The message was issued too long ago. Have the wallet sign a new one.',
    )
  }
  if (notBefore !== undefined && seconds('Not Before', notBefore) > now + CLOCK_SKEW_SECONDS) {
    throw refused('SIWE_MESSAGE_NOT_YET_VALID', 'The message is not valid yet: see its Not Before.')
  }
  if (
    expirationTime !== undefined &&
    seconds('Expiration Time', expirationTime) <= now - CLOCK_SKEW_SECONDS
  ) {
    throw refused('SIWE_MESSAGE_EXPIRED', 'The message has expired. Have the wallet sign a new one.')
  }
}

/** A date that JavaScript cannot read must not compare as false and pass. */
function seconds(field: string, text: string): number {
  const milliseconds = Date.parse(text)
  if (Number.isNaN(milliseconds)) throw refused('SIWE_MESSAGE_INVALID', `${field} is not a date and time.`)
  return milliseconds / 1000
}

/**
 * Addresses up to this one are reserved for precompiles and system contracts (EIP-1352; EIP-7587 for those of rollups).
 */
const RESERVED_ADDRESS_MAX = 0xffffn

/**
 * The grammar checks the checksum (EIP-55). No wallet has a reserved address: ecrecover returns zero for an invalid
 * signature.
 */
function walletOf({ address }: ParsedMessage): Address {
  const wallet = lowercaseAddress(`0x${address.slice(2)}`)
  if (BigInt(wallet) > RESERVED_ADDRESS_MAX) return wallet
  throw refused(
    'SIWE_MESSAGE_INVALID',
    `The message names ${wallet}, which is a reserved address (up to 0x…ffff). Use the address of the wallet that signs.`,
  )
}

function refused(code: ErrorCode, detail: string, cause?: unknown): CodedError {
  return new CodedError(code, detail, { cause })
}
