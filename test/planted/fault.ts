/**
 * A single, subtle fault, as engineers make them: `find`, which occurs once in `file`, is replaced by `replace`. At least one test must
 * fail. `npm run test:faults:planted` plants each fault in a copy of the project and runs the tests that may notice it.
 */
export type PlantedFault = {
  /** The fault, as a statement: "a rate-limit window is renewed by every request". Unique. */
  readonly name: string
  /** Path from the project's root. */
  readonly file: string
  readonly find: string
  readonly replace: string
  /** Test files to run before those of its folder (`tests-of.ts`). */
  readonly caughtBy?: readonly string[]
  /** Why no test can fail, for a fault that changes no behaviour. It is left out of the rate. */
  readonly survives?: string
}
