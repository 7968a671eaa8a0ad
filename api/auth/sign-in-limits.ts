/** Limits of the sign-in, which the specification (section 5) leaves open. */

/** Lifetime of a nonce. */
export const NONCE_LIFETIME_SECONDS = 300
/**
 * Maximum difference of another clock: that of a wallet, which writes times into the message, or of a replica, which
 * issued a token. One of two replicas may be a minute fast and the other one a minute slow. A token is accepted for at
 * most this time longer.
 */
export const CLOCK_SKEW_SECONDS = 120
/** Lifetime of a token. */
export const TOKEN_LIFETIME_SECONDS = 3600
/** Characters of a sign-in message. Most messages have about 300; one with many resources has a few thousand. */
export const MESSAGE_LENGTH_MAX = 4096
/** Characters of a sign-in message without its statement and resources. Most messages have about 300. */
export const MESSAGE_FIELDS_LENGTH_MAX = 1024
/** Hex digits of a signature. A signature of a wallet that is not deployed (ERC-6492) contains its creation code. */
export const SIGNATURE_LENGTH_MAX = 65_536
/**
 * Sign-ins that wait for a wallet contract at the same time, of this process and of one client address. 16 calls use at
 * most 128 million gas, about a second of one core of a node.
 */
export const CONTRACT_SIGN_INS_MAX = 16
export const CONTRACT_SIGN_INS_PER_CLIENT = 4
/** `Retry-After` of a sign-in that these limits refuse, in seconds. */
export const CONTRACT_SIGN_IN_RETRY_SECONDS = 1
