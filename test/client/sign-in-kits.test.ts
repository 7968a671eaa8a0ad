/** Sign-in by the dialogs of RainbowKit and AppKit, in the order in which they call their adapters. */
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createAccountWallet } from '../../demo/wallet.ts'
import { createGateway as createClient } from '../../packages/client/src/index.ts'
import { appKitConfig, rainbowKitAdapter } from '../../packages/react/src/sign-in-kits.ts'
import { createGateway, type TestStore } from '../support/gateway.ts'
import { TEST_SITE } from '../support/sign-in.ts'
import { createTestStore } from '../support/store.ts'

const CHAIN_ID = 31_337
const account = privateKeyToAccount(generatePrivateKey())
const wallet = createAccountWallet(account, 'http://127.0.0.1:1')

let store: TestStore
beforeAll(async () => {
  store = await createTestStore()
})
afterAll(() => store.stop())

function connect() {
  const app = createGateway(store)
  const fetch = async (request: Request) => app.fetch(request)
  return createClient({ url: 'http://gateway.test', site: TEST_SITE, wallet, fetch })
}

it('signs in and out by RainbowKit', async () => {
  const gateway = connect()
  const adapter = rainbowKitAdapter(gateway)
  const nonce = await adapter.getNonce()
  const message = adapter.createMessage({ nonce, address: account.address, chainId: CHAIN_ID })
  const signature = await account.signMessage({ message })
  expect(await adapter.verify({ message, signature: `${signature.slice(0, -4)}0000` })).toBe(false)
  expect(await gateway.session()).toBeUndefined()
  expect(await adapter.verify({ message, signature })).toBe(true)
  expect((await gateway.session())?.wallet).toBe(account.address.toLowerCase())
  await adapter.signOut()
  expect(await gateway.session()).toBeUndefined()
})

it('signs in and out by AppKit', async () => {
  const config = appKitConfig(connect(), [CHAIN_ID])
  const { chains, ...facts } = await config.getMessageParams()
  const [chainId = 0] = chains
  const nonce = await config.getNonce()
  expect(await config.getSession()).toBeNull()
  const address = `eip155:${chainId}:${account.address}`
  const message = config.createMessage({ ...facts, chainId, nonce, address, statement: 'Welcome' })
  expect(message).toContain('Welcome')
  const signature = await account.signMessage({ message })
  expect(await config.verifyMessage({ message, signature: `${signature.slice(0, -4)}0000` })).toBe(false)
  expect(await config.verifyMessage({ message, signature })).toBe(true)
  expect(await config.getSession()).toEqual({ address: account.address.toLowerCase(), chainId: CHAIN_ID })
  expect(await config.signOut()).toBe(true)
  expect(await config.getSession()).toBeNull()
})

it('AppKit gets the site with its port, and all chains', async () => {
  const site = 'https://app.example:8443'
  const gateway = createClient({ url: 'http://gateway.test', site })
  expect(await appKitConfig(gateway, [1, 7]).getMessageParams()).toEqual({
    domain: 'app.example:8443',
    uri: site,
    chains: [1, 7],
  })
})
