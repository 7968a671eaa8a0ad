/**
 * A single, subtle fault, as engineers make them: `find`, which occurs once in a declaration, is replaced by `replace`.
 * At least one test must fail.
 */
export type PlantedFault = {
  /** The fault, as a statement: "a rate-limit window is renewed by every request". Unique. */
  readonly name: string
  /**
   * The declaration: `claimTotal`, or `FinancingVault.maxMint` where one name has several. Its file may have any name
   * and folder.
   */
  readonly in: string
  /** Top-level folder, where declarations of several folders contain `find`: `api`. */
  readonly area?: string
  /** Tokens of the declaration. White space, comments, quotes and trailing commas make no difference. */
  readonly find: string
  readonly replace: string
  /**
   * Test files to run first, by base name: `allowance`. The next is the one that caught the fault last
   * (`test/record.json`).
   */
  readonly caughtBy?: readonly string[]
}
