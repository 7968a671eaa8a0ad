/** A token takes a permit if its contract has the function of EIP-2612 and states the domain of its signatures. */
import {
  type Address,
  domainSeparator,
  encodeAbiParameters,
  encodeErrorResult,
  encodeFunctionData,
  type Hex,
  parseAbi,
  parseAbiParameters,
  toFunctionSelector,
  zeroHash,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { permitTokenAbi } from '../../abis/PermitToken.ts'
import { REVERT_BYTES_MAX } from '../../api/chain/call-limits.ts'
import { createChain } from '../../api/chain/client.ts'
import { readPermitFacts } from '../../api/chain/permit-facts.ts'
import { permitTokenBytecode } from '../../contracts/artifacts/PermitToken.ts'
import {
  oldPermitTokenAbi,
  oldPermitTokenBytecode,
} from '../../contracts/testing/generated/OldPermitToken.ts'
import { rawTokenAbi, rawTokenBytecode } from '../../contracts/testing/generated/RawToken.ts'
import { rejection } from '../support/coded.ts'
import { type Answer, startNodeProxy } from '../support/node-proxy.ts'
import { createPermitToken } from '../support/permits.ts'
import { deployForTest, startWorld } from '../support/protocol.ts'
import { send } from '../support/transactions.ts'

const EIP712_DOMAIN = parseAbiParameters('bytes1, string, string, uint256, address, bytes32, uint256[]')

let world: Awaited<ReturnType<typeof startWorld>>
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

function factsOf(token: Address, rpcUrl = world.rpcUrl) {
  const { payer, stranger } = world.parties
  const chain = createChain({ urls: [rpcUrl], timeout: 60_000 })
  const asked = { chainId: world.chainId, token, owner: payer.address, spender: stranger.address }
  return readPermitFacts(chain, asked)
}

const oldToken = (version: string) =>
  deployForTest(world, oldPermitTokenAbi, oldPermitTokenBytecode, [version])

it('the domain is the one that the token states, and the nonce that of the owner', async () => {
  const token = await createPermitToken(world)
  expect(await factsOf(token)).toEqual({
    domain: { name: 'Permit Dollar', version: '1', chainId: world.chainId, verifyingContract: token },
    nonce: 0n,
  })
})

it.each(['1', ''])(
  'the domain follows from name and version "%s" where the token states none',
  async (version) => {
    const token = await oldToken(version)
    expect(await factsOf(token)).toMatchObject({
      domain: { name: 'Old Dollar', version: '1', verifyingContract: token },
    })
  },
)

describe('a token that states a domain beside its name', () => {
  const PERMIT = { name: 'Permit Dollar', version: '1' }
  const OTHER = { name: 'Other Dollar', version: '9' }
  const UNSIGNABLE = { name: 'Permit\u0000Dollar', version: '1' }

  /** Has a node answer for the texts of a permit token. @returns name and version by which its permit is signed */
  async function domainOf({ stated, named }: { stated?: typeof PERMIT; named?: typeof PERMIT }) {
    const token = await createPermitToken(world)
    const texts = parseAbiParameters('string')
    const answers = new Map<string, Hex>()
    if (stated) {
      const { name, version } = stated
      const domain = ['0x0f', name, version, BigInt(world.chainId), token, zeroHash, []] as const
      answers.set(toFunctionSelector('eip712Domain()'), encodeAbiParameters(EIP712_DOMAIN, domain))
    }
    if (named) {
      answers.set(toFunctionSelector('name()'), encodeAbiParameters(texts, [named.name]))
      answers.set(toFunctionSelector('version()'), encodeAbiParameters(texts, [named.version]))
    }
    const node = await startNodeProxy(({ method, params: [call] }) => {
      const result = method === 'eth_call' ? answers.get(String(Object(call).data)) : undefined
      return result && { result }
    }, world.rpcUrl)
    const domain = (await factsOf(token, node.url))?.domain
    await node.stop()
    return domain && { name: domain.name, version: domain.version }
  }

  it('is signed for by the one of both whose hash is its separator', async () => {
    expect(await domainOf({})).toEqual(PERMIT)
    expect(await domainOf({ named: OTHER })).toEqual(PERMIT)
    expect(await domainOf({ stated: OTHER })).toEqual(PERMIT)
    expect(await domainOf({ stated: UNSIGNABLE, named: PERMIT })).toEqual(PERMIT)
    expect(await domainOf({ stated: PERMIT, named: UNSIGNABLE })).toEqual(PERMIT)
    expect(await domainOf({ stated: { ...PERMIT, version: '9' }, named: PERMIT })).toEqual(PERMIT)
  })

  it('has no permit where neither is', async () => {
    expect(await domainOf({ stated: OTHER, named: OTHER })).toBeUndefined()
    expect(await domainOf({ stated: OTHER, named: { ...PERMIT, version: '9' } })).toBeUndefined()
    expect(await domainOf({ stated: OTHER, named: { ...PERMIT, name: '' } })).toBeUndefined()
  })
})

it('a token whose separator is not the hash of its domain has no permit', async () => {
  expect(await factsOf(await oldToken('2'))).toBeUndefined()
})

it('a token without a name has no permit: wallets could not show its domain', async () => {
  const named = (name: string) => deployForTest(world, permitTokenAbi, permitTokenBytecode, [name, 'N', 6])
  expect(await factsOf(await named('N'))).toMatchObject({ domain: { name: 'N', version: '1' } })
  expect(await factsOf(await named(''))).toBeUndefined()
})

it('a token without the function of EIP-2612 has no permit', async () => {
  expect(await factsOf(world.usd)).toBeUndefined()
  const token = await deployForTest(world, rawTokenAbi, rawTokenBytecode, [])
  const domain = { name: 'Raw', version: '1', chainId: world.chainId, verifyingContract: token }
  const answer = async (signature: string, data: Hex) => {
    const args = [toFunctionSelector(signature), data] as const
    const call = encodeFunctionData({ abi: rawTokenAbi, functionName: 'setAnswer', args })
    await send(world.chain, world.parties.stranger, { to: token, data: call })
  }
  await answer('DOMAIN_SEPARATOR()', domainSeparator({ domain }))
  await answer('nonces(address)', zeroHash)
  await answer('name()', encodeAbiParameters([{ type: 'string' }], ['Raw']))
  expect(await factsOf(token)).toBeUndefined()
  // Its fallback takes any permit.
  await answer('permit(address,address,uint256,uint256,uint8,bytes32,bytes32)', zeroHash)
  expect(await factsOf(token)).toBeUndefined()
})

describe('a permit that is over reverts', () => {
  const reverted = (data?: Hex) => ({
    error: { code: 3, message: 'execution reverted', ...(data && { data }) },
  })
  const text = encodeErrorResult({ abi: parseAbi(['error Error(string)']), args: ['expired deadline'] })

  /** Facts of a permit token whose call of the function a node answers. */
  async function factsWhere(answer: Answer) {
    const token = await createPermitToken(world)
    const permit = toFunctionSelector('permit(address,address,uint256,uint256,uint8,bytes32,bytes32)')
    const node = await startNodeProxy(
      ({ method, params: [call] }) =>
        method === 'eth_call' && String(Object(call).data).startsWith(permit) ? answer : undefined,
      world.rpcUrl,
    )
    return factsOf(token, node.url).finally(node.stop)
  }

  it.each([
    ['a text', text],
    ['a panic', `0x4e487b71${'11'.padStart(64, '0')}`],
    ['an error of its own with more data than is read', `0x1a15a3cc${'00'.repeat(REVERT_BYTES_MAX)}`],
  ] as const)('with %s where a token has the function', async (_, data) => {
    expect(await factsWhere(reverted(data))).toMatchObject({ nonce: 0n })
  })

  it('without data where a token lacks the function', async () => {
    expect(await factsWhere(reverted('0x'))).toBeUndefined()
    expect(await factsWhere(reverted())).toBeUndefined()
  })

  it.each([{ status: 503 }, { error: { code: -32005, message: 'limit exceeded' } }])(
    'or is unknown: a node answers %j',
    async (answer) => {
      expect(await rejection(factsWhere(answer))).toBe('CHAIN_UNAVAILABLE')
    },
  )
})

it('a contract that is no token has no permit, whatever it answers', async () => {
  expect(await factsOf(world.parties.relayer.address)).toBeUndefined()
  const token = `0x${'70'.repeat(20)}` as const
  const BYTECODES: Hex[] = [
    '0x60016000f3', // one byte
    '0x00', // nothing
    '0x5b600056', // all gas
    '0x622dc6c06000f3', // as much memory as the gas buys
    '0x60206000fd', // a revert with a word
    '0x622dc6c06000fd', // a revert with as much memory
  ]
  for (const bytecode of BYTECODES) {
    await world.chain.setCode({ address: token, bytecode })
    expect(await factsOf(token), bytecode).toBeUndefined()
  }
})

it('each read of a token has a bounded amount of gas', async () => {
  const facts = await factsOf(await oldToken('1'))
  expect(facts?.nonce).toBeGreaterThan(400_000n)
  expect(facts?.nonce).toBeLessThan(500_000n)
})

it.each([{ status: 503 }, { error: { code: -32005, message: 'limit exceeded' } }])(
  'a permit is unknown while a node answers %j',
  async (answer) => {
    const node = await startNodeProxy(() => answer)
    expect(await rejection(factsOf(world.usd, node.url))).toBe('CHAIN_UNAVAILABLE')
    await node.stop()
  },
)
