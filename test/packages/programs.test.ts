/** The programs of the quickstarts, as a reader runs them: against the system that `npm run dev` starts. */
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type DevRun, startDev } from '../devnet/dev-run.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Within the project, so that its packages are found. */
const PROGRAMS = join(ROOT, '.cache/quickstarts')

let folder: string
let dev: DevRun
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'claim-financing-docs-'))
  dev = startDev(join(folder, '.devnet'))
  mkdirSync(PROGRAMS, { recursive: true })
  await dev.ready
})
afterAll(async () => {
  dev?.kill('SIGTERM')
  await dev?.exited
  await rm(folder, { recursive: true, force: true })
  await rm(PROGRAMS, { recursive: true, force: true })
})

/** All samples of a page in JavaScript, in their order. @returns what the program printed */
async function run(page: string): Promise<string> {
  const text = readFileSync(join(ROOT, 'docs/quickstart', `${page}.md`), 'utf8')
  const samples = [...text.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code)
  const file = join(PROGRAMS, `${page}.mjs`)
  writeFileSync(file, samples.join('\n'))
  const { stdout } = await promisify(execFile)(process.execPath, [file], { cwd: folder })
  return stdout
}

it('the program for a wallet signs in, executes a route and sees it', async () => {
  const output = await run('wallet')
  expect(output).toMatch(/^signed in as 0x[0-9a-f]{40} until /)
  expect(output).toMatch(/^EXECUTED [1-9]\d* [A-Z]+$/m)
  expect(output).toMatch(/^financed:( (FULLY|PARTIALLY)_FUNDED)+$/m)
})

it('the program for an issuer attests, has it registered, settles what is due, and revokes', async () => {
  const output = await run('issuer')
  expect(output).toMatch(/^claim 0x[0-9a-f]{64} is ELIGIBLE$/m)
  expect(output).toMatch(/^[1-9]\d* claims are due$/m)
  expect(output).toMatch(/^claim 0x[0-9a-f]{64} is SETTLED$/m)
  expect(output).toMatch(/^REVOKED$/m)
})

it('the program for a lender deposits, sees a claim repaid, and withdraws more', async () => {
  const output = await run('lender')
  expect(output).toMatch(/^at least [1-9]\d* shares, worth [1-9]\d*$/m)
  expect(output).toMatch(/^worth [1-9]\d* of which \d+ can be withdrawn now$/m)
  expect(output).toMatch(/^claim SETTLED and [1-9]\d* repaid, with a discount of [1-9]\d*$/m)
  expect(output).toMatch(/^gain [1-9]\d* base units of [A-Z]+$/m)
})

// Last: it moves the chain by two days.
it('the program for a curator sees effects, submits, and accepts after the notice', async () => {
  const output = await run('curator')
  const discounts = [...output.matchAll(/ has a base discount of (\d+) basis points/g)].map(([, bps]) => bps)
  expect(discounts).toEqual([discounts[0], String(Number(discounts[0]) - 5)])
  expect(output).toMatch(/^in effect at once$/m)
  expect(output).toMatch(/^in effect from \S+ at the earliest$/m)
  // Routes that the other programs have prepared can be among those broken.
  expect(output).toMatch(/^[1-9]\d* newly refused, \d+ of \d+ routes broken$/m)
  expect(output).toMatch(/^0x[0-9a-f]{64} DURATION_EXCEEDED$/m)
})
