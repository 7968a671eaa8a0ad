/** Limits of the computation and the answers of the chain. */

/**
 * Gas of one call, simulation or replay. No transaction may use more (EIP-7825), so a call that needs more cannot be
 * sent either.
 */
export const CALL_GAS_MAX = 16_777_216n

/**
 * Gas of one call of a wallet contract at sign-in. A wallet that is not deployed yet needs up to 4.9 million to store
 * the code of the largest contract (EIP-170, 200 gas a byte); P-256 in Solidity needs less than one million.
 */
export const SIGN_IN_GAS_MAX = 8_000_000n

/** Gas of each read by which the permit of a token is found. A proxy that returns a text needs less than 100,000. */
export const PERMIT_GAS_MAX = 500_000n

/**
 * Bytes of one answer of a node, so that a hostile contract cannot make the gateway parse megabytes. The lens's answer
 * for 20 claims and 300 vaults has about this size as text; a larger one is requested in parts.
 */
export const ANSWER_BYTES_MAX = 2_097_152

/**
 * Bytes of the events of the protocol in one block: a block of thousands of events must end neither the view of the
 * head nor a round of the auditor.
 */
export const LOGS_BYTES_MAX = 32 << 20

/**
 * Bytes of revert data that are decoded and shown. The longest error of the protocol has 132 bytes; a revert string
 * rarely has 300.
 */
export const REVERT_BYTES_MAX = 1024

/**
 * Final transactions, and replays, whose outcome a process caches. An outcome has some hundred bytes, and at most a few
 * thousand with revert data.
 */
export const REMEMBERED_MAX = 2_000
