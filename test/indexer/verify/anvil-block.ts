/** A block of anvil with logs in transactions of every type that it mines without blobs. */
import { encodeFunctionData, type Hex, keccak256, numberToHex } from 'viem'
import { logEmitterAbi, logEmitterBytecode } from '../../../contracts/testing/generated/LogEmitter.ts'
import { type Block, parseBlock } from '../../../indexer/verify/block.ts'
import { connectNodes } from '../../../nodes/connect.ts'
import { NODE_TIMEOUT_MS } from '../../support/limits.ts'
import { deployForTest, type World } from '../../support/protocol.ts'

export function nodeAt(url: string) {
  const [node] = connectNodes([url], { timeout: NODE_TIMEOUT_MS })
  if (!node) throw new Error('there is no node')
  return node.ask
}

/** Mines a block whose transactions have types 0, 1, 2 and 4; each emits logs of several topics. @returns its hash */
export async function mineAllTypes(world: World): Promise<Hex> {
  const to = await deployForTest(world, logEmitterAbi, logEmitterBytecode, [])
  const { issuer, payer, stranger, admin, beneficiary } = world.parties
  const authorization = await world.chain.signAuthorization({ account: beneficiary.key, contractAddress: to })
  await world.chain.setAutomine(false)
  const gas = 500_000n
  const gasPrice = 10n ** 10n
  await world.chain.sendTransaction({ account: issuer.key, to, data: logs(1), gas, gasPrice, type: 'legacy' })
  await world.chain.sendTransaction({
    account: payer.key,
    to,
    data: logs(2),
    gas,
    gasPrice,
    accessList: [{ address: to, storageKeys: [] }],
    type: 'eip2930',
  })
  await world.chain.sendTransaction({ account: stranger.key, to, data: logs(3), gas, type: 'eip1559' })
  await world.chain.sendTransaction({
    account: admin.key,
    to,
    data: logs(4),
    gas,
    authorizationList: [authorization],
  })
  await world.chain.mine({ blocks: 1 })
  await world.chain.setAutomine(true)
  return (await world.chain.getBlock()).hash
}

/** Logs with 0 to `topics` topics. */
function logs(topics: number): Hex {
  const each = Array.from({ length: topics + 1 }, (_, count) => ({
    topics: Array.from({ length: count }, (_, i) => keccak256(numberToHex(topics * 10 + i))),
    data: numberToHex(topics * 1000 + count, { size: 32 }),
  }))
  return encodeFunctionData({ abi: logEmitterAbi, functionName: 'emitAll', args: [each] })
}

export async function blockOf(rpcUrl: string, hash: Hex): Promise<Block> {
  return parseBlock(await nodeAt(rpcUrl)({ method: 'eth_getBlockByHash', params: [hash, false] }))
}
