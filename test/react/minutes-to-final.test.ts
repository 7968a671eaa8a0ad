/**
 * A person registers, finances and settles a claim by the hooks, revokes another, lends, and collects a credit, on a
 * chain whose blocks are final 15 minutes later. Time moves by blocks of 12 seconds, and the clocks of gateway and
 * browser follow.
 */
import { mkdirSync } from 'node:fs'
import type { Server } from 'node:http'
import pg from 'pg'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { Address } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PROJECTION_SCHEMA } from '../../api/projection/sql/source.ts'
import { blockingTokenAbi, blockingTokenBytecode } from '../../contracts/testing/generated/BlockingToken.ts'
import { createAccountWallet } from '../../demo/wallet.ts'
import { paceOf } from '../../devnet/live-chain.ts'
import { createRpcBatch } from '../../devnet/rpc.ts'
import { injectProvider, servePage } from '../client/browser.ts'
import { registrationBody } from '../support/attestations.ts'
import { launchBrowser } from '../support/browser.ts'
import { until, untilProjected } from '../support/indexer.ts'
import { type LiveWorld, startLiveWorld } from '../support/live-world.ts'
import { deployForTest } from '../support/protocol.ts'
import * as act from '../support/scenario.ts'

const USD = 1_000_000n
const FACE = 1_000n * USD
const MINUTE = 60
/** The session of an hour ends before the claim is due. */
const DUE_IN = 62 * MINUTE
const { slotsInAnEpoch, blockSeconds } = paceOf(900)
/** A node does not report every block in time. */
const BLOCKS_AT_ONCE = 4

/** `SCREENSHOTS=/tmp/pages` keeps a picture of each step. */
const { SCREENSHOTS } = process.env

let the: LiveWorld
let site: { origin: string; server: Server }
let browser: Browser
let context: BrowserContext
let page: Page
const refusals: string[] = []

beforeAll(async () => {
  site = await servePage('test/react/page.tsx')
  const env = { HEAD_POLL_MS: '20', SITE_ORIGINS: site.origin, CORS_ORIGINS: site.origin }
  the = await startLiveWorld(env, { slotsInAnEpoch }, () => 1000 * Number(headOf().timestamp))
  const { issuer: user } = the.world.parties
  await creditUser()
  await act.createFundedVault(the.world, { token: the.world.usd, capital: 5_000n * USD })
  await act.mint(the.world, { token: the.world.usd, to: user.address, amount: 2_000n * USD })
  await act.registerClaim(the.world, termsOf(the.world.usd, 700n * USD))
  await the.world.chain.setBlockTimestampInterval({ interval: blockSeconds })
  await mine(4 * slotsInAnEpoch)
  await project()
  browser = await launchBrowser()
  context = await browser.newContext()
  await context.clock.install({ time: 1000 * Number(headOf().timestamp) })
  const wallet = createAccountWallet(user.key, the.world.rpcUrl)
  await injectProvider(context, (method, params) => wallet.request({ method, params: [...params] }))
  await context.addInitScript(`globalThis.invoice = ${JSON.stringify(await attest())}`)
  page = await open()
})
afterAll(async () => {
  await browser?.close()
  site?.server.close()
  await the?.stop()
})

function headOf() {
  const head = the?.head.latest()?.head
  return head ?? { timestamp: BigInt(Math.floor(Date.now() / 1000)), number: 0n }
}

/** The user is issuer and beneficiary. */
function termsOf(token: Address, faceValue: bigint) {
  const { issuer } = the.world.parties
  return { issuer, beneficiary: issuer.address, token, faceValue }
}

async function attest() {
  const dueDate = headOf().timestamp + BigInt(DUE_IN)
  const attestation = await act.attestationOf(the.world, { ...termsOf(the.world.usd, FACE), dueDate })
  const signature = await act.signAttestation(the.world, the.world.parties.issuer, attestation)
  return registrationBody({ attestation, signature })
}

