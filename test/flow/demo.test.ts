/** The demo's story on a dev system of its own: from an invoice to its settlement, with nothing lost on the way. */
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runFlow } from '../../demo/flow.ts'
import { createReporter } from '../../demo/reporter.ts'
import { type DevRun, readEndpoints, startDev } from '../devnet/dev-run.ts'
import { createChainClient } from '../support/anvil.ts'

const HUSD = 1_000_000n
const DEMO = join(import.meta.dirname, '../../demo/demo.ts')

describe('the demo', () => {
  let folder: string
  let dev: DevRun

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'claim-financing-demo-'))
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
    const { gatewayUrl, rpcUrl, accounts } = readEndpoints(folder)
    const chain = createChainClient(rpcUrl)
    const keys = accounts.flatMap(({ privateKey, ...rest }) =>
      isHex(privateKey) && isHex(rest.address) ? [{ ...rest, address: rest.address, privateKey }] : [],
    )
    let output = ''
    const changes = await runFlow({
      gatewayUrl,
      rpcUrl,
      accounts: keys,
      report: createReporter((text) => {
        output += text
      }),
      chainTime: async () => Number((await chain.getBlock()).timestamp),
      until: async (time) => {
        await chain.setNextBlockTimestamp({ timestamp: BigInt(time) })
        await chain.mine({ blocks: 3 })
      },
    })
    const [holder = 0n, debtor = 0n, vaults = 0n] = changes.values()
    expect(debtor).toBe(-3_000n * HUSD)
    expect(holder).toBeGreaterThanOrEqual(17_900n * HUSD)
    expect(holder + debtor + vaults).toBe(0n)
    expect(output).toMatch(/^ 9 {2}What changed$/m)
    expect(output).toMatch(/leg 2 .* HUSD by .*; the claim is (FULLY|PARTIALLY)_FUNDED now$/m)
    expect(output).toContain('SETTLED, 3,000.00 HUSD paid')
    expect(output.split('\n').filter((line) => line.length > 110)).toEqual([])
    expect(output).not.toMatch(/0x[0-9a-f]{40}|undefined|NaN|[{}]"/)
  })
})
