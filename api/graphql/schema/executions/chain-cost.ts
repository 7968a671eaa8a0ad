/** Cost of a field that makes several calls of the chain. An operation can have three of them. */
export const CHAIN_COST = 5000
