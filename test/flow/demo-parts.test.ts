/** Parts of the demo: what its reporter prints, when it signs in again, and the vault that its lender chooses. */
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { cashOf, keepSession, tokenOf } from '../../demo/accounts.ts'
import { chooseVault } from '../../demo/lending.ts'
import { amount, change, createReporter, percent, short } from '../../demo/reporter.ts'
import { type Address, createGateway, type Eip1193Provider } from '../../packages/client/src/index.ts'

const WALLET: Address = `0x${'1'.repeat(40)}`
const TOKEN = { address: `0x${'2'.repeat(40)}`, symbol: 'HUSD', decimals: 6 } as const
const OTHER_TOKEN: Address = `0x${'3'.repeat(40)}`

describe('the reporter', () => {
  const print = (run: (report: ReturnType<typeof createReporter>) => void) => {
    let text = ''
    run(
      createReporter((part) => {
        text += part
      }),
    )
    return text.split('\n')
  }

  it('numbers its steps, and breaks their words into lines of at most 100 characters', () => {
    const words = (...lengths: number[]) => lengths.map((length) => 'x'.repeat(length)).join(' ')
    const lines = print((report) => {
      report.step('First', words(50, 45, 7))
      report.step('Second', words(50, 46, 7))
      report.print(words(50, 49, 7))
    })
    expect(lines).toEqual([
      '',
      ' 1  First',
      '',
      `    ${words(50, 45)}`,
      `    ${words(7)}`,
      '',
      '',
      ' 2  Second',
      '',
      `    ${words(50)}`,
      `    ${words(46, 7)}`,
      '',
      '',
      words(50, 49),
      words(7),
      '',
    ])
  })

  it('prints facts below what was sent, and an answer beside its arrow', () => {
    const lines = print((report) => {
      report.sent('POST /x', { a: '1', long: '2' })
      report.got({ long: '3', b: '4' })
    })
    expect(lines).toEqual([
      '    → POST /x',
      '      a     1',
      '      long  2',
      '    ← long  3',
      '      b     4',
      '',
    ])
  })

  it('prints a table with its numbers at the right', () => {
    const lines = print((report) =>
      report.table([
        ['', 'before', 'x'],
        ['holder', '1', '20'],
      ]),
    )
    expect(lines).toEqual([
      '             before    x',
      '    ──────   ──────   ──',
      '    holder        1   20',
      '',
    ])
  })

  it('writes amounts with all their digits, a gain with its sign, rates in percent, and hashes short', () => {
    expect(['0', '12000500000', '1234567000001', '100'].map((units) => amount(units, TOKEN))).toEqual([
      '0.00 HUSD',
      '12,000.50 HUSD',
      '1,234,567.000001 HUSD',
      '0.0001 HUSD',
    ])
    expect(amount(-1_500_000n, TOKEN)).toBe('-1.50 HUSD')
    expect([1n, 0n, -1n].map((units) => change(units, { ...TOKEN, decimals: 0 }))).toEqual([
      '+1.00 HUSD',
      '0.00 HUSD',
      '-1.00 HUSD',
    ])
    expect([percent(150), percent(5)]).toEqual(['1.50 %', '0.05 %'])
    expect(short(`0x123456${'0'.repeat(54)}9876`)).toBe('0x123456…9876')
  })
})

describe('a session of an actor', () => {
  const keep = async (leftMs: number | undefined) => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_800_000_000_000 })
    onTestFinished(() => void vi.useRealTimers())
    const requests: string[] = []
    const session = {
      token: 'a.b.c',
      wallet: WALLET,
      chainId: 31_337,
      expiresAt: Date.now() + (leftMs ?? 0),
    }
    const wallet: Eip1193Provider = {
      request: async ({ method }) => (method === 'eth_chainId' ? '0x7a69' : [WALLET]),
    }
    const gateway = createGateway({
      url: 'http://gateway.test',
      wallet,
      storage: {
        getItem: () => (leftMs === undefined ? null : JSON.stringify(session)),
        setItem: () => {},
        removeItem: () => {},
      },
      fetch: async ({ url }) => {
        requests.push(url)
        return new Response('', { status: 503 })
      },
    })
    onTestFinished(() => gateway.close())
    await keepSession({ name: 'Holder', address: WALLET, gateway }).catch(() => {})
    return requests
  }

  it('begins anew where there is none, and where less than five minutes of it are left', async () => {
    const nonce = ['http://gateway.test/api/v1/auth/nonce']
    expect(await keep(undefined)).toEqual(nonce)
    expect(await keep(5 * 60_000 - 1)).toEqual(nonce)
    expect(await keep(5 * 60_000)).toEqual([])
  })
})

describe('the market of the demo', () => {
  const vaultOf = (name: string, facts: object = {}) => ({
    name,
    token: TOKEN.address,
    fundableLiquidity: '7',
    mandate: { minDurationDays: 0, supportedTypes: [0, 1] },
    capital: { overdueFace: '0' },
    pricing: { baseDiscountBps: 100 },
    ...facts,
  })
  const actorOf = (vaults: readonly object[], balances: readonly object[] = []) => {
    const requests: string[] = []
    const gateway = createGateway({
      url: 'http://gateway.test',
      fetch: async ({ url }) => {
        requests.push(url)
        return Response.json(url.includes('/vaults') ? { items: vaults } : { balances })
      },
    })
    return { name: 'Lender', address: WALLET, gateway, requests }
  }
  const choose = async (...vaults: readonly object[]) => (await chooseVault(actorOf(vaults), TOKEN)).name

  it('has a vault without overdue claims, and the cheapest of those, that finances invoices until they are due', async () => {
    const cheap = { pricing: { baseDiscountBps: 50 } }
    const late = vaultOf('late', { ...cheap, capital: { overdueFace: '1' } })
    expect(await choose(late, vaultOf('expensive'), vaultOf('cheap', cheap))).toBe('cheap')
    expect(await choose(vaultOf('expensive', { capital: { overdueFace: '1' } }), late)).toBe('late')
    const others = [
      vaultOf('long', { ...cheap, mandate: { minDurationDays: 1, supportedTypes: [0] } }),
      vaultOf('of leases', { ...cheap, mandate: { minDurationDays: 0, supportedTypes: [1] } }),
      vaultOf('of another token', { ...cheap, token: OTHER_TOKEN }),
    ]
    expect(await choose(...others, vaultOf('right'))).toBe('right')
    await expect(choose(...others)).rejects.toThrow('no vault finances invoices')
  })

  it('has the cash of each actor in the token, and that of all its vaults', async () => {
    const vaults = [vaultOf('one'), vaultOf('two'), vaultOf('three', { token: OTHER_TOKEN })]
    const rich = actorOf(vaults, [
      { token: OTHER_TOKEN, symbol: 'HEUR', decimals: 2, balance: '9' },
      { token: TOKEN.address, symbol: 'HUSD', decimals: 6, balance: '5' },
    ])
    const cash = await cashOf([rich, { ...actorOf([]), name: 'Debtor' }], TOKEN)
    expect([...cash]).toEqual([
      ['Lender', 5n],
      ['Debtor', 0n],
      ['all vaults, fundable', 14n],
    ])
    expect(rich.requests).toEqual([
      `http://gateway.test/api/v1/account/${WALLET}`,
      'http://gateway.test/api/v1/vaults?limit=200',
    ])
    expect(await tokenOf(rich, 'HUSD')).toEqual(TOKEN)
    await expect(tokenOf(rich, 'HGBP')).rejects.toThrow('the gateway has no token HGBP')
  })
})
