/** The command line of the project's commands. */
import { parseArgs } from 'node:util'
import { nearestOf } from './nearest.ts'

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
    console.error(`${faultOf(error, usage)}\n\n${usage}`)
    process.exit(2)
  }
}

/** Message of an error; for an unknown option, with the nearest one of the usage, or `--help`. */
export function faultOf(error: unknown, usage: string): string {
  const { code, message = error }: { code?: unknown; message?: unknown } = Object(error)
  const [unknown] = /--[^' =]+/.exec(String(message)) ?? []
  if (code !== 'ERR_PARSE_ARGS_UNKNOWN_OPTION' || !unknown) return String(message)
  const known = usage.match(/(?<=[ [])--[a-z][a-z-]*/g) ?? []
  return `${message}\nThe nearest option is ${nearestOf(unknown, [...known, '--help']).nearest}.`
}

/** An option of a command, as `parseArgs` takes it, with its meaning. `value` names the value of a string. */
type Option = { type: 'boolean' | 'string'; meaning: string; value?: string; default?: string | boolean }

/**
 * Reads the options and arguments of a command, and derives its usage from their declarations.
 *
 * @param command how it is started, such as `npm run soak --`
 * @param what what it does
 * @param args its arguments by their names, in their order; a name that ends in dots stands for any number
 * @example
 * const { values } = readCommand('npm run soak --', 'Runs the system under load.', {
 *   seed: { type: 'string', value: 'N', default: '1', meaning: 'seed of the random numbers' },
 * })
 */
export function readCommand<const Options extends Readonly<Record<string, Option>>>(
  command: string,
  what: string,
  options: Options,
  args: Readonly<Record<string, string>> = {},
) {
  const names = Object.keys(args)
  const max = names.at(-1)?.endsWith('...') ? Number.POSITIVE_INFINITY : names.length
  return readCommandLine(usageOf(command, what, options, args), () => {
    const parsed = parseArgs({ options, allowPositionals: true })
    const { length } = parsed.positionals
    if (length > max) throw new Error(`${length} arguments are given; the maximum is ${max}`)
    return parsed
  })
}

function usageOf(
  command: string,
  what: string,
  options: Readonly<Record<string, Option>>,
  args: Readonly<Record<string, string>>,
): string {
  const lines = [
    ...Object.entries(options).map(([name, { value, meaning, default: byDefault }]) => ({
      term: `--${name}${value ? ` ${value}` : ''}`,
      meaning: typeof byDefault === 'string' ? `${meaning}; default: ${byDefault}` : meaning,
    })),
    ...Object.entries(args).map(([term, meaning]) => ({ term, meaning })),
  ]
  const width = Math.max(...lines.map(({ term }) => term.length))
  const usage = [command, ...lines.map(({ term }) => `[${term}]`)].join(' ')
  const table = lines.map(({ term, meaning }) => `  ${term.padEnd(width)}   ${meaning}`)
  return `usage: ${usage}\n\n${what}\n\n${table.join('\n')}`
}

/** Refuses all options, for a command that has none. @param what the command does */
export function refuseOptions(command: string, what: string): void {
  readCommandLine(`usage: ${command}\n\n${what}`, () => parseArgs())
}

/** Returns whether a script that writes files has the option `--check`. @param what the script writes */
export function isCheck(file: string, what: string): boolean {
  const { values } = readCommand(`node ${file}`, `Writes ${what}. "npm run generate" runs it.`, {
    check: { type: 'boolean', default: false, meaning: 'write nothing, and fail if a file is out of date' },
  })
  return values.check
}
