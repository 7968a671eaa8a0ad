/** Every expected failure of `npm run deploy`. docs/deploying.md has what to do about each. */
export const catalogue = {
  OPTIONS_INVALID: 'The options are not valid',
  KEY_MISSING: 'No account is given',
  KEY_AMBIGUOUS: 'More than one account is given',
  KEY_INVALID: 'The private key is not valid',
  KEYSTORE_INVALID: 'The keystore file is not valid',
  PASSWORD_MISSING: 'The password of the keystore is not given',
  PASSWORD_WRONG: 'The password does not open the keystore',
  NODE_UNAVAILABLE: 'The node does not answer',
  NODE_REFUSED: 'The node answers with an error',
  NODE_ANSWER_INVALID: 'The answer of the node cannot be used',
  WRONG_CHAIN: 'The node serves another chain',
  FILE_INVALID: 'A file of the deployment cannot be used',
  JOURNAL_DIFFERS: 'The journal is of another deployment',
  MANIFEST_EXISTS: 'There is a manifest of another deployment',
  DEPLOYER_BUSY: 'The deployer has pending transactions',
  BALANCE_TOO_LOW: 'The balance of the deployer is too low',
  FEE_TOO_HIGH: 'The fee exceeds the limit',
  FEES_UNSUPPORTED: 'The chain has no fees of EIP-1559',
  TOKEN_UNREADABLE: 'A token cannot be listed',
  TOKEN_NOT_LISTABLE: 'Another account lists tokens',
  SEND_REFUSED: 'The node refuses a transaction',
  TRANSACTION_DROPPED: 'The node no longer has a transaction',
  TRANSACTION_PENDING: 'A transaction is not mined in time',
  TRANSACTION_REPLACED: 'Another transaction used the nonce',
  TRANSACTION_REVERTED: 'A transaction reverted',
  NO_EFFECT: 'A mined transaction has no effect',
  CODE_DIFFERS: 'A contract has other code',
  WIRING_DIFFERS: 'A contract has other settings',
} as const satisfies Record<string, string>

export type DeployErrorCode = keyof typeof catalogue

/**
 * The message states what is wrong, with the values, and what to do. It never contains a key, a password or the URL of
 * a node.
 */
export class DeployError extends Error {
  override readonly name = 'DeployError'
  readonly code: DeployErrorCode

  constructor(code: DeployErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
