/**
 * Wallets sign in to a gateway that listens on a port, each with the library its users would have: a viem account, an
 * ethers wallet with the siwe package's own message, and a contract wallet, deployed (ERC-1271) and not yet (ERC-6492).
 */
import { serve } from '@hono/node-server'
import { Wallet } from 'ethers'
import { SiweMessage } from 'siwe'
import {
  type Address,
  concatHex,
  encodeDeployData,
  getAddress,
  getContractAddress,
  keccak256,
  serializeErc6492Signature,
  zeroHash,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { smartWalletAbi } from '../../abis/SmartWallet.ts'
import { smartWalletBytecode } from '../../contracts/artifacts/SmartWallet.ts'
import { freePort, startAnvil } from '../support/anvil.ts'
import { createGateway, type TestStore } from '../support/gateway.ts'
import { wellKnownParties } from '../support/parties.ts'
import {
  bearer,
  getNonce,
  postVerify,
  type Requestable,
  readJson,
  signInMessage,
  TEST_SITE,
} from '../support/sign-in.ts'
import { createTestStore } from '../support/store.ts'

const { beneficiary, stranger } = wellKnownParties()

let anvil: Awaited<ReturnType<typeof startAnvil>>
let store: TestStore
let server: ReturnType<typeof serve>
let gateway: Requestable

beforeAll(async () => {
  ;[anvil, store] = await Promise.all([startAnvil(), createTestStore()])
  const port = await freePort()
  const app = createGateway(store, { rpcUrl: anvil.rpcUrl })
  server = serve({ fetch: app.fetch, port, hostname: '127.0.0.1' })
  gateway = { request: (path, init) => fetch(`http://127.0.0.1:${port}${path}`, init) }
})
afterAll(async () => {
  server?.close()
  await Promise.all([anvil.stop(), store.stop()])
})

describe('a wallet signs in', () => {
  it('with a viem account', async () => {
    const account = privateKeyToAccount(generatePrivateKey())
    const message = await signInMessage(gateway, account.address)
    const token = await verified({ message, signature: await account.signMessage({ message }) })
    await expectSessionOf(account.address, token)
  })

  it('with an ethers wallet and the message of the siwe package', async () => {
    const wallet = Wallet.createRandom()
    const message = new SiweMessage({
      domain: new URL(TEST_SITE).host,
      address: wallet.address,
      statement: 'Sign in to finance your claims.',
      uri: TEST_SITE,
      version: '1',
      chainId: 31_337,
      nonce: await getNonce(gateway),
      expirationTime: new Date(Date.now() + 600_000).toISOString(),
      resources: [`${TEST_SITE}/terms`],
    }).prepareMessage()
    const token = await verified({ message, signature: await wallet.signMessage(message) })
    await expectSessionOf(getAddress(wallet.address), token)
  })

  it('from any page of the site, with the session of Reown AppKit around message and signature', async () => {
    const account = privateKeyToAccount(generatePrivateKey())
    const message = await signInMessage(gateway, account.address, { uri: `${TEST_SITE}/claims?page=2#top` })
    const signature = await account.signMessage({ message })
    const cacao = {
      h: { t: 'caip122' },
      p: { iss: `did:pkh:eip155:31337:${account.address}` },
      s: { t: 'eip191' },
    }
    const data = { accountAddress: account.address, chainId: 'eip155:31337' }
    // As `universalProviderAuthenticate` makes it: `data` repeats the payload of `cacao`.
    const session = { data: { ...cacao.p, ...data }, message, signature, cacao }
    await expectSessionOf(account.address, await verified(session))
    const again = await signInMessage(gateway, account.address)
    const signed = { message: again, signature: await account.signMessage({ message: again }) }
    const walletInfo = { type: 'walletconnect', name: 'Wallet', icon: 'https://wallet.example/icon.png' }
    await expectSessionOf(account.address, await verified({ ...signed, data, clientId: null, walletInfo }))
  })

  it('with a contract wallet, through its owner (ERC-1271)', async () => {
    const hash = await anvil.client.deployContract({
      account: stranger.key,
      abi: smartWalletAbi,
      bytecode: smartWalletBytecode,
      args: [beneficiary.address],
    })
    const { contractAddress } = await anvil.client.waitForTransactionReceipt({ hash })
    const wallet = getAddress(String(contractAddress))
    const message = await signInMessage(gateway, wallet)
    const token = await verified({ message, signature: await beneficiary.key.signMessage({ message }) })
    await expectSessionOf(wallet, token)
    const byStranger = await signInMessage(gateway, wallet)
    const forged = { message: byStranger, signature: await stranger.key.signMessage({ message: byStranger }) }
    expect(await readJson(await postVerify(gateway, forged))).toMatchObject({
      code: 'SIWE_SIGNATURE_INVALID',
    })
  })

  it('with a contract wallet that is not deployed yet (ERC-6492)', async () => {
    const factory = '0x4e59b44847b379578588920ca78fbf26c0b4956c'
    const creationCode = encodeDeployData({
      abi: smartWalletAbi,
      bytecode: smartWalletBytecode,
      args: [beneficiary.address],
    })
    const wallet = getContractAddress({
      opcode: 'CREATE2',
      from: factory,
      salt: zeroHash,
      bytecodeHash: keccak256(creationCode),
    })
    const message = await signInMessage(gateway, wallet)
    const signature = serializeErc6492Signature({
      address: factory,
      data: concatHex([zeroHash, creationCode]),
      signature: await beneficiary.key.signMessage({ message }),
    })
    await expectSessionOf(wallet, await verified({ message, signature }))
  })
})

async function verified(body: {
  message: string
  signature: string
  [field: string]: unknown
}): Promise<string> {
  const response = await postVerify(gateway, body)
  expect(response.status).toBe(200)
  expect(response.headers.get('Cache-Control')).toBe('no-store')
  const { token, ...session } = await readJson(response)
  const me = await readJson(await gateway.request('/api/v1/auth/me', bearer(String(token))))
  expect({ ...session, issuedAt: me.issuedAt }).toEqual(me)
  return String(token)
}

async function expectSessionOf(wallet: Address, token: string): Promise<void> {
  const response = await gateway.request('/api/v1/auth/me', bearer(token))
  const { expiresAt, issuedAt, ...session } = await readJson(response)
  expect(session).toEqual({ wallet: wallet.toLowerCase(), chainId: 31_337 })
  expect(Date.parse(String(expiresAt)) - Date.parse(String(issuedAt))).toBe(3_600_000)
}
