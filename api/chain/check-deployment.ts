import type { Address } from 'viem'
import { claimRegistryAbi } from '../../abis/ClaimRegistry.ts'
import { financingRouterAbi } from '../../abis/FinancingRouter.ts'
import { vaultRegistryAbi } from '../../abis/VaultRegistry.ts'
import type { Manifest } from '../../deployments/manifest.ts'
import type { Chain } from './client.ts'

/**
 * Compares a manifest with the chain before anything is served from it.
 * @throws Error with one sentence per difference: another chain, an address without code, another version of the
 * protocol (type hash), contracts that point elsewhere; or that the chain does not answer
 */
export async function checkDeployment(chain: Chain, manifest: Manifest): Promise<void> {
  await refuse(nodeFaults(chain, manifest))
  await refuse(codeFaults(chain, manifest))
  await refuse(answerFaults(chain, manifest))
}

async function refuse(found: Promise<readonly (string | undefined)[]>): Promise<void> {
  const faults = (await found).filter((fault) => fault !== undefined)
  if (faults.length > 0) throw new Error(faults.join('; '))
}

/**
 * Checks every node that answers, not only the first one, because the others are used when the first fails. Messages
 * name a node by its position in RPC_URLS, since its URL can contain a key.
 */
async function nodeFaults(chain: Chain, manifest: Manifest) {
  const nodes = chain.transport.transports
  const chainIds = await Promise.all(
    nodes.map(({ request }) =>
      request({ method: 'eth_chainId' }).then(
        (answer) => Number(answer),
        () => undefined,
      ),
    ),
  )
  if (chainIds.every((chainId) => chainId === undefined)) {
    throw new Error('the chain does not answer: no node of RPC_URLS gave its chain id')
  }
  return chainIds.map((chainId, i) =>
    chainId === undefined || chainId === manifest.chainId
      ? undefined
      : `node ${i + 1} of RPC_URLS serves chain ${chainId}, but the manifest is for chain ${manifest.chainId}`,
  )
}

function codeFaults(chain: Chain, { contracts, tokens, chainId }: Manifest) {
  const named = [
    ...Object.entries(contracts),
    ...tokens.map(({ symbol, address }) => [`token ${symbol}`, address] as const),
  ]
  return Promise.all(
    named.map(async ([name, address]) => {
      const code = await asked(`the chain does not answer for the code of ${name} at ${address}`, () =>
        chain.getCode({ address }),
      )
      return code ? undefined : `there is no contract at ${address} (${name}) on chain ${chainId}`
    }),
  )
}

/** The expected values of each contract: its type hashes and the contracts that it refers to. */
function answerFaults(chain: Chain, { contracts, typeHashes }: Manifest) {
  const { issuerRegistry, tokenRegistry, claimRegistry, vaultRegistry, financingRouter } = contracts
  const claims = { address: claimRegistry, abi: claimRegistryAbi }
  const vaults = { address: vaultRegistry, abi: vaultRegistryAbi }
  const router = { address: financingRouter, abi: financingRouterAbi }
  const expected =
    (contract: string, address: Address) => (name: string, wanted: string, read: () => Promise<string>) =>
      compare(`${contract} at ${address}`, name, wanted, read)
  const ofClaims = expected('claimRegistry', claimRegistry)
  const ofVaults = expected('vaultRegistry', vaultRegistry)
  const ofRouter = expected('financingRouter', financingRouter)
  return Promise.all([
    ofClaims('CLAIM_ATTESTATION_TYPEHASH', typeHashes.claimAttestation, () =>
      chain.readContract({ ...claims, functionName: 'CLAIM_ATTESTATION_TYPEHASH' }),
    ),
    ofRouter('EXECUTION_ROUTE_TYPEHASH', typeHashes.executionRoute, () =>
      chain.readContract({ ...router, functionName: 'EXECUTION_ROUTE_TYPEHASH' }),
    ),
    ofClaims('issuers', issuerRegistry, () => chain.readContract({ ...claims, functionName: 'issuers' })),
    ofClaims('tokens', tokenRegistry, () => chain.readContract({ ...claims, functionName: 'tokens' })),
    ofClaims('router', financingRouter, () => chain.readContract({ ...claims, functionName: 'router' })),
    ofVaults('claims', claimRegistry, () => chain.readContract({ ...vaults, functionName: 'claims' })),
    ofVaults('router', financingRouter, () => chain.readContract({ ...vaults, functionName: 'router' })),
    ofRouter('issuers', issuerRegistry, () => chain.readContract({ ...router, functionName: 'issuers' })),
    ofRouter('claims', claimRegistry, () => chain.readContract({ ...router, functionName: 'claims' })),
    ofRouter('vaults', vaultRegistry, () => chain.readContract({ ...router, functionName: 'vaults' })),
  ])
}

async function compare(
  contract: string,
  name: string,
  wanted: string,
  read: () => Promise<string>,
): Promise<string | undefined> {
  const answer = await asked(
    `${contract} does not answer ${name}(): another contract, or the chain is away`,
    read,
  )
  if (answer.toLowerCase() === wanted) return undefined
  return `${contract} answers ${answer.toLowerCase()} to ${name}(), but the manifest says ${wanted}`
}

async function asked<T>(otherwise: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (cause) {
    throw new Error(otherwise, { cause })
  }
}
