/** The lists of a registry that have several pages. */
import {
  type Address,
  decodeFunctionData,
  encodeFunctionResult,
  getAddress,
  type Hex,
  isHex,
  pad,
  toHex,
  zeroHash,
} from 'viem'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { tokenRegistryAbi } from '../../abis/TokenRegistry.ts'
import { vaultRegistryAbi } from '../../abis/VaultRegistry.ts'
import { createChain } from '../../api/chain/client.ts'
import { stateAt } from '../../auditor/chain/state.ts'
import { loadManifest } from '../../deployments/manifest.ts'
import { NODE_TIMEOUT_MS } from '../support/limits.ts'
import { startNodeProxy } from '../support/node-proxy.ts'

const { contracts } = loadManifest(31_337)

/** Addresses with letters, as a node answers them. */
const addresses = (first: number, count: number): Address[] =>
  Array.from({ length: count }, (_, index) =>
    getAddress(pad(toHex(0xabcd_0000 + first + index), { size: 20 })),
  )

const call = z.object({ to: z.string(), data: z.custom<Hex>((value) => isHex(value)) })

it.each([0, 1, 499, 500, 501, 1000, 1001])('reads all %i vaults, and one more token', async (count) => {
  const vaults = addresses(0, count)
  const tokens = addresses(10_000, count + 1)
  const node = await startNodeProxy(({ method, params: [asked] }) => {
    if (method === 'eth_chainId') return { result: '0x7a69' }
    if (method === 'eth_getBlockByNumber') return { result: { hash: zeroHash } }
    const { to, data } = call.parse(asked)
    if (to === contracts.vaultRegistry) {
      const { args } = decodeFunctionData({ abi: vaultRegistryAbi, data })
      const [offset, limit] = z.tuple([z.bigint(), z.bigint()]).parse(args)
      const result = vaults.slice(Number(offset), Number(offset + limit))
      return { result: encodeFunctionResult({ abi: vaultRegistryAbi, functionName: 'vaults', result }) }
    }
    const { args } = decodeFunctionData({ abi: tokenRegistryAbi, data })
    const [offset, limit] = z.tuple([z.bigint(), z.bigint()]).parse(args)
    const result = tokens.slice(Number(offset), Number(offset + limit))
    return { result: encodeFunctionResult({ abi: tokenRegistryAbi, functionName: 'tokens', result }) }
  })
  const state = stateAt(createChain({ urls: [node.url], timeout: NODE_TIMEOUT_MS }), contracts, 7n)
  const lowercase = (list: readonly Address[]) => list.map((address) => address.toLowerCase())
  expect(await state.vaults()).toEqual(lowercase(vaults))
  expect(await state.tokens()).toEqual(lowercase(tokens))
  await node.stop()
})
