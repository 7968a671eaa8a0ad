/** The command line of the project's commands. */
import { parseArgs } from 'node:util'

/**
 * Reads the options of this command. For `--help`, prints the usage and ends the process with 0; for options that are
 * not valid, prints the fault and the usage and ends it with 2.
 *
 * @param read throws for options that are not valid, as `parseArgs` of Node does for unknown ones
 * @example
 * const options = { drop: { type: 'boolean', default: false } } as const
 * const { values } = readCommandLine(USAGE, () => parseArgs({ options }))
 */
export function readCommandLine<Read>(usage: string, read: () => Read): Read {
  if (process.argv.includes('--help', 2)) {
    console.log(usage)
    process.exit(0)
  }
  try {
    return read()
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${usage}`)
    process.exit(2)
  }
}

/** Refuses all options, for a command that has none. @param what the command does */
export function refuseOptions(command: string, what: string): void {
  readCommandLine(`usage: ${command}\n\n${what}`, () => parseArgs())
}

/** Returns whether a script that writes files has the option `--check`. @param what the script writes */
export function isCheck(file: string, what: string): boolean {
  const usage = `usage: node ${file} [--check]\n\nWrites ${what}. "npm run generate" runs it.\n\n  --check   write nothing, and fail if a file is out of date`
  const options = { check: { type: 'boolean', default: false } } as const
  return readCommandLine(usage, () => parseArgs({ options })).values.check
}