/** The router holds a payment for the user, whom the token did not pay. */
async function creditUser(): Promise<void> {
  const { issuer, payer } = the.world.parties
  const token = await deployForTest(the.world, blockingTokenAbi, blockingTokenBytecode, [])
  await act.setTokenListed(the.world, { token, listed: true })
  const { claimId, attestation } = await act.registerClaim(the.world, termsOf(token, 9n * USD))
  await act.travelTo(the.world, attestation.dueDate)
  await act.setBlocked(the.world, { token, account: issuer.address, blocked: true })
  await act.mintAndSettle(the.world, { payer, claimId })
  await act.setBlocked(the.world, { token, account: issuer.address, blocked: false })
}

async function open(): Promise<Page> {
  const opened = await context.newPage()
  opened.on('response', async (response) => {
    if (response.status() >= 400) refusals.push(await response.text())
  })
  await opened.goto(`${site.origin}/?gateway=${new URL(the.url('/')).origin}`)
  return opened
}

/** Mines blocks as the chain does, and waits until the gateway has seen them. */
async function mine(blocks: number): Promise<void> {
  const { length } = await createRpcBatch(the.world.rpcUrl)(
    Array.from({ length: Math.min(blocks, BLOCKS_AT_ONCE) }, () => ['evm_mine', []] as const),
  )
  const { hash } = await the.world.chain.getBlock()
  await until(async () => the.head.latest()?.head.hash === hash)
  if (blocks > length) await mine(blocks - length)
}

async function project(): Promise<void> {
  const { number } = await the.world.chain.getBlock({ blockTag: 'finalized' })
  const pool = new pg.Pool({ connectionString: the.ownerUrl, max: 1 })
  await untilProjected(pool, number)
  await pool.end()
}

/** Mines until that time, with the clock of the browser beside the chain or far behind, as after a sleep. */
async function passUntil(time: number, { isAsleep = false } = {}): Promise<void> {
  const began = Number(headOf().timestamp)
  const step = BLOCKS_AT_ONCE * blockSeconds
  while (Number(headOf().timestamp) < time) {
    await mine(BLOCKS_AT_ONCE)
    if (!isAsleep) await context.clock.fastForward(1000 * step)
  }
  if (isAsleep) await context.clock.fastForward(1000 * (Number(headOf().timestamp) - began))
  await context.clock.setSystemTime(1000 * Number(headOf().timestamp))
}

const sees = (text: RegExp | string) => page.getByText(text).first().waitFor()
const press = (name: string) => page.getByRole('button', { name }).first().click()
const claimRow = async (state: string, left = '') => {
  const row = page.locator('li', { hasText: new RegExp(`^${state} ${left}`) }).first()
  await row.waitFor()
  return row
}
const pendingRow = (event: string) => page.locator('li.pending', { hasText: event }).first()

/** The time at which the page says that the row is final, Unix seconds. */
async function shownTime(event: string): Promise<number> {
  const shown = await pendingRow(event).locator('time').getAttribute('datetime')
  return Date.parse(shown ?? '') / 1000
}

async function picture(name: string): Promise<void> {
  if (!SCREENSHOTS) return
  mkdirSync(SCREENSHOTS, { recursive: true })
  for (const width of [375, 1440]) {
    await page.setViewportSize({ width, height: 700 })
    await page.screenshot({ path: `${SCREENSHOTS}/${name}-${width}.png`, fullPage: true })
  }
}

/** The transaction of a pending row is final at the time that the page shows, and not long before. */
async function expectFinalAt(time: number, block: bigint): Promise<void> {
  const { number } = await the.world.chain.getBlock({ blockTag: 'finalized' })
  expect(number).toBeGreaterThanOrEqual(block)
  const { timestamp } = await the.world.chain.getBlock({ blockNumber: block })
  expect(time - Number(timestamp)).toBeGreaterThanOrEqual(2 * slotsInAnEpoch * blockSeconds)
}

