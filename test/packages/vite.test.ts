/** The first day of a frontend: from an empty folder to a page on which a person finances a claim. */
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { formatUnits, isHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createAccountWallet } from '../../demo/wallet.ts'
import { freePort } from '../../devnet/ports.ts'
import { injectProvider } from '../client/browser.ts'
import { type DevRun, readEndpoints, startDev } from '../devnet/dev-run.ts'
import { launchBrowser } from '../support/browser.ts'
import {
  checkDocuments,
  compileBeside,
  createProject,
  generateCode,
  installCheck,
  npm,
  type Packed,
  packAll,
  runProgram,
  writeSamples,
} from './project.ts'
import { type Served, serveProject } from './serve.ts'

const ROLE = 'wallet-1'

const answerShape = z.object({
  data: z.object({
    claims: z.object({
      nodes: z.array(z.object({ remainingFace: z.string(), tokenInfo: z.object({ address: z.string() }) })),
    }),
    tokens: z.object({
      nodes: z.array(z.object({ address: z.string(), symbol: z.string(), decimals: z.number() })),
    }),
  }),
})

/**
 * Code for the user's project. It is no TypeScript file here, because it would be compiled with this project's
 * settings.
 */
function pageText(file: string, gatewayUrl: string): string {
  const text = readFileSync(join(import.meta.dirname, file), 'utf8')
  return text.replaceAll('http://127.0.0.1:4000', gatewayUrl)
}

