/**
 * Each command of package.json that is a program of this project explains itself, and refuses an unknown option. The
 * start of all of them takes minutes of processor time.
 *
 *     FAULTS=all npx vitest run --project own test/scripts/help.test.ts
 */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

const ROOT = join(import.meta.dirname, '../..')
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')))

const programs = Object.values(scripts).flatMap((command) =>
  [...command.matchAll(/node (?:--\S+ )*((?!node_modules)\S+\.ts)/g)].map(([, file = '']) => file),
)

type Outcome = { code: unknown; output: string; complaints: string }

/** Node starts a program again without compiling it again. */
const env = { NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/node-compile') }

/** Without the variables that the program would need: it must not get so far. */
function run(program: string, option: string): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(process.execPath, [program, option], { cwd: ROOT, env }, (error, output, complaints) =>
      resolve({ code: error ? error.code : 0, output, complaints }),
    )
  })
}

describe.each([...new Set(programs)])('%s', (program) => {
  it('prints its usage with --help', async () => {
    const { code, output, complaints } = await run(program, '--help')
    expect([code, complaints]).toEqual([0, ''])
    expect(output).toMatch(/^usage: (npm run|node) /)
  })

  it('refuses an unknown option by its name, with the usage', async () => {
    const { code, output, complaints } = await run(program, '--nope')
    expect([code, output]).toEqual([2, ''])
    expect(complaints).toContain("Unknown option '--nope'")
    expect(complaints).toContain('usage: ')
    const [, nearest = ''] = /The nearest option is (--[a-z-]+)\./.exec(complaints) ?? []
    expect(`${complaints.split('usage: ')[1]} --help`).toContain(nearest)
    expect(nearest).not.toBe('')
  })
})
