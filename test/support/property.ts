import fc from 'fast-check'

/**
 * Milliseconds for which a counterexample is made smaller: without a limit it takes minutes where each case asks a
 * database.
 */
const SHRINK_MS = 30_000

/**
 * `fc.assert` for properties whose cases are slow: the first failure is repeated from its seed and path, and made
 * smaller for a limited time.
 * @throws Error of fast-check with seed, path and counterexample
 */
export async function assertProperty<Values>(
  property: fc.IAsyncProperty<Values>,
  parameters: fc.Parameters<Values>,
  shrinkMs = SHRINK_MS,
): Promise<void> {
  const first = await fc.check(property, { ...parameters, endOnFailure: true })
  if (!first.failed) return
  const { seed, counterexamplePath: path } = first
  if (path !== null) {
    await fc.assert(property, { ...parameters, seed, path, interruptAfterTimeLimit: shrinkMs })
  }
  // Nothing was repeated within the time, or it holds the second time.
  throw new Error(fc.defaultReportMessage(first))
}