/** In English, by another route than the package takes. */
function shown({
  remainingFace,
  decimals,
  symbol,
}: {
  remainingFace: bigint
  decimals: number
  symbol: string
}) {
  const [whole = '', fraction = ''] = formatUnits(remainingFace, decimals).split('.')
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${fraction.padEnd(2, '0')} ${symbol}`
}

describe('the packed packages in an empty Vite project', () => {
  let folder: string
  let dev: DevRun
  let packed: Packed[]
  let project: string
  let preview: Served | undefined
  let browser: Browser | undefined

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'claim-financing-packages-'))
    dev = startDev(join(folder, 'dev'))
    packed = await packAll(folder)
    project = await createProject(folder, packed)
    await dev.ready
  })
  afterAll(async () => {
    await browser?.close()
    preview?.stop()
    dev?.kill('SIGTERM')
    await dev?.exited
    await rm(folder, { recursive: true, force: true })
  })

  it('consist of their build and their documents alone', () => {
    for (const { name, files } of packed) {
      const others = files.filter(
        (file) => !/^(?:dist\/.+\.(?:js|d\.ts)|package\.json|LICENSE|\w+\.md)$/.test(file),
      )
      expect([name, others]).toEqual([name, []])
      expect(files).toEqual(
        expect.arrayContaining(['README.md', 'CHANGELOG.md', 'LICENSE', 'dist/index.d.ts']),
      )
    }
  })

  it('install without a warning beside TypeScript 7, and compile there', async () => {
    const program = `import { graphql, type ResultOf } from 'claim-financing-client'
const One = graphql('query One($claimId: Hash!) { claim(claimId: $claimId) { state } }')
type State = NonNullable<ResultOf<typeof One>['claim']>['state']
export const closed: State = 'CLOSED'
// @ts-expect-error there is no such state
export const none: State = 'NONE'
`
    const beside = await compileBeside(folder, packed, { compiler: 'typescript@7.0.2', program })
    expect(beside).toEqual({ warnings: '', found: '' })
  })

  it('give GraphQL Code Generator and gql.tada a type for every scalar', async () => {
    const { gatewayUrl } = readEndpoints(join(folder, 'dev'))
    await generateCode(project, gatewayUrl, pageText('codegen.txt', gatewayUrl))
    expect(await npm(project, 'run', 'build')).toContain('built in')
  })

  it('let gql.tada refuse a misspelt field and a variable that is not declared', async () => {
    const { gatewayUrl } = readEndpoints(join(folder, 'dev'))
    await installCheck(project, gatewayUrl)
    const check = (document: string) =>
      checkDocuments(
        project,
        `import { graphql } from 'claim-financing-client'\nexport const One = graphql(\`${document}\`)\n`,
      )
    const good = 'query One($claimId: Hash!) { claim(claimId: $claimId) { state } }'
    expect(await check(good)).toEqual({ passes: true, output: expect.stringContaining('No problems found') })
    expect(await check(good.replace('state', 'stat'))).toEqual({
      passes: false,
      output: expect.stringContaining('Cannot query field "stat"'),
    })
    expect(await check(good.replace('($claimId: Hash!)', ''))).toEqual({
      passes: false,
      output: expect.stringContaining('"$claimId" is not defined'),
    })
  })

  it('compile with the strict settings of Vite, with every sample of their READMEs', async () => {
    const { gatewayUrl } = readEndpoints(join(folder, 'dev'))
    const samples = writeSamples(project, gatewayUrl)
    expect(samples).toEqual(expect.arrayContaining(['App.tsx', 'appkit.ts']))
    expect(samples.length).toBeGreaterThan(6)
    writeFileSync(join(project, 'src/samples/strict.ts'), pageText('strict.txt', gatewayUrl))
    expect(await npm(project, 'run', 'build')).toContain('built in')
  })

  it('sign a wallet in and out by RainbowKit and by AppKit', async () => {
    const { gatewayUrl, rpcUrl, accounts } = readEndpoints(join(folder, 'dev'))
    const [operator] = accounts
    if (!operator) throw new Error('the dev system has no account')
    const program = pageText('sign-in-kits.txt', gatewayUrl)
      .replace('http://127.0.0.1:8545', rpcUrl)
      .replace('0x0000000000000000000000000000000000000001', operator.address)
    writeFileSync(join(project, 'src/samples/sign-in-kits.ts'), program)
    // Compiled first, as those who use the adapters do.
    expect(await npm(project, 'run', 'build')).toContain('built in')
    expect(await runProgram(project, 'src/samples/sign-in-kits.ts')).toEqual([
      'RainbowKit has verified false',
      'RainbowKit has verified true',
      `RainbowKit signed in ${operator.address}`,
      'RainbowKit signed out undefined',
      'AppKit has 0',
      'AppKit has 1',
      `AppKit signed in ${operator.address}`,
      'AppKit signed out undefined',
    ])
  })

  it('let a person sign in, see claims with their amounts, and finance one after a review', async () => {
    const page = await openPage()
    await page.getByRole('button', { name: 'Sign in' }).click()
    const row = page.getByRole('listitem').first()
    await row.getByText(/ELIGIBLE/).waitFor()
    const first = await firstClaim()
    expect(await row.textContent()).toBe(`${shown(first)} ELIGIBLE Finance half`)
    await row.getByRole('button').click()
    await page.getByText(/ now for .* at the due date, a cost of /).waitFor()
    await page.getByRole('button', { name: 'Execute' }).click()
    await page.getByText('done', { exact: true }).waitFor()
    await row.getByText(/PARTIALLY_FUNDED/).waitFor()
    const financed = await firstClaim()
    expect(financed.remainingFace).toBeLessThan(first.remainingFace)
    expect(await row.textContent()).toBe(`${shown(financed)} PARTIALLY_FUNDED Finance half`)
  })

  it('read vaults, accounts and quotes page by page, settle a claim, and follow the session of another tab', async () => {
    const { gatewayUrl } = readEndpoints(join(folder, 'dev'))
    writeFileSync(join(project, 'src/App.tsx'), pageText('hooks.txt', gatewayUrl))
    await npm(project, 'run', 'build')
    const page = await openPage()
    const sees = (text: RegExp) => page.getByText(text).waitFor()
    await sees(/^vaults: 2$/)
    await page.getByRole('button', { name: 'More' }).click()
    await sees(/^vaults: [34]$/)
    await sees(/^periods: [1-9]\d*$/)
    const tab = await openTab(page.context())
    await tab.getByRole('button', { name: 'Sign in' }).waitFor()
    await page.getByRole('button', { name: 'Sign in' }).click()
    await tab.getByRole('button', { name: 'Sign out' }).waitFor()
    await sees(/^balances: [1-9]$/)
    await sees(/^quotes: \d+$/)
    await sees(/^pending: false$/)
    await sees(/^live: ELIGIBLE true$/)
    await sees(/^own: [1-9]$/)
    await sees(/^execution: undefined \S/)
    await page.getByRole('button', { name: 'Resume' }).click()
    await sees(/^resumed: undefined$/)
    await page.getByRole('button', { name: 'Settle 1' }).click()
    await sees(/^step: done/)
    await sees(/^settled: PROJECTED 1$/)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    await tab.getByRole('button', { name: 'Sign in' }).waitFor()
  })

  it.each(['wagmi', 'wagmi-3'])(
    'keep the session over reloads, but not over a switch of accounts, with %s',
    async (wagmi) => {
      const { gatewayUrl } = readEndpoints(join(folder, 'dev'))
      const program = pageText('wagmi.txt', gatewayUrl).replaceAll("from 'wagmi", `from '${wagmi}`)
      writeFileSync(join(project, 'src/App.tsx'), program)
      await npm(project, 'run', 'build')
      const [one, other] = [walletOf('wallet-1'), walletOf('wallet-2')]
      let connected = one
      const page = await openPage((call) => connected.request(call))
      const sees = (text: string) => page.getByText(text, { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Connect' }).click()
      await sees(`account: ${one.address}`)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await sees(`session: ${one.address.toLowerCase()}`)
      for (let reloads = 0; reloads < 3; reloads++) {
        await page.reload()
        await sees(`session: ${one.address.toLowerCase()}`)
      }
      connected = other
      await page.evaluate(
        (accounts) => Reflect.get(globalThis, 'ethereum').emit('accountsChanged', accounts),
        [other.address],
      )
      await sees(`account: ${other.address}`)
      await sees('session: none')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await sees(`session: ${other.address.toLowerCase()}`)
      await page.context().close()
    },
  )

  /** The claim of the wallet that is due last, with its token, as the gateway has it. */
  async function firstClaim() {
    const { gatewayUrl, accounts } = readEndpoints(join(folder, 'dev'))
    const owner = accounts.find(({ role }) => role === ROLE)?.address
    const query = `{ claims(first: 1, orderBy: dueDate, filter: { beneficiary: "${owner}" }) { nodes { remainingFace tokenInfo { address } } }
      tokens { nodes { address symbol decimals } } }`
    const response = await fetch(`${gatewayUrl}/api/v1/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ query }),
    })
    const { claims, tokens } = answerShape.parse(await response.json()).data
    const [claim] = claims.nodes
    const unit = tokens.nodes.find(({ address }) => address === claim?.tokenInfo.address)
    if (!claim || !unit) throw new Error('the wallet has no claim')
    return { ...unit, remainingFace: BigInt(claim.remainingFace) }
  }

  function walletOf(role: string) {
    const { rpcUrl, accounts } = readEndpoints(join(folder, 'dev'))
    const key = accounts.find((account) => account.role === role)?.privateKey
    if (!isHex(key)) throw new Error('the dev system has no such wallet')
    const account = privateKeyToAccount(key)
    return { address: account.address, ...createAccountWallet(account, rpcUrl) }
  }

  async function openPage(request = walletOf(ROLE).request): Promise<Page> {
    browser ??= await launchBrowser()
    const context = await browser.newContext()
    await injectProvider(context, (method, params) => request({ method, params }))
    return openTab(context)
  }

  async function openTab(context: BrowserContext): Promise<Page> {
    preview ??= await servePreview()
    const page = await context.newPage()
    await page.goto(preview.url)
    return page
  }

  /** `vite preview` of the build. */
  async function servePreview(): Promise<Served> {
    const port = await freePort()
    return serveProject(project, 'vite/bin/vite.js', port, 'preview', '--port', `${port}`, '--strictPort')
  }
})
