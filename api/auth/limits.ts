/** Numbers of the sign-in. The specification (section 5) leaves them open; these are our decisions. */

/** Lifetime of a nonce. */
export const NONCE_LIFETIME_SECONDS = 300
/**
 * How far another clock may differ: a wallet's that writes times into the message, a replica's that issued a token. One
 * of two replicas may be a minute fast and the other one a minute slow. A nonce expires by itself, and a token lives
 * for at most this much longer.
 */
export const CLOCK_SKEW_SECONDS = 120
/** Lifetime of a token. */
export const TOKEN_LIFETIME_SECONDS = 3600
/** Characters of a sign-in message. Most have about 300, those with many resources a few thousand. */
export const MESSAGE_LENGTH_MAX = 4096
/** Hex digits of a signature: a counterfactual wallet's (ERC-6492) carries its creation code. */
export const SIGNATURE_LENGTH_MAX = 65_536
/**
 * Sign-ins that wait for a wallet contract at the same time, of this process and of one client address. 16 of them use
 * 128 million gas at most, some second of one core of a node.
 */
export const CONTRACT_SIGN_INS_MAX = 16
export const CONTRACT_SIGN_INS_PER_CLIENT = 4
/** Seconds after which a sign-in that was refused for these limits is tried again. */
export const CONTRACT_SIGN_IN_RETRY_SECONDS = 1