it('shows each step at its block, with the time at which it is final, and ends in no timeout', async () => {
  await press('Sign in')
  await sees('2,000.00 dUSD')
  await press('Register')
  await sees(/^Registration: MINED/)
  const registered = await shownTime('ClaimRegistered')
  const block = headOf().number
  await sees(new RegExp(`block ${block}, confirmations: 1,`))
  await pendingRow('ClaimRegistered').getByRole('button', { name: 'Finance' }).click()
  await sees(
    new RegExp(
      `Not planned: CLAIM_NOT_FOUND. The claim is registered in block ${block}, which should be final at `,
    ),
  )
  await press('Deposit')
  await sees(/^Deposit: MINED/)
  await press('Collect')
  await sees(/^Collect: MINED/)
  const collected = await shownTime('CreditWithdrawn')
  await picture('registered')
  await passUntil(collected, { isAsleep: true })
  await expectFinalAt(registered, block)
  for (const name of ['Registration', 'Deposit']) await sees(`${name}: done`)
  await page.getByRole('button', { name: 'Collect' }).waitFor({ state: 'detached' })
  await claimRow('ELIGIBLE', '1,000.00 dUSD')
  await sees('1,900.00 dUSD')
  await pendingRow('ClaimRegistered').waitFor({ state: 'detached' })

  await press('Finance')
  await press('Execute')
  await sees(/^Financing: MINED/)
  const financed = await shownTime('LegExecuted')
  const financedIn = headOf().number
  await (await claimRow('ELIGIBLE', '700.00 dUSD')).getByRole('button', { name: 'Revoke' }).click()
  await sees(/^Revoke: MINED/)
  await picture('financed')
  await page.close()
  page = await open()
  await passUntil(Number(headOf().timestamp) + 5 * MINUTE)
  // The finalized figures do not have it, and the row beside them has been confirmed since.
  await sees(new RegExp(`block ${financedIn}, confirmations: ${headOf().number - financedIn + 1n},`))
  await sees('1,900.00 dUSD')
  await claimRow('ELIGIBLE', '700.00 dUSD')
  await claimRow('ELIGIBLE', '1,000.00 dUSD')
  await press('Finance')
  await sees(/of the face of claim .* is left, less than/)
  await picture('impossible')
  await press('Resume')
  await sees(/^Resumed financing: MINED/)
  await passUntil(financed)
  await expectFinalAt(financed, financedIn)
  await sees('Resumed financing: done')
  await claimRow('PARTIALLY_FUNDED')
  await claimRow('REVOKED')
  await sees(/2,400.\d\d dUSD/)

  await passUntil(Number(headOf().timestamp) + 31 * MINUTE)
  await press('Sign in')
  await press('Settle')
  await sees(/^Settlement: MINED/)
  const settled = await shownTime('ClaimPaid')
  const settledIn = headOf().number
  await press('Withdraw')
  await sees(/^Withdrawal: MINED/)
  await press('Cancel routes')
  await sees(/^Cancel routes: MINED/)
  const cancelled = await shownTime('RoutesCancelled')
  await picture('settled')
  const release = await stopProjection()
  await passUntil(cancelled)
  for (const name of ['Settlement', 'Withdrawal', 'Cancel routes'])
    await sees(new RegExp(`^${name}: FINALIZED`))
  await release()
  for (const name of ['Settlement', 'Withdrawal', 'Cancel routes']) await sees(`${name}: done`)
  await expectFinalAt(settled, settledIn)
  await claimRow('SETTLED')
  await pendingRow('ClaimPaid').waitFor({ state: 'detached' })
  await picture('final')
  expect(refusals).toEqual([])
})

/** Keeps the indexer from writing a block. @returns a function that lets it go on */
async function stopProjection(): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: the.ownerUrl })
  await client.connect()
  await client.query('BEGIN')
  await client.query(`LOCK TABLE ${PROJECTION_SCHEMA}._ponder_checkpoint IN EXCLUSIVE MODE`)
  return () => client.end()
}
