/** The demo and the sample of README.md, on a dev system of their own: from an invoice to the gain of a lender. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { runFlow } from '../../demo/flow.ts'
import { createReporter } from '../../demo/reporter.ts'
import { createAccountWallet } from '../../demo/wallet.ts'
import { type DevRun, readEndpoints, startDev } from '../devnet/dev-run.ts'
import { createChainClient } from '../support/anvil.ts'

const HUSD = 1_000_000n
const ROOT = join(import.meta.dirname, '../..')
const DEMO = join(ROOT, 'demo/demo.ts')
/** Within the project, so that its compiler settings apply. */
const SAMPLE = join(ROOT, '.cache/readme')

/** Writes the sample of README.md as a program for the gateway. @returns its file */
function writeSample(gatewayUrl: string): string {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
  const [, code = ''] = /^```ts\n([\s\S]*?)^```$/m.exec(readme) ?? []
  mkdirSync(SAMPLE, { recursive: true })
  const file = join(SAMPLE, 'sample.ts')
  writeFileSync(file, code.replace('http://127.0.0.1:4000', gatewayUrl))
  const settings = {
    extends: '../../tsconfig.json',
    compilerOptions: { lib: ['ES2024', 'DOM'], incremental: false },
    include: ['sample.ts'],
  }
  writeFileSync(join(SAMPLE, 'tsconfig.json'), JSON.stringify(settings))
  return file
}

describe('the demo', () => {
  let folder: string
  let dev: DevRun

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'claim-financing-demo-'))
  })
  afterEach(() => {
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
  })
  afterAll(async () => {
    dev?.kill('SIGTERM')
    await dev?.exited
    await rm(folder, { recursive: true, force: true })
  })

  it('says what to start when nothing runs', () => {
    const { status, stderr } = spawnSync(process.execPath, [DEMO, '--folder', folder], { encoding: 'utf8' })
    expect(status).toBe(1)
    expect(stderr).toContain('npm run dev')
  })

  it('reports the whole flow in words, and accounts for every token', async () => {
    dev = startDev(folder)
    await dev.ready
    const { gatewayUrl, rpcUrl, accounts, finalitySeconds } = readEndpoints(folder)
    const chain = createChainClient(rpcUrl)
    const keys = accounts.flatMap(({ privateKey, ...rest }) =>
      isHex(privateKey) && isHex(rest.address) ? [{ ...rest, address: rest.address, privateKey }] : [],
    )
    let output = ''
    const changes = await runFlow({
      gatewayUrl,
      rpcUrl,
      accounts: keys,
      finalitySeconds,
      report: createReporter((text) => {
        output += text
      }),
      chainTime: async () => Number((await chain.getBlock()).timestamp),
      until: async (time) => {
        await chain.setNextBlockTimestamp({ timestamp: BigInt(time) })
        await chain.mine({ blocks: 3 })
      },
    })
    const [holder = 0n, debtor = 0n, lender = 0n, vaults = 0n] = changes.values()
    expect(debtor).toBe(-3_000n * HUSD)
    expect(holder).toBeGreaterThanOrEqual(17_900n * HUSD)
    expect(lender).toBeGreaterThan(0n)
    expect(holder + debtor + lender + vaults).toBe(0n)
    expect(output).toMatch(/^12 {2}What changed$/m)
    expect(output).toMatch(/gain {2}\+\d.* HUSD$/m)
    expect(output).toMatch(/prepared routes broken {2}0 of \d+$/m)
    expect(output).toMatch(/leg 2 .* HUSD by .*; the claim is (FULLY|PARTIALLY)_FUNDED now$/m)
    expect(output).toContain('SETTLED, 3,000.00 HUSD paid')
    expect(output.split('\n').filter((line) => line.length > 110)).toEqual([])
    expect(output).not.toMatch(/0x[0-9a-f]{40}|undefined|NaN|[{}]"/)
  })

  it('leads to the sample of README.md, which compiles and finances a claim', async () => {
    const { gatewayUrl, rpcUrl, accounts } = readEndpoints(folder)
    const file = writeSample(gatewayUrl)
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
    const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', SAMPLE], { encoding: 'utf8' })
    expect([status, stdout]).toEqual([0, ''])
    const key = accounts.find(({ role }) => role === 'wallet-2')?.privateKey
    if (!isHex(key)) throw new Error('the dev system has no wallet-2')
    vi.stubGlobal('ethereum', createAccountWallet(privateKeyToAccount(key), rpcUrl))
    const printed = vi.spyOn(console, 'log').mockImplementation(() => {})
    await import(file)
    expect(printed.mock.calls).toEqual([['PROJECTED']])
    await rm(SAMPLE, { recursive: true })
  })
})
