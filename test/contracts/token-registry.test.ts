/** Claims and vaults are in tokens that an operator listed, with the metadata that the token had then. */
import { type Address, getAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { demoTokenAbi } from '../../abis/DemoToken.ts'
import { tokenRegistryAbi } from '../../abis/TokenRegistry.ts'
import { demoTokenBytecode } from '../../contracts/artifacts/DemoToken.ts'
import { deployForTest, startWorld } from '../support/protocol.ts'
import { bytes, bytes32, deployRawToken, text, word } from '../support/raw-token.ts'
import { createVault, mintAndSettle, registerClaim, setTokenListed, travelTo } from '../support/scenario.ts'
import { eventsOf, revertOf } from '../support/transactions.ts'

let world: Awaited<ReturnType<typeof startWorld>>
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

const registry = () => ({ abi: tokenRegistryAbi, address: world.protocol.tokenRegistry }) as const
const metadataOf = (token: Address) =>
  world.chain.readContract({ ...registry(), functionName: 'metadata', args: [token] })
const newToken = (name: string, symbol: string, decimals: number) =>
  deployForTest(world, demoTokenAbi, demoTokenBytecode, [name, symbol, decimals])

describe('listing a token', () => {
  test('reads its metadata once and emits them; listing it again only changes its status', async () => {
    const token = await newToken('Some Dollar', 'SUSD', 18)
    const emitter = world.protocol.tokenRegistry
    const status = (listed: boolean) => ({ emitter, name: 'TokenStatusChanged', args: { token, listed } })
    const metadata = { symbol: 'SUSD', name: 'Some Dollar', decimals: 18 }
    expect(await metadataOf(token)).toEqual({ known: false, symbol: '', name: '', decimals: 0 })
    expect(eventsOf(await setTokenListed(world, { token, listed: true }))).toEqual([
      { emitter, name: 'TokenAdded', args: { token, ...metadata } },
      status(true),
    ])
    expect(await metadataOf(token)).toEqual({ known: true, ...metadata })
    for (const listed of [false, true]) {
      expect(eventsOf(await setTokenListed(world, { token, listed }))).toEqual([status(listed)])
    }
    const tokens = await world.chain.readContract({ ...registry(), functionName: 'tokens', args: [2n, 9n] })
    expect(tokens).toEqual([getAddress(token)])
    expect(await world.chain.readContract({ ...registry(), functionName: 'tokenCount' })).toBe(3n)
  })

  test('keeps the order in which tokens were first listed, page by page, delisted ones included', async () => {
    const token = await newToken('Paged Dollar', 'PAGE', 0)
    for (const listed of [true, false]) await setTokenListed(world, { token, listed })
    const page = (offset: bigint, limit: bigint) =>
      world.chain.readContract({ ...registry(), functionName: 'tokens', args: [offset, limit] })
    const count = await world.chain.readContract({ ...registry(), functionName: 'tokenCount' })
    const most = 2n ** 256n - 1n
    const all = await page(0n, most)
    expect(all.slice(0, 2)).toEqual([getAddress(world.usd), getAddress(world.eur)])
    expect([BigInt(all.length), all.at(-1)]).toEqual([count, getAddress(token)])
    expect([...(await page(0n, 1n)), ...(await page(1n, most))]).toEqual(all)
    for (const limit of [5n, most]) expect(await page(count - 1n, limit)).toEqual(all.slice(-1))
    for (const offset of [count, count + 1n, most]) {
      for (const limit of [5n, most]) expect(await page(offset, limit)).toEqual([])
    }
    expect(await page(0n, 0n)).toEqual([])
  })

  test('refuses a change that changes nothing', async () => {
    const { usd: token } = world
    expect(await revertOf(setTokenListed(world, { token, listed: true }))).toEqual({
      errorName: 'TokenStatusUnchanged',
      args: [token, true],
    })
  })

  test.each([
    ['as bytes32, which old tokens answer', bytes32('MKR'), 'MKR'],
    ['of exactly 32 bytes', bytes32('S'.repeat(32)), 'S'.repeat(32)],
    ['up to its first zero byte', text('USD\u0000T'), 'USD'],
    ['in UTF-8', text('USD₮0'), 'USD₮0'],
    ['cut at 64 bytes', text('x'.repeat(200)), 'x'.repeat(64)],
    ['cut before a character of which 64 bytes have a part', text(`${'x'.repeat(61)}🪙x`), 'x'.repeat(61)],
    ['cut after a character that ends at 64 bytes', text(`${'x'.repeat(61)}₮₮`), `${'x'.repeat(61)}₮`],
    ['whole where it ends with a character at 64 bytes', text(`${'x'.repeat(61)}₮`), `${'x'.repeat(61)}₮`],
    ['empty where no byte begins a character', bytes(`0x${'80'.repeat(65)}`), ''],
    ['empty where the getter fails or uses all its gas', '0x', ''],
    ['empty where the answer is too short', '0x1234', ''],
    ['empty where the text is said to start elsewhere', `${word(64n)}${word(3n).slice(2)}`, ''],
    [
      'empty where the text is said to be longer than the answer',
      `${word(32n)}${word(2n ** 255n).slice(2)}`,
      '',
    ],
  ] as const)('takes a symbol and a name %s', async (_, answer, expected) => {
    const token = await deployRawToken(world, { symbol: answer, name: answer })
    await setTokenListed(world, { token, listed: true })
    expect(await metadataOf(token)).toMatchObject({ symbol: expected, name: expected, decimals: 6 })
  })

  test.each([
    ['no answer', '0x'],
    ['more than 36', word(37n)],
    ['more than 8 bits', word(256n)],
    ['an answer of another length', `${word(6n)}00`],
  ] as const)('refuses a token whose decimals are %s', async (_, decimals) => {
    const token = await deployRawToken(world, { decimals })
    const refused = await revertOf(setTokenListed(world, { token, listed: true }))
    expect(refused).toEqual({ errorName: 'UnreadableDecimals', args: [token] })
  })

  test('refuses an address without a contract', async () => {
    const token = world.parties.stranger.address
    const refused = await revertOf(setTokenListed(world, { token, listed: true }))
    expect(refused).toEqual({ errorName: 'UnreadableDecimals', args: [token] })
  })
})

test('delisting a token stops new claims and vaults, and no settlement', async () => {
  const { issuer, beneficiary, payer } = world.parties
  const token = await newToken('Fading Dollar', 'FADE', 2)
  await setTokenListed(world, { token, listed: true })
  const terms = { issuer, beneficiary: beneficiary.address, token, faceValue: 100n }
  const { claimId, attestation } = await registerClaim(world, terms)
  await createVault(world, { token })
  await setTokenListed(world, { token, listed: false })
  const refused = { errorName: 'TokenNotListed', args: [token] }
  expect(await revertOf(registerClaim(world, terms))).toEqual(refused)
  expect(await revertOf(createVault(world, { token }))).toEqual(refused)
  await travelTo(world, attestation.dueDate)
  await mintAndSettle(world, { payer, claimId })
})
