/**
 * Tokens and share prices, with which amounts are shown: the projection against the contracts at the block of the
 * answer.
 */
import { isObjectType } from 'graphql'
import { createPublicClient, erc20Abi, http } from 'viem'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { financingVaultAbi } from '../../abis/FinancingVault.ts'
import { tokenRegistryAbi } from '../../abis/TokenRegistry.ts'
import { schema } from '../../api/graphql/schema.ts'
import { sharedWorld } from '../support/world.ts'
import { createClient } from './client.ts'

const world = sharedWorld()
const { app, ask, stop } = createClient(world.databaseUrl, 3, world.rpcUrl)
afterAll(stop)
const chain = createPublicClient({ transport: http(world.rpcUrl) })

const TOKEN = 'tokenInfo { address symbol name decimals }'

const shownShape = z.object({ tokenInfo: z.object({ address: z.string() }).loose() })
type Shown = z.output<typeof shownShape>

async function registered(token: string) {
  const { symbol, name, decimals } = await chain.readContract({
    address: world.manifest.contracts.tokenRegistry,
    abi: tokenRegistryAbi,
    functionName: 'metadata',
    args: [`0x${token.slice(2)}`],
  })
  return { address: token, symbol, name, decimals }
}

/** Every object with a token. */
const QUERIES = [
  `{ claims { nodes { ${TOKEN} settlements(first: 1) { nodes { ${TOKEN} } } allocations { ${TOKEN} } activity { ${TOKEN} } } } }`,
  `{ vaults(first: 20) { nodes { ${TOKEN} terms { ${TOKEN} } } } executions { nodes { ${TOKEN} } } }`,
  `{ tokenDays { nodes { ${TOKEN} } } issuerDays { nodes { ${TOKEN} } } vaultDays { nodes { ${TOKEN} } } }`,
  ...['claim', 'vault', 'allocation', 'execution', 'settlement'].map(
    (noun) => `{ ${noun}Aggregates { nodes { ${TOKEN} } } }`,
  ),
]

function shownIn(value: unknown): Shown[] {
  if (Array.isArray(value)) return value.flatMap(shownIn)
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.values(value).flatMap(shownIn)
  return 'tokenInfo' in value ? [shownShape.parse(value), ...inner] : inner
}

describe('the token beside an amount', () => {
  it('is as the registry has it', async () => {
    const answers = await Promise.all(QUERIES.map((query) => ask(query)))
    expect(answers.flatMap(({ errors }) => errors ?? [])).toEqual([])
    const shown = answers.flatMap(({ data }) => shownIn(data))
    for (const { data } of answers) expect(shownIn(data).length).toBeGreaterThan(0)
    expect(shown.length).toBeGreaterThan(200)
    const tokens = new Map(shown.map(({ tokenInfo }) => [tokenInfo.address, tokenInfo]))
    expect(tokens.size).toBe(world.manifest.tokens.length)
    for (const { tokenInfo } of shown) expect(tokenInfo).toEqual(tokens.get(tokenInfo.address))
    for (const [address, tokenInfo] of tokens) expect(tokenInfo).toEqual(await registered(address))
  })

  it('has one name in all objects', () => {
    const types = Object.values(schema.getTypeMap()).filter(isObjectType)
    const others = types.filter((type) => 'token' in type.getFields())
    // A balance is read from the chain, with symbol and decimals of its own, and `Query.token` is the token at an
    // address.
    expect(others.map(({ name }) => name).sort()).toEqual(['Query', 'TokenBalance'])
  })

  it('is that of a series and of an exposure, and none where the address was never listed', async () => {
    const [{ address } = { address: '' }] = world.manifest.tokens
    const of = (token: string) => `marketExposure(token: "${token}") { tokenInfo { address decimals } }
      marketSeries(token: "${token}") { tokenInfo { address } }`
    const { data } = await ask(`{ ${of(address)} }`)
    expect(data.marketExposure.tokenInfo).toMatchObject({ address })
    for (const point of data.marketSeries) expect(point.tokenInfo).toEqual({ address })
    const other = await ask(`{ ${of(`0x${'1'.repeat(40)}`)} }`)
    expect(other.errors).toBeUndefined()
    expect(other.data.marketExposure.tokenInfo).toBeNull()
  })
})

describe('a share of a vault', () => {
  it('has the decimals and the price that the contract converts by, at the time of the block', async () => {
    const { data, extensions } = await ask(
      '{ vaults(first: 200) { nodes { address shareDecimals capital { totalAssets sharePrice yieldToDateBps totalShares } } } }',
    )
    const blockNumber = BigInt(extensions.finalizedThrough.blockNumber)
    const read = (address: `0x${string}`, functionName: 'totalAssets' | 'totalSupply') =>
      chain.readContract({ address, abi: financingVaultAbi, functionName, blockNumber })
    let moved = 0
    for (const { address, shareDecimals, capital } of data.vaults.nodes) {
      const decimals = await chain.readContract({
        address,
        abi: erc20Abi,
        functionName: 'decimals',
        blockNumber,
      })
      const args = [10n ** BigInt(decimals)] as const
      const price = await chain.readContract({
        address,
        abi: financingVaultAbi,
        functionName: 'convertToAssets',
        args,
        blockNumber,
      })
      expect([shareDecimals, capital.sharePrice]).toEqual([decimals, String(price)])
      const [assets, shares] = [await read(address, 'totalAssets'), await read(address, 'totalSupply')]
      expect([capital.totalAssets, capital.totalShares]).toEqual([String(assets), String(shares)])
      // The first base unit of assets bought a million of shares, as many as are nobody's.
      const bps = (10_000_000_000n * (assets + 1n)) / (shares + 1_000_000n) - 10_000n
      expect(capital.yieldToDateBps).toBe(Number(bps))
      if (price * 1_000_000n !== args[0]) moved += 1
    }
    expect(moved).toBeGreaterThan(0)
  })
})

describe('a vault in a preview of quotes', () => {
  it('has its name beside its address', async () => {
    const { data } = await ask(
      '{ vaults(first: 200) { nodes { address name } } claims(filter: { state: ELIGIBLE, matured: false }) { nodes { claimId } } }',
    )
    const names = new Map(
      data.vaults.nodes.map(({ address, name }: { address: string; name: string }) => [address, name]),
    )
    const [{ claimId }] = data.claims.nodes
    const response = await app.request('/api/v1/quotes/preview', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ claimId }),
    })
    const { token, tokenInfo, quotes, refusedVaults } = await response.json()
    expect(tokenInfo).toEqual(await registered(token))
    expect(quotes.length + refusedVaults.length).toBe(names.size)
    for (const { vault, vaultName } of [...quotes, ...refusedVaults]) expect(vaultName).toBe(names.get(vault))
  })
})
