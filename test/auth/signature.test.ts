import { inspect } from 'node:util'
import { concatHex, type Hex, hexToBigInt, numberToHex, parseSignature } from 'viem'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { smartWalletAbi } from '../../abis/SmartWallet.ts'
import { isSignedByContract, isSignedByKey } from '../../api/auth/signature.ts'
import { createChain } from '../../api/chain/client.ts'
import { smartWalletBytecode } from '../../contracts/artifacts/SmartWallet.ts'
import { counterfactualWallet } from '../support/accounts.ts'
import { freePort, startAnvil } from '../support/anvil.ts'
import { rejection } from '../support/coded.ts'
import { NODE_TIMEOUT_MS } from '../support/limits.ts'
import { lowercase, wellKnownParties } from '../support/parties.ts'
import { serveHttp } from '../support/serve.ts'

const { beneficiary, stranger } = wellKnownParties()
const message = 'a sign-in message'

const counterfactual = counterfactualWallet(beneficiary.address)

const SECP256K1_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

let anvil: Awaited<ReturnType<typeof startAnvil>>
let chain: ReturnType<typeof createChain>

beforeAll(async () => {
  anvil = await startAnvil()
  chain = createChain({ urls: [anvil.rpcUrl], timeout: NODE_TIMEOUT_MS })
})
afterAll(() => anvil.stop())

describe('a wallet with a key', () => {
  it('signed what its key signed, and nothing else; no chain is asked', async () => {
    const signature = await beneficiary.key.signMessage({ message })
    const signed = { wallet: beneficiary.address, message, signature }
    expect(await isSignedByKey(signed)).toBe(true)
    expect(await isSignedByKey({ ...signed, message: 'another message' })).toBe(false)
    expect(await isSignedByKey({ ...signed, wallet: stranger.address })).toBe(false)
  })

  it('signed with v as 0 or 1 and with s in the upper half too', async () => {
    const { r, s, yParity } = parseSignature(await beneficiary.key.signMessage({ message }))
    const high = numberToHex(SECP256K1_ORDER - hexToBigInt(s), { size: 32 })
    const v = (parity: number) => numberToHex(parity, { size: 1 })
    for (const signature of [
      concatHex([r, s, v(yParity)]),
      concatHex([r, s, v(yParity + 27)]),
      concatHex([r, high, v(1 - yParity)]),
      concatHex([r, high, v(1 - yParity + 27)]),
    ]) {
      expect(await isSignedByKey({ wallet: beneficiary.address, message, signature })).toBe(true)
    }
    const wrong = concatHex([r, s, v(1 - yParity)])
    expect(await isSignedByKey({ wallet: beneficiary.address, message, signature: wrong })).toBe(false)
    const unknown = concatHex([r, s, v(29)])
    expect(await isSignedByKey({ wallet: beneficiary.address, message, signature: unknown })).toBe(false)
  })
})

describe('a contract wallet', () => {
  it('signs by its owner when deployed (ERC-1271)', async () => {
    const wallet = await deployWallet()
    const signature = await beneficiary.key.signMessage({ message })
    expect(await isSignedByContract(chain, { wallet, message, signature })).toBe(true)
    expect(await isSignedByContract(chain, { wallet, message: 'another message', signature })).toBe(false)
    const forged = await stranger.key.signMessage({ message })
    expect(await isSignedByContract(chain, { wallet, message, signature: forged })).toBe(false)
  })

  it('signs by its owner before it is deployed (ERC-6492), and the chain is left as it was', async () => {
    const signature = counterfactual.wrap(await beneficiary.key.signMessage({ message }))
    const wallet = counterfactual.address
    expect(await isSignedByContract(chain, { wallet, message, signature })).toBe(true)
    expect(await isSignedByContract(chain, { wallet, message: 'another', signature })).toBe(false)
    expect(await isSignedByContract(chain, { wallet: stranger.address, message, signature })).toBe(false)
    expect(await chain.getCode({ address: wallet })).toBeUndefined()
  })

  it('that answers with nonsense, or not at all, has not signed', async () => {
    const signature = await beneficiary.key.signMessage({ message })
    // STOP answers nothing; INVALID takes all gas; the loop never ends; the last answers one word of ones.
    for (const code of [
      '0x00',
      '0xfe',
      '0x5b600056',
      '0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff60005260206000f3',
    ] as const) {
      await anvil.client.setCode({ address: stranger.address, bytecode: code })
      expect(await isSignedByContract(chain, { wallet: stranger.address, message, signature })).toBe(false)
    }
    await anvil.client.setCode({ address: stranger.address, bytecode: '0x' })
  })

  it('cannot be asked while the chain is away, and nobody calls its signature wrong', async () => {
    const nowhere = createChain({ urls: [`http://127.0.0.1:${await freePort()}`], timeout: 1000 })
    const signature = await stranger.key.signMessage({ message })
    const asked = isSignedByContract(nowhere, { wallet: counterfactual.address, message, signature })
    expect(await rejection(asked)).toBe('CHAIN_UNAVAILABLE')
  })
})

/** A node that quotes the end of what it was asked when it refuses a call. */
async function startQuotingNode() {
  return serveHttp(async (request) => {
    const body = await request.text()
    if (body.includes('eth_call')) {
      const error = { code: -32_000, message: `refused: ${body.slice(-260)}` }
      return Response.json({ jsonrpc: '2.0', id: JSON.parse(body).id, error })
    }
    return fetch(anvil.rpcUrl, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
  })
}

describe('the error of a chain that gave no answer, which is logged', () => {
  it('does not hold the signature, even where a node quotes it: a reader could sign in elsewhere', async () => {
    const node = await startQuotingNode()
    onTestFinished(() => node.close())
    const quoting = createChain({ urls: [node.url], timeout: NODE_TIMEOUT_MS })
    const signature = await stranger.key.signMessage({ message })
    const asked = isSignedByContract(quoting, { wallet: counterfactual.address, message, signature })
    const error = await asked.catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
    expect(inspect(error, { depth: Number.POSITIVE_INFINITY })).not.toContain(signature.slice(2, 66))
  })
})

describe('garbage', () => {
  it('signs nothing', async () => {
    const magic6492 = '6492'.repeat(16)
    const magic8010 = '8010'.repeat(16)
    const signatures: Hex[] = [
      '0x',
      '0x00',
      `0x${'00'.repeat(65)}`,
      `0x${'ff'.repeat(65)}`,
      `0x${'ff'.repeat(3000)}`,
    ]
    signatures.push(
      `0x${magic6492}`,
      `0x${magic8010}`,
      `0x${'ab'.repeat(96)}${magic6492}`,
      `0x${'ab'.repeat(96)}${magic8010}`,
    )
    for (const signature of signatures) {
      expect(await isSignedByKey({ wallet: stranger.address, message, signature })).toBe(false)
      expect(await isSignedByContract(chain, { wallet: stranger.address, message, signature })).toBe(false)
    }
  })
})

async function deployWallet() {
  const hash = await anvil.client.deployContract({
    account: stranger.key,
    abi: smartWalletAbi,
    bytecode: smartWalletBytecode,
    args: [beneficiary.address],
  })
  const { contractAddress } = await anvil.client.waitForTransactionReceipt({ hash })
  if (!contractAddress) throw new Error('the wallet was not deployed')
  return lowercase(contractAddress)
}
