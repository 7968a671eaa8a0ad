/** Cost of a field that asks the chain several times: three of them fit one operation. */
export const CHAIN_COST = 5000
