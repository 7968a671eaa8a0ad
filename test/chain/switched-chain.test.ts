import { zeroHash } from 'viem'
/**
 * The chain behind a URL is replaced, without a failure, by one with the same chain id, genesis block and addresses.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readAttestationFacts } from '../../api/chain/attestation-facts.ts'
import { readBalances } from '../../api/chain/balances.ts'
import { readClaim } from '../../api/chain/claim.ts'
import { type Chain, createChain } from '../../api/chain/client.ts'
import { type PinnedBlock, pinFinalizedBlock } from '../../api/chain/pin-block.ts'
import { fromChain, type LyingNode, startLyingNode } from '../indexer/lying-node.ts'
import { startWorldAmongOthers, type WorldAmongOthers } from '../indexer/wrong-chains.ts'
import { rejection } from '../support/coded.ts'
import { NODE_TIMEOUT_MS } from '../support/limits.ts'
import { registerClaim } from '../support/scenario.ts'

let chains: WorldAmongOthers
let claimId: Awaited<ReturnType<typeof registerClaim>>['claimId']
let twin: string
let node: LyingNode
let chain: Chain
let block: PinnedBlock
beforeAll(async () => {
  chains = await startWorldAmongOthers()
  const { issuer, beneficiary } = chains.world.parties
  const terms = { issuer, beneficiary: beneficiary.address, token: chains.world.usd, faceValue: 1_000_000n }
  ;({ claimId } = await registerClaim(chains.world, terms))
  await chains.world.chain.mine({ blocks: 2 })
  ;({ twin } = await chains.overtake())
})
afterAll(() => chains?.stop())
beforeEach(async () => {
  node = await startLyingNode(chains.world.rpcUrl)
  chain = createChain({ urls: [node.url], timeout: NODE_TIMEOUT_MS })
  block = await pinFinalizedBlock(chain)
})
afterEach(() => node.stop())

describe('a node of another chain', () => {
  it.each([
    [
      'balances',
      () => readBalances(chain, block, [chains.world.parties.provider.address], [chains.world.usd]),
    ],
    ['a claim', () => readClaim(chain, block, chains.world.protocol.claimRegistry, claimId)],
    [
      'the facts of an attestation',
      () => {
        const { protocol, usd, parties } = chains.world
        const names = { issuer: parties.issuer.address, beneficiary: parties.beneficiary.address, token: usd }
        const attestation = { claimId, documentHash: zeroHash, ...names }
        return readAttestationFacts(chain, block, protocol, attestation)
      },
    ],
  ])('answers no read of %s at a block that was pinned before', async (_name, read) => {
    node.lieWith(fromChain(twin))
    expect(await rejection(read())).toBe('CHAIN_UNAVAILABLE')
  })

  it('answers nothing once it was checked, also where no block is pinned', async () => {
    let checks = 0
    const lie = fromChain(twin)
    node.lieWith((request, truth) => {
      if (request.method === 'eth_chainId') checks += 1
      return lie(request, truth)
    })
    expect(await rejection(pinFinalizedBlock(chain))).toBe('CHAIN_UNAVAILABLE')
    while (checks < 2) {
      const read = chain.getGasPrice().then(
        () => 'answered',
        () => 'refused',
      )
      expect(await read).toBe('refused')
    }
  })
})
