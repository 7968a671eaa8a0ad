/**
 * Where the protocol lives on one chain: the shape of `deployments/<chainId>.json` and how to load it.
 * Target addresses of everything the service prepares come from here, never from a client (specification, section 1).
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Address, Hex } from 'viem'
import { z } from 'zod'

const matches = (pattern: RegExp) => (value: unknown) => typeof value === 'string' && pattern.test(value)
export const address = z.custom<Address>(matches(/^0x[0-9a-f]{40}$/), 'must be a lowercase address')
export const hash = z.custom<Hex>(matches(/^0x[0-9a-f]{64}$/), 'must be 32 bytes in lowercase hex')

/** The registry of tokens stores no longer one. */
const tokenText = z.string().max(64)

const manifestShape = z.strictObject({
  generated: z.string(),
  chainId: z.number().int().positive(),
  /** No event of the protocol is in an earlier block; the indexer starts here. */
  startBlock: z.number().int().nonnegative(),
  contracts: z.strictObject({
    issuerRegistry: address,
    tokenRegistry: address,
    claimRegistry: address,
    vaultRegistry: address,
    financingRouter: address,
  }),
  /** EIP-712 type hashes that the contracts answer; a mismatch means another version of the protocol. */
  typeHashes: z.strictObject({ claimAttestation: hash, executionRoute: hash }),
  tokens: z.array(
    z.strictObject({
      address,
      name: tokenText,
      symbol: tokenText,
      decimals: z.number().int().min(0).max(36),
      /** The token refuses to change an allowance that is not zero: approve 0 first. */
      resetsApproval: z.boolean(),
    }),
  ),
})

export type Manifest = z.output<typeof manifestShape>
export type TokenInfo = Manifest['tokens'][number]

/** Reads a manifest; throws a sentence that names the file and what is wrong in it. */
export function loadManifest(chainId: number, folder: string = import.meta.dirname): Manifest {
  const file = join(folder, `${chainId}.json`)
  const result = manifestShape.safeParse(JSON.parse(readManifest(file, chainId)))
  if (!result.success)
    throw new Error(`${file} is not a deployment manifest: ${z.prettifyError(result.error)}`)
  if (result.data.chainId !== chainId) {
    throw new Error(`${file} is for chain ${result.data.chainId}, but chain ${chainId} was asked for`)
  }
  return result.data
}

function readManifest(file: string, chainId: number): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new Error(`no deployment manifest for chain ${chainId}: ${file} cannot be read`, { cause })
  }
}
