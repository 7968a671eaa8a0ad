import {
  concatHex,
  encodeDeployData,
  getContractAddress,
  type Hex,
  keccak256,
  serializeErc6492Signature,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { smartWalletAbi } from '../../abis/SmartWallet.ts'
import { isSignedBy } from '../../api/auth/signature.ts'
import { createChain } from '../../api/chain/client.ts'
import { smartWalletBytecode } from '../../contracts/artifacts/SmartWallet.ts'
import { freePort, startAnvil } from '../support/anvil.ts'
import { rejection } from '../support/coded.ts'
import { lowercase, wellKnownParties } from '../support/parties.ts'

const { beneficiary, stranger } = wellKnownParties()
const message = 'a sign-in message'

/** Deploys what it is called with by CREATE2; anvil has it from the start. */
const CREATE2_FACTORY = '0x4e59b44847b379578588920ca78fbf26c0b4956c'
const salt: Hex = `0x${'00'.repeat(32)}`
const creationCode = encodeDeployData({
  abi: smartWalletAbi,
  bytecode: smartWalletBytecode,
  args: [beneficiary.address],
})
const counterfactual = lowercase(
  getContractAddress({
    opcode: 'CREATE2',
    from: CREATE2_FACTORY,
    salt,
    bytecodeHash: keccak256(creationCode),
  }),
)

let anvil: Awaited<ReturnType<typeof startAnvil>>
let chain: ReturnType<typeof createChain>

beforeAll(async () => {
  anvil = await startAnvil()
  chain = createChain({ urls: [anvil.rpcUrl], timeout: 10_000 })
})
afterAll(() => anvil.stop())

describe('a wallet with a key', () => {
  it('signed what its key signed, and nothing else', async () => {
    const signature = await beneficiary.key.signMessage({ message })
    const signed = { wallet: beneficiary.address, message, signature }
    expect(await isSignedBy(chain, signed)).toBe(true)
    expect(await isSignedBy(chain, { ...signed, message: 'another message' })).toBe(false)
    expect(await isSignedBy(chain, { ...signed, wallet: stranger.address })).toBe(false)
  })

  it('needs no chain to be believed', async () => {
    const signature = await beneficiary.key.signMessage({ message })
    const nowhere = createChain({ urls: [`http://127.0.0.1:${await freePort()}`], timeout: 1000 })
    expect(await isSignedBy(nowhere, { wallet: beneficiary.address, message, signature })).toBe(true)
  })
})

describe('a contract wallet', () => {
  it('signs by its owner when deployed (ERC-1271)', async () => {
    const wallet = await deployWallet()
    const signature = await beneficiary.key.signMessage({ message })
    expect(await isSignedBy(chain, { wallet, message, signature })).toBe(true)
    expect(await isSignedBy(chain, { wallet, message: 'another message', signature })).toBe(false)
    const forged = await stranger.key.signMessage({ message })
    expect(await isSignedBy(chain, { wallet, message, signature: forged })).toBe(false)
  })

  it('signs by its owner before it is deployed (ERC-6492), and the chain is left as it was', async () => {
    const signature = serializeErc6492Signature({
      address: CREATE2_FACTORY,
      data: concatHex([salt, creationCode]),
      signature: await beneficiary.key.signMessage({ message }),
    })
    expect(await isSignedBy(chain, { wallet: counterfactual, message, signature })).toBe(true)
    expect(await isSignedBy(chain, { wallet: counterfactual, message: 'another', signature })).toBe(false)
    expect(await isSignedBy(chain, { wallet: stranger.address, message, signature })).toBe(false)
    expect(await chain.getCode({ address: counterfactual })).toBeUndefined()
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
      expect(await isSignedBy(chain, { wallet: stranger.address, message, signature })).toBe(false)
    }
    await anvil.client.setCode({ address: stranger.address, bytecode: '0x' })
  })

  it('cannot be asked while the chain is away, and nobody calls its signature wrong', async () => {
    const nowhere = createChain({ urls: [`http://127.0.0.1:${await freePort()}`], timeout: 1000 })
    const signature = await stranger.key.signMessage({ message })
    const asked = isSignedBy(nowhere, { wallet: counterfactual, message, signature })
    expect(await rejection(asked)).toBe('CHAIN_UNAVAILABLE')
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
      expect(await isSignedBy(chain, { wallet: stranger.address, message, signature })).toBe(false)
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
