/** Answers of wallets as the client reports them, and amounts as people see them. */
import fc from 'fast-check'
import { createWalletClient, custom, hexToString, isHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { catalogue } from '../../api/errors.ts'
import { createAccountWallet } from '../../demo/wallet.ts'
import { canBatch, sendBatch } from '../../packages/client/src/batch.ts'
import {
  type AmountFormat,
  createGateway as createClient,
  deployments,
  type Eip1193Provider,
  formatAmount,
  type GatewayCode,
  GatewayError,
  graphql,
  injectedWallet,
  parseAmount,
  type SessionStorage,
  walletOf,
} from '../../packages/client/src/index.ts'
import { createGateway, type TestStore } from '../support/gateway.ts'
import { TEST_SITE } from '../support/sign-in.ts'
import { createTestStore } from '../support/store.ts'

const CHAIN_ID = 31_337
const account = privateKeyToAccount(generatePrivateKey())
const wallet = createAccountWallet(account, 'http://127.0.0.1:1')

/** A wallet on another chain, which answers a switch with `onSwitch`. */
function away(onSwitch: (move: () => void) => void): Eip1193Provider {
  let chainId = '0x1'
  return {
    request: async (call) => {
      if (call.method === 'eth_chainId') return chainId
      if (call.method !== 'wallet_switchEthereumChain') return wallet.request(call)
      const { chainId: wanted }: { chainId?: string } = Object(call.params?.[0])
      onSwitch(() => {
        chainId = wanted ?? 'none'
      })
      return null
    },
  }
}

describe('a client', () => {
  let store: TestStore
  beforeAll(async () => {
    store = await createTestStore()
  })
  afterAll(() => store.stop())

  const connect = (provider?: Eip1193Provider, storage?: SessionStorage) => {
    const app = createGateway(store)
    const fetch = async (request: Request) => app.fetch(request)
    return createClient({
      url: 'http://gateway.test',
      site: TEST_SITE,
      deployment: deployments[CHAIN_ID],
      wallet: provider,
      ...(storage && { storage }),
      fetch,
    })
  }

  it('moves the wallet to the chain of the gateway before it signs in', async () => {
    const session = await connect(away((move) => move())).signIn()
    expect(session.chainId).toBe(CHAIN_ID)
  })

  it.each(['0x7a69', '0x7A69', CHAIN_ID, `${CHAIN_ID}`])(
    'takes the chain of a wallet that answers with %j',
    async (chainId) => {
      const calls: string[] = []
      const answering: Eip1193Provider = {
        request: async (call) => {
          calls.push(call.method)
          return call.method === 'eth_chainId' ? chainId : wallet.request(call)
        },
      }
      expect((await connect(answering).signIn()).chainId).toBe(CHAIN_ID)
      expect(calls).not.toContain('wallet_switchEthereumChain')
    },
  )

  it('signs in with the first account of the wallet', async () => {
    const other = privateKeyToAccount(generatePrivateKey())
    const ofTwo: Eip1193Provider = {
      request: async (call) =>
        call.method === 'eth_accounts' ? [account.address, other.address] : wallet.request(call),
    }
    expect((await connect(ofTwo).signIn()).wallet).toBe(account.address.toLowerCase())
  })

  it.each([
    ['no account', 'eth_accounts', [], 'NO_WALLET'],
    ['nothing for a signature', 'personal_sign', null, 'WALLET_FAILED'],
    ['a signature that is not hex', 'personal_sign', 'signed', 'WALLET_FAILED'],
  ])('reports a wallet that answers with %s', async (_, method, answer, code) => {
    const failing: Eip1193Provider = {
      request: async (call) => (call.method === method ? answer : wallet.request(call)),
    }
    await expect(connect(failing).signIn()).rejects.toMatchObject({ code })
  })

  it('asks the wallet to connect and to sign a message with the statement, but not to switch to its current chain', async () => {
    const calls: string[] = []
    const signed: unknown[] = []
    const noting: Eip1193Provider = {
      request: async (call) => {
        calls.push(call.method)
        if (call.method === 'personal_sign') signed.push(...(call.params ?? []))
        return wallet.request(call)
      },
    }
    const gateway = connect(noting)
    await gateway.signIn({ statement: 'Welcome' })
    expect(calls.filter((method) => !/^eth_(?:accounts|chainId)$/.test(method))).toEqual([
      'eth_requestAccounts',
      'personal_sign',
    ])
    const [message, signer] = signed
    expect(hexToString(isHex(message) ? message : '0x')).toContain('\n\nWelcome\n\n')
    expect(signer).toBe(account.address.toLowerCase())
  })

  it('reports the message of a wallet that fails, with its error as the cause', async () => {
    for (const [cause, words] of [
      [{ code: -32_000, message: 'nonce too low' }, 'nonce too low'],
      ['locked', 'locked'],
    ] as const) {
      const failing: Eip1193Provider = {
        request: async (call) => {
          if (call.method === 'personal_sign') throw cause
          return wallet.request(call)
        },
      }
      await expect(connect(failing).signIn()).rejects.toMatchObject({
        code: 'WALLET_FAILED',
        message: `personal_sign failed: ${words}`,
        cause,
      })
    }
  })

  it('has the origin of its address, and prefers the site option to the site of the page', async () => {
    const urls: string[] = []
    const fetch = async ({ url }: Request) => {
      urls.push(url)
      return Response.json({ data: {} })
    }
    vi.stubGlobal('location', { origin: 'https://page.example' })
    onTestFinished(() => void vi.unstubAllGlobals())
    const { get, ask, origin, site } = createClient({ url: 'http://gateway.test/explore/', fetch })
    await get('/api/v1/health')
    await ask(graphql('{ viewer { address } }'))
    expect(urls).toEqual(['http://gateway.test/api/v1/health', 'http://gateway.test/api/v1/graphql'])
    expect([origin, site]).toEqual(['http://gateway.test', 'https://page.example'])
    const named = createClient({ url: 'http://gateway.test', site: 'https://app.example' })
    const facts = { address: account.address, chainId: CHAIN_ID, nonce: '12345678' }
    expect(named.signInMessage(facts)).toMatch(/^app\.example wants .*URI: https:\/\/app\.example\n/s)
    vi.unstubAllGlobals()
    expect(createClient({ url: 'http://gateway.test/explore/' }).site).toBe('http://gateway.test')
  })

  it('reports a wallet that stays on another chain, and a user who declines to switch', async () => {
    const unknown = Object.assign(new Error('unknown chain'), { code: 4902 })
    const stays = connect(
      away(() => {
        throw unknown
      }),
    )
    await expect(stays.signIn()).rejects.toMatchObject({ code: 'WRONG_CHAIN', retryable: false })
    const declines = connect(
      away(() => {
        throw { code: 4001, message: 'no' }
      }),
    )
    await expect(declines.signIn()).rejects.toMatchObject({ code: 'USER_REJECTED' })
  })

  it('reads without a wallet, and has none to sign with', async () => {
    const visitor = connect()
    expect(await visitor.get('/api/v1/health')).toEqual({ status: 'ok' })
    expect(await visitor.session()).toBeUndefined()
    await expect(visitor.signIn()).rejects.toMatchObject({ code: 'NO_WALLET' })
  })

  it('leaves the session of a wallet alone while the wallet is not connected yet', async () => {
    const entries = new Map<string, string>()
    const storage = {
      getItem: (key: string) => entries.get(key) ?? null,
      setItem: (key: string, value: string) => void entries.set(key, value),
      removeItem: (key: string) => void entries.delete(key),
    }
    const { token } = await connect(wallet, storage).signIn()
    expect(await connect(undefined, storage).session()).toBeUndefined()
    expect((await connect(wallet, storage).session())?.token).toBe(token)
  })

  it('gives other libraries a fetch with the token, for requests to the gateway alone', async () => {
    const gateway = connect(wallet)
    const { token } = await gateway.signIn()
    const me = await gateway.fetch('http://gateway.test/api/v1/auth/me')
    expect(me.status).toBe(200)
    const sent: (string | null)[] = []
    const elsewhere = createClient({
      url: 'http://gateway.test',
      wallet,
      storage: { getItem: () => sessionOf(token), setItem: () => {}, removeItem: () => {} },
      fetch: async (request) => {
        sent.push(request.headers.get('Authorization'))
        return new Response()
      },
    })
    await elsewhere.fetch('http://gateway.test/x')
    for (const origin of [
      'http://elsewhere.test',
      'http://gateway.test.elsewhere.test',
      'http://gateway.test:81',
    ])
      await elsewhere.fetch(`${origin}/x`)
    expect(sent).toEqual([`Bearer ${token}`, null, null, null])
  })

  it('throws the reason of the signal that ends a read', async () => {
    const gateway = createClient({ url: 'http://127.0.0.1:1' })
    const stopped = gateway.get('/api/v1/health', { signal: AbortSignal.abort(new Error('left')) })
    await expect(stopped).rejects.toThrow('left')
  })
})

it('the wallet of the page is the one that the browser has injected, if it answers requests', () => {
  onTestFinished(() => void vi.unstubAllGlobals())
  expect(injectedWallet()).toBeUndefined()
  for (const other of [undefined, null, 'wallet', {}]) {
    vi.stubGlobal('ethereum', other)
    expect(injectedWallet(), JSON.stringify(other)).toBeUndefined()
  }
  vi.stubGlobal('ethereum', wallet)
  expect(injectedWallet()).toBe(wallet)
})

it('asks a wallet of viem once, since a request that failed may have been sent all the same', async () => {
  let requests = 0
  const failing = custom({
    request: async () => {
      requests += 1
      throw Object.assign(new Error('timeout'), { code: -32_603 })
    },
  })
  const provider = walletOf(createWalletClient({ account, transport: failing }))
  await expect(provider.request({ method: 'eth_sendTransaction', params: [{}] })).rejects.toThrow()
  expect(requests).toBe(1)
})

describe('a batch', () => {
  const from = `0x${'1'.repeat(40)}` as const
  const batch = { from, chainId: CHAIN_ID, calls: [] }
  const hash = `0x${'ab'.repeat(32)}`
  /** A wallet that answers each question for the state of the batch with the next of these. */
  const answering = (...answers: readonly unknown[]) => {
    const calls: Parameters<Eip1193Provider['request']>[0][] = []
    const remaining = [...answers]
    const provider: Eip1193Provider = {
      request: async (call) => {
        calls.push(call)
        return call.method === 'wallet_sendCalls' ? { id: '0x07' } : remaining.shift()
      },
    }
    return { provider, calls }
  }
  const send = (provider: Eip1193Provider, signal = new AbortController().signal) =>
    sendBatch(provider, batch, { pollMs: 1, signal })

  it.each([
    ['0x7a69', 'supported', true],
    ['0x7a69', 'unsupported', false],
    ['0x1', 'supported', false],
  ])('is possible where the wallet names the chain: on %s, %s', async (chain, status, expected) => {
    const { provider, calls } = answering({ '0x2': {}, [chain]: { atomic: { status } } })
    expect(await canBatch(provider, batch)).toBe(expected)
    expect(calls).toEqual([{ method: 'wallet_getCapabilities', params: [from, ['0x7a69']] }])
  })

  it('is for the chain in hex digits, and is asked for by the id that the wallet gave it', async () => {
    const { provider, calls } = answering(
      { status: 100 },
      { status: 200, receipts: [{ transactionHash: hash }] },
    )
    expect(await send(provider)).toBe(hash)
    expect(calls).toEqual([
      {
        method: 'wallet_sendCalls',
        params: [{ version: '2.0.0', ...batch, chainId: '0x7a69', atomicRequired: true }],
      },
      { method: 'wallet_getCallsStatus', params: ['0x07'] },
      { method: 'wallet_getCallsStatus', params: ['0x07'] },
    ])
  })

  it('that failed has the transaction that was mined, or an error where none was', async () => {
    const receipts = [{ transactionHash: hash }]
    expect(await send(answering({ status: 199 }, { status: 500, receipts }).provider)).toBe(hash)
    for (const failed of [{ status: 400 }, { status: 500, receipts: [] }])
      await expect(send(answering(failed).provider)).rejects.toMatchObject({ code: 'WALLET_FAILED' })
  })

  it('is waited for until the signal ends the wait, with its reason', async () => {
    const leaving = new AbortController()
    const { provider, calls } = answering()
    const pending: Eip1193Provider = {
      request: async (call) => {
        const answer = await provider.request(call)
        if (calls.length === 3) leaving.abort(new Error('left'))
        if (calls.length > 5) throw new Error('the wallet is asked after the end')
        return answer ?? { status: 100 }
      },
    }
    await expect(send(pending, leaving.signal)).rejects.toThrow('left')
  })
})

const sessionOf = (token: string) => {
  const own = { token, wallet: account.address.toLowerCase(), chainId: CHAIN_ID }
  return JSON.stringify({ ...own, expiresAt: Date.now() + 60_000 })
}

it('says of every code of the gateway whether a retry can help, as the error playbook does', () => {
  const retryableOf = (code: GatewayCode) => new GatewayError({ code, message: '' }).retryable
  for (const [code, { isRetryable }] of Object.entries(catalogue)) {
    const known = isCode(code) ? retryableOf(code) : undefined
    expect([code, known]).toEqual([code, isRetryable])
  }
})

function isCode(code: string): code is GatewayCode {
  return code in catalogue
}

describe('an amount', () => {
  const USD = { decimals: 6, symbol: 'HUSD' }

  it('is shown with all its digits and the separators of the locale', () => {
    expect(formatAmount('25000500000', USD, { locale: 'en' })).toBe('25,000.50 HUSD')
    expect(formatAmount('25000500001', USD, { locale: 'de' })).toBe('25.000,500001 HUSD')
    expect(formatAmount(2n ** 200n, { decimals: 18 }, { locale: 'en' })).toBe(
      '1,606,938,044,258,990,275,541,962,092,341,162,602,522,202.993782792835301376',
    )
    expect(formatAmount(7n, { decimals: 0 }, { locale: 'en' })).toBe('7')
    expect(formatAmount(-500_000n, USD, { locale: 'en' })).toBe('-0.50 HUSD')
    // A form takes these digits alone.
    expect(formatAmount('25000500000', USD, { locale: 'ar-EG' })).toMatch(/^25.000.50 HUSD$/)
  })

  it('of more digits than can be shown is cut off, and text that is no amount is refused', () => {
    expect(formatAmount(1n, { decimals: 255 }, { locale: 'en' })).toBe('0.00')
    expect(formatAmount(15n, { decimals: 1 }, { locale: 'en', digits: -1 })).toBe('1')
    expect(() => formatAmount('', USD)).toThrow(RangeError)
  })

  it('is shown with fewer digits on request, never as more than it is', () => {
    const show = (amount: bigint, format: AmountFormat) =>
      formatAmount(amount, { decimals: 18, symbol: 'ONE' }, { locale: 'en', ...format })
    const amount = 1_259_849_039_627_533_333_333_334n
    expect(show(amount, { digits: 2 })).toBe('1,259,849.03 ONE')
    expect(show(amount, { digits: 0 })).toBe('1,259,849 ONE')
    expect(show(amount, { digits: 40 })).toBe('1,259,849.039627533333333334 ONE')
    expect(show(amount, { compact: true })).toBe('1.25M ONE')
    expect(show(amount, { compact: true, digits: 4 })).toBe('1.2598M ONE')
    expect(show(999_999_999n * 10n ** 15n, { digits: 2 })).toBe('999,999.99 ONE')
    expect(show(999_999_999n * 10n ** 15n, { compact: true })).toBe('999.99K ONE')
    expect(show(-1n, { digits: 2 })).toBe('0.00 ONE')
    expect(formatAmount(1_500n, { decimals: 0 }, { locale: 'de', compact: true, digits: 1 })).toBe('1500')
    expect(formatAmount(1_250_000n, { decimals: 0 }, { locale: 'en', compact: true })).toBe('1.25M')
  })

  it('with fewer digits begins with those of the whole', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 256n), fc.nat(36), fc.nat(36), (amount, decimals, digits) => {
        const show = (format: AmountFormat) => formatAmount(amount, { decimals }, { locale: 'en', ...format })
        const [whole = '', fraction = ''] = show({}).split('.')
        const [shorter, rest = ''] = show({ digits }).split('.')
        expect(shorter).toBe(whole)
        expect(rest.replace(/0+$/, '')).toBe(fraction.slice(0, digits).replace(/0+$/, ''))
      }),
    )
  })

  it('is what was typed, or refused', () => {
    expect(parseAmount('25000.5', USD)).toBe('25000500000')
    for (const text of ['', '1,000', '1.', '-1', '1e3', '0.0000001', '0x1', ' 1'])
      expect(() => parseAmount(text, USD), text).toThrow(RangeError)
    expect(() => parseAmount('1,5', USD)).toThrow('write digits and a decimal point')
    expect(() => parseAmount('0.0000001', USD)).toThrow('"0.0000001" has 7 decimals; the token has 6.')
  })

  it('is the same after being shown and typed again', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 256n), fc.integer({ min: 0, max: 36 }), (amount, decimals) => {
        const shown = formatAmount(amount, { decimals }, { locale: 'en' })
        expect(parseAmount(shown.replaceAll(',', ''), { decimals })).toBe(`${amount}`)
      }),
    )
  })
})
