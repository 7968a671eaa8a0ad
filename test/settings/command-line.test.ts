/** The command line of a program: what it reads, and how it refuses what it does not know. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const MODULE = pathToFileURL(join(import.meta.dirname, '../../settings/command-line.ts'))
const PROGRAM = `
import { readCommand } from '${MODULE}'
const { values, positionals } = readCommand('npm run program --', 'Does something.', {
  'all-files': { type: 'boolean', default: false, meaning: 'all files' },
  seed: { type: 'string', value: 'N', default: '1', meaning: 'seed of the random numbers' },
}, ARGUMENTS)
console.log(JSON.stringify([values.seed, values['all-files'], positionals]))
`
const USAGE = `usage: npm run program -- [--all-files] [--seed N] [file]

Does something.

  --all-files   all files
  --seed N      seed of the random numbers; default: 1
  file          a file`

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'command-line-'))
  const write = (name: string, args: object) =>
    writeFileSync(join(folder, name), PROGRAM.replace('ARGUMENTS', JSON.stringify(args)))
  write('one.ts', { file: 'a file' })
  write('any.ts', { 'file...': 'files' })
})
afterAll(() => rmSync(folder, { recursive: true }))

type Outcome = { code: unknown; output: string; complaints: string }

const run = (program: string, ...args: readonly string[]) =>
  new Promise<Outcome>((resolve) => {
    execFile(process.execPath, [join(folder, program), ...args], (error, output, complaints) =>
      resolve({ code: error ? error.code : 0, output: output.trim(), complaints: complaints.trim() }),
    )
  })

describe('a command', () => {
  it.each([
    [[], ['1', false, []]],
    [
      ['--seed', '7', 'a', '--all-files'],
      ['7', true, ['a']],
    ],
  ])('reads %j', async (args, read) => {
    expect(await run('one.ts', ...args)).toEqual({ code: 0, output: JSON.stringify(read), complaints: '' })
  })

  it('takes any number of arguments whose name ends in dots', async () => {
    const { code, output } = await run('any.ts', 'a', 'b', 'c')
    expect([code, output]).toEqual([0, '["1",false,["a","b","c"]]'])
  })

  it('prints its usage for --help, and does nothing else', async () => {
    expect(await run('one.ts', '--nope', '--help')).toEqual({ code: 0, output: USAGE, complaints: '' })
  })

  it.each([
    [['--al-files'], 'The nearest option is --all-files.'],
    [['--hlp'], 'The nearest option is --help.'],
    [['--seed'], "'--seed <value>' argument missing"],
    [['a', 'b'], '2 arguments are given; the maximum is 1'],
  ])('refuses %j with its usage and the code 2', async (args, complaint) => {
    const { code, output, complaints } = await run('one.ts', ...args)
    expect([code, output]).toEqual([2, ''])
    expect(complaints).toContain(complaint)
    expect(complaints.endsWith(USAGE)).toBe(true)
  })
})
