/** Texts that neither an answer nor a log may hold. No generated request holds any of it, so none can be an echo. */

const PATTERNS: readonly RegExp[] = [
  /\bselect (?:"|\w+\.|\*|count\()|\bfrom "?projection\b|\binsert into\b|\bwith recursive\b|\border by "/i,
  /\bSQLSTATE\b|invalid input syntax|\bpg_catalog\b|violates \w+ constraint|syntax error at or near/i,
  /relation "[^"]*" does not exist|column "[^"]*" does not exist|out of range for type/i,
  /\n?\s+at (?:async |new )?[\w.<>[\] ]+ ?\((?:file:|node:|\/)/,
  /node_modules|file:\/\/|\.ts:\d+:\d+|node:internal/,
  /\b(?:TypeError|RangeError|ReferenceError|SyntaxError|ZodError|PothosError|AssertionError)\b/,
]

/** @returns what leaks, undefined where nothing does */
export function findLeak(text: string, secrets: readonly string[]): string | undefined {
  const secret = secrets.findIndex((value) => text.includes(value))
  if (secret >= 0) return `secret ${secret}`
  const found = PATTERNS.map((pattern) => pattern.exec(text)).find((match) => match !== null)
  return found && `${found[0]} (in: ${text.slice(Math.max(found.index - 100, 0), found.index + 200)})`
}
