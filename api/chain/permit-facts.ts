/**
 * Whether a token takes a permit (EIP-2612), by its contract alone. A token has no permit if its domain cannot be
 * shown, or if it has only another form of the function, as DAI.
 */
import {
  type Address,
  BaseError,
  decodeFunctionResult,
  domainSeparator,
  ExecutionRevertedError,
  encodeFunctionData,
  type Hex,
  parseAbi,
  zeroHash,
} from 'viem'
import { chainUnavailable } from '../errors.ts'
import type { PermitDomain } from '../typed-data/permit.ts'
import { isDomainText } from '../typed-data/signable.ts'
import { PERMIT_GAS_MAX } from './call-limits.ts'
import type { Chain } from './client.ts'
import { readChain } from './read-chain.ts'
import { simulate } from './simulate.ts'

const abi = parseAbi([
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'function nonces(address owner) view returns (uint256)',
  'function eip712Domain() view returns (bytes1 fields, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt, uint256[] extensions)',
  'function name() view returns (string)',
  'function version() view returns (string)',
])

/** `nonce` is the next one of the owner. */
export type PermitFacts = { domain: PermitDomain; nonce: bigint }

type Asked = { chainId: number; token: Address; owner: Address; spender: Address }

/**
 * Reads what an owner needs to sign a permit, at the latest block; undefined if the token has none. Each read has a
 * bounded amount of gas, so that a token cannot make the reads of another one fail.
 *
 * @throws CodedError `CHAIN_UNAVAILABLE`
 */
export function readPermitFacts(chain: Chain, asked: Asked): Promise<PermitFacts | undefined> {
  const { token, owner } = asked
  return readChain(`the permit of token ${token}`, async () => {
    const [hasFunction, separator, nonce] = await Promise.all([
      hasPermit(chain, asked),
      ask(chain, token, encodeFunctionData({ abi, functionName: 'DOMAIN_SEPARATOR' }), (data) =>
        decodeFunctionResult({ abi, functionName: 'DOMAIN_SEPARATOR', data }),
      ),
      ask(chain, token, encodeFunctionData({ abi, functionName: 'nonces', args: [owner] }), (data) =>
        decodeFunctionResult({ abi, functionName: 'nonces', data }),
      ),
    ])
    if (!hasFunction || separator === undefined || nonce === undefined) return undefined
    const domain = await findDomain(chain, asked, separator)
    return domain && { domain, nonce }
  })
}

/**
 * Whether the function exists: with a deadline that is over and no signature, it must revert with an error. A contract
 * without the function reverts without data, or its fallback accepts the call.
 *
 * @throws CodedError `CHAIN_UNAVAILABLE` where no node gives a result
 */
async function hasPermit(chain: Chain, { token, owner, spender }: Asked): Promise<boolean> {
  const args = [owner, spender, 0n, 0n, 27, zeroHash, zeroHash] as const
  const data = encodeFunctionData({ abi, functionName: 'permit', args })
  const simulation = await simulate(chain, { from: owner, to: token, data })
  if (simulation.outcome === 'UNKNOWN')
    throw chainUnavailable(`The chain does not answer for the permit of token ${token}. Try again shortly.`)
  return (
    simulation.outcome === 'REVERTS' &&
    (simulation.errorName !== 'UnknownError' || simulation.args.length > 0)
  )
}

/** The domain whose hash is the separator of the token: that of EIP-5267, else the one of its name and version. */
async function findDomain(
  chain: Chain,
  { chainId, token }: Asked,
  separator: Hex,
): Promise<PermitDomain | undefined> {
  const [stated, name, version] = await Promise.all([
    ask(chain, token, encodeFunctionData({ abi, functionName: 'eip712Domain' }), (data) =>
      decodeFunctionResult({ abi, functionName: 'eip712Domain', data }),
    ),
    askText(chain, token, 'name'),
    askText(chain, token, 'version'),
  ])
  const texts = [
    ...(stated ? [[stated[1], stated[2]] as const] : []),
    ...(name === undefined ? [] : [[name, version ?? DEFAULT_VERSION] as const]),
  ]
  return texts
    .filter((pair) => pair.every(isDomainText))
    .map(([name, version]) => ({ name, version, chainId, verifyingContract: token }))
    .find((domain) => domainSeparator({ domain }) === separator)
}

/** Version of tokens that state none. */
const DEFAULT_VERSION = '1'

function askText(chain: Chain, token: Address, functionName: 'name' | 'version') {
  return ask(chain, token, encodeFunctionData({ abi, functionName }), (data) =>
    decodeFunctionResult({ abi, functionName, data }),
  )
}

/** Undefined if the token reverts, or returns bytes that are no such value. */
async function ask<T>(
  chain: Chain,
  to: Address,
  data: Hex,
  decode: (result: Hex) => T,
): Promise<T | undefined> {
  const result = await call(chain, to, data)
  if (result === undefined) return undefined
  try {
    return decode(result)
  } catch (error) {
    if (error instanceof BaseError) return undefined
    throw error
  }
}

async function call(chain: Chain, to: Address, data: Hex): Promise<Hex | undefined> {
  try {
    return (await chain.call({ to, data, gas: PERMIT_GAS_MAX, blockTag: 'latest' })).data
  } catch (error) {
    const hasReverted =
      error instanceof BaseError && error.walk((cause) => cause instanceof ExecutionRevertedError)
    if (hasReverted) return undefined
    throw error
  }
}
