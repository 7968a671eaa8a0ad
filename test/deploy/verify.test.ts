/** The verification of a complete deployment compares every reference, administrator, delay and role. */
import { writeFileSync } from 'node:fs'
import { type Address, encodeFunctionData, type Hex, keccak256, pad, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { claimRegistryAbi } from '../../abis/ClaimRegistry.ts'
import { financingRouterAbi } from '../../abis/FinancingRouter.ts'
import { issuerRegistryAbi } from '../../abis/IssuerRegistry.ts'
import { vaultRegistryAbi } from '../../abis/VaultRegistry.ts'
import { vaultDeployerOf } from '../../contracts/protocol.ts'
import { journalFile, readJournal } from '../../deploy/journal.ts'
import { loadManifest, type Manifest } from '../../deployments/manifest.ts'
import { type Answer, type RpcRequest, startNodeProxy } from '../support/node-proxy.ts'
import { wellKnownParties } from '../support/parties.ts'
import { CHAIN_ID, type Deployer, failure, filesOf, run, type Stage, startStage } from './stage.ts'

const { admin, issuer, curator, provider, relayer } = wellKnownParties()
const HOLDERS = {
  issuerManager: issuer.address,
  tokenManager: curator.address,
  vaultManager: provider.address,
  pauser: relayer.address,
}
const request = { roles: { ...HOLDERS, admin: admin.address, adminDelay: 3600 } }
const ANOTHER = pad('0x77')

let stage: Stage
let deployer: Deployer
let contracts: Manifest['contracts']
beforeAll(async () => {
  stage = await startStage()
  deployer = await stage.newDeployer()
  await run(stage, deployer, { request })
  contracts = loadManifest(CHAIN_ID, deployer.folder).contracts
})
afterAll(() => stage?.stop())

/** The failure of a verification over a node with other answers. */
async function failureOver(answer: (request: RpcRequest) => Answer, of = { deployer, request }) {
  const node = await startNodeProxy(answer, stage.rpcUrl)
  const change = { url: node.url, signer: 'none', request: of.request } as const
  return failure(run(stage, of.deployer, change)).finally(node.stop)
}

/** A node that answers calls with lies. */
const answerWith =
  (lies: readonly Lie[]) =>
  ({ method, params: [call] }: RpcRequest): Answer => {
    if (method !== 'eth_call' || typeof call !== 'object' || call === null) return undefined
    const lie = lies.find(
      ({ to, data }) => 'to' in call && call.to === to && 'data' in call && call.data === data,
    )
    return lie && { result: lie.result }
  }

/** The settings that differ, by their names in the message. */
const namesIn = (message: string) =>
  message
    .replace(/^at block \d+: /, '')
    .split('; ')
    .map((fault) => fault.split(' is ')[0])

/** A call of a contract, the wrong answer to it, and its name in a message. */
type Lie = { to: Address; data: Hex; result: Hex; named: string }

const references = (): Lie[] => [
  ...(['issuers', 'tokens', 'router'] as const).map((functionName) => ({
    to: contracts.claimRegistry,
    data: encodeFunctionData({ abi: claimRegistryAbi, functionName }),
    result: ANOTHER,
    named: `claimRegistry.${functionName}()`,
  })),
  ...(['claims', 'router'] as const).map((functionName) => ({
    to: contracts.vaultRegistry,
    data: encodeFunctionData({ abi: vaultRegistryAbi, functionName }),
    result: ANOTHER,
    named: `vaultRegistry.${functionName}()`,
  })),
  ...(['issuers', 'claims', 'vaults'] as const).map((functionName) => ({
    to: contracts.financingRouter,
    data: encodeFunctionData({ abi: financingRouterAbi, functionName }),
    result: ANOTHER,
    named: `financingRouter.${functionName}()`,
  })),
]

function administration(): Lie[] {
  const managed = [
    ['issuerRegistry', 'ISSUER_MANAGER_ROLE', HOLDERS.issuerManager],
    ['tokenRegistry', 'TOKEN_MANAGER_ROLE', HOLDERS.tokenManager],
    ['vaultRegistry', 'VAULT_MANAGER_ROLE', HOLDERS.vaultManager],
    ['financingRouter', 'PAUSER_ROLE', HOLDERS.pauser],
  ] as const
  const abi = issuerRegistryAbi
  return managed.flatMap(([name, role, manager]) => [
    ...(['defaultAdmin', 'pendingDefaultAdmin', 'defaultAdminDelay'] as const).map((functionName) => ({
      to: contracts[name],
      data: encodeFunctionData({ abi, functionName }),
      result: functionName === 'pendingDefaultAdmin' ? (`${ANOTHER}${ANOTHER.slice(2)}` as const) : ANOTHER,
      named: `${name}.${functionName}()`,
    })),
    ...[manager, deployer.signer.address].map((account) => ({
      to: contracts[name],
      data: encodeFunctionData({ abi, functionName: 'hasRole', args: [keccak256(toHex(role)), account] }),
      result: pad(account === manager ? '0x' : '0x1'),
      named: `${name}.hasRole(${role}, ${account})`,
    })),
  ])
}

describe('a complete deployment', () => {
  it('is refused with each of its settings that is another, and with no other', async () => {
    const lies = [...references(), ...administration()]
    const { code, message } = await failureOver(answerWith(lies))
    expect(code).toBe('WIRING_DIFFERS')
    expect(namesIn(message)).toEqual(lies.map(({ named }) => named))
  })

  it('is refused with each role that its deployer has, where the administrator has all of them, too', async () => {
    const other = await stage.newDeployer()
    const holder = admin.address
    const holders = { issuerManager: holder, tokenManager: holder, vaultManager: holder, pauser: holder }
    const of = { deployer: other, request: { roles: { ...request.roles, ...holders } } }
    await run(stage, other, { request: of.request })
    const lies = (
      [
        ['issuerRegistry', 'ISSUER_MANAGER_ROLE'],
        ['tokenRegistry', 'TOKEN_MANAGER_ROLE'],
        ['vaultRegistry', 'VAULT_MANAGER_ROLE'],
        ['financingRouter', 'PAUSER_ROLE'],
      ] as const
    ).map(([name, role]) => {
      const args = [keccak256(toHex(role)), other.signer.address] as const
      return {
        to: loadManifest(CHAIN_ID, other.folder).contracts[name],
        data: encodeFunctionData({ abi: issuerRegistryAbi, functionName: 'hasRole', args }),
        result: pad('0x1'),
        named: `${name}.hasRole(${role}, ${other.signer.address})`,
      }
    })
    const { code, message } = await failureOver(answerWith(lies), of)
    expect(code).toBe('WIRING_DIFFERS')
    expect(namesIn(message)).toEqual(lies.map(({ named }) => named))
  })

  it('is refused where the contract that creates vaults has other code, or none', async () => {
    const address = vaultDeployerOf(contracts.vaultRegistry)
    const codeOver = (result: Hex) =>
      failureOver(({ method, params }) =>
        method === 'eth_getCode' && params[0] === address ? { result } : undefined,
      )
    expect((await codeOver('0x60')).code).toBe('CODE_DIFFERS')
    expect((await codeOver('0x')).code).toBe('NO_EFFECT')
  })

  it('is refused where a mined transaction has no effect, by the hash of the transaction', async () => {
    const [hash] = readJournal(deployer.folder, CHAIN_ID)?.sent.issuerRegistry?.hashes ?? []
    const { code, message } = await failureOver(({ method, params }) =>
      method === 'eth_getCode' && params[0] === contracts.issuerRegistry ? { result: '0x' } : undefined,
    )
    expect([code, message]).toEqual(['NO_EFFECT', expect.stringContaining(`transaction ${hash} in block`)])
  })

  it.each([
    ['NO_EFFECT', '0x1'],
    ['TRANSACTION_REVERTED', '0x0'],
  ])(
    'is refused with %s by the one of its transactions that was mined, wherever it is among them',
    async (code, status) => {
      const text = filesOf(deployer).journal
      const [hash = '0x'] = readJournal(deployer.folder, CHAIN_ID)?.sent.issuerRegistry?.hashes ?? []
      const replaced = [ANOTHER, pad('0x78')] as const
      onTestFinished(() => writeFileSync(journalFile(deployer.folder, CHAIN_ID), text))
      for (const hashes of [
        [hash, ...replaced],
        [...replaced, hash],
        [replaced[0], hash, replaced[1]],
      ]) {
        const list = hashes.map((each) => `"${each}"`).join()
        writeFileSync(journalFile(deployer.folder, CHAIN_ID), text.replace(`"${hash}"`, list))
        const failed = await failureOver(({ method, params }) => {
          if (method === 'eth_getCode' && params[0] === contracts.issuerRegistry) return { result: '0x' }
          const isMined = method === 'eth_getTransactionReceipt' && params[0] === hash
          return isMined ? { result: { status, blockNumber: '0x7' } } : undefined
        })
        expect([failed.code, failed.message]).toEqual([
          code,
          expect.stringContaining(`transaction ${hash} in block 7`),
        ])
      }
    },
  )

  it('is not verified by a node that answers with an error', async () => {
    const error = { code: -32_000, message: 'header not found' }
    for (const refused of ['eth_getCode', 'eth_call', 'eth_getTransactionCount']) {
      const { code, message } = await failureOver(({ method }) =>
        method === refused ? { error } : undefined,
      )
      expect([code, message]).toEqual(['NODE_REFUSED', expect.stringContaining('header not found')])
    }
  })
})
