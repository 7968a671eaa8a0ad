/** The tests' own sum: they compare with it what the gateway and the database add up. */
export const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n)
