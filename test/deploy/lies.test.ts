/** Nothing that a node answers is used without a check, and no lie of one answer leads to a manifest. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { encodeFunctionData, type Hex, isHex, keccak256, pad, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { issuerRegistryAbi } from '../../abis/IssuerRegistry.ts'
import { CONTRACTS } from '../../contracts/protocol.ts'
import { catalogue } from '../../deploy/errors.ts'
import { loadManifest } from '../../deployments/manifest.ts'
import { type Answer, type RpcRequest, startNodeProxy } from '../support/node-proxy.ts'
import { lowercase, wellKnownParties } from '../support/parties.ts'
import { CHAIN_ID, type Deployer, failure, filesOf, run, type Stage, startStage } from './stage.ts'

let stage: Stage
/** Complete, and changed by no test. */
let complete: Deployer
beforeAll(async () => {
  stage = await startStage()
  complete = await stage.newDeployer()
  await run(stage, complete)
})
afterAll(() => stage.stop())

/** The failure of a run over a node with other answers. */
async function failureOver(deployer: Deployer, answer: (request: RpcRequest) => Answer) {
  const node = await startNodeProxy(answer, stage.rpcUrl)
  try {
    return await failure(run(stage, deployer, { url: node.url }))
  } finally {
    await node.stop()
  }
}

const hasManifest = ({ folder }: Deployer) => existsSync(join(folder, `${CHAIN_ID}.json`))

const RUBBISH = [null, {}, -1, '0x', '0xzz', `0x${'f'.repeat(65)}`]

describe('rubbish', () => {
  const METHODS = [
    'eth_chainId',
    'eth_getBlockByNumber',
    'eth_getTransactionCount',
    'eth_getBalance',
    'eth_maxPriorityFeePerGas',
    'eth_estimateGas',
    'eth_sendRawTransaction',
  ]

  it.each(METHODS)('in answer to %s is a coded error, and leads to no manifest', async (method) => {
    for (const result of RUBBISH) {
      const deployer = await stage.newDeployer()
      const { code } = await failureOver(deployer, (asked) =>
        asked.method === method ? { result } : undefined,
      )
      expect(Object.keys(catalogue)).toContain(code)
      expect(hasManifest(deployer)).toBe(false)
    }
  })
})

describe('rubbish about a complete deployment', () => {
  it.each(['eth_getCode', 'eth_call'])('in answer to %s is a coded error', async (method) => {
    for (const result of RUBBISH) {
      const { code } = await failureOver(complete, (asked) =>
        asked.method === method ? { result } : undefined,
      )
      expect(Object.keys(catalogue)).toContain(code)
    }
  })
})

describe('a lie', () => {
  it.each([
    ['the final block alone', ['finalized'], 0],
    ['the final and the latest block', ['finalized', 'latest'], 5],
  ])('about %s does not let an indexer begin after the deployment', async (_, tags, sent) => {
    const deployer = await stage.newDeployer()
    const lies = new Set<unknown>(tags)
    const result = { number: '0xffffff', hash: pad('0x1'), baseFeePerGas: '0x1' }
    const { code } = await failureOver(deployer, ({ method, params }) =>
      method === 'eth_getBlockByNumber' && lies.delete(params[0]) ? { result } : undefined,
    )
    expect(code).toBe('NODE_ANSWER_INVALID')
    expect(hasManifest(deployer)).toBe(false)
    expect(await stage.client.getTransactionCount({ address: deployer.signer.address })).toBe(sent)
  })

  it('about the hash of a transaction is not recorded', async () => {
    const deployer = await stage.newDeployer()
    const node = await startNodeProxy(async ({ method, params: [raw] }) => {
      if (method !== 'eth_sendRawTransaction' || !isHex(raw)) return undefined
      await stage.client.sendRawTransaction({ serializedTransaction: raw })
      return { result: pad('0x77') }
    }, stage.rpcUrl)
    try {
      await run(stage, deployer, { url: node.url })
    } finally {
      await node.stop()
    }
    const { journal } = filesOf(deployer)
    expect(journal).toContain('"issuerRegistry"')
    expect(journal).not.toContain(pad('0x77'))
  })

  it('about the priority fee is not paid', async () => {
    const deployer = await stage.newDeployer()
    const { code } = await failureOver(deployer, ({ method }) =>
      method === 'eth_maxPriorityFeePerGas' ? { result: '0xffffffffffff' } : undefined,
    )
    expect(code).toBe('FEE_TOO_HIGH')
  })
})

describe('an estimate', () => {
  it('below what the creation of a contract costs at least is not used', async () => {
    const deployer = await stage.newDeployer()
    const { code, message } = await failureOver(deployer, ({ method }) =>
      method === 'eth_estimateGas' ? { result: '0xc0000' } : undefined,
    )
    expect(code).toBe('NODE_ANSWER_INVALID')
    expect(message).toMatch(/estimates 786432 gas for issuerRegistry, which needs at least \d+/)
  })
})

describe('a complete deployment', () => {
  it.each(CONTRACTS)('with another byte in the code of %s is refused', async (name) => {
    const address = loadManifest(CHAIN_ID, complete.folder).contracts[name]
    const code = await stage.client.getCode({ address })
    if (!code) throw new Error(`${name} has no code`)
    const places = [2, code.length / 2, code.length - 2].map((place) => place - (place % 2))
    for (const place of places) {
      const byte = code.slice(place, place + 2) === '00' ? '01' : '00'
      const bytecode: Hex = `0x${code.slice(2, place)}${byte}${code.slice(place + 2)}`
      await stage.client.setCode({ address, bytecode })
      expect((await failure(run(stage, complete, { signer: 'none' }))).code).toBe('CODE_DIFFERS')
    }
    await stage.client.setCode({ address, bytecode: '0x' })
    expect((await failure(run(stage, complete, { signer: 'none' }))).code).toMatch(
      /^(NO_EFFECT|TRANSACTION_)/,
    )
    await stage.client.setCode({ address, bytecode: code })
    await run(stage, complete, { signer: 'none' })
  })

  it('whose immutables point elsewhere is refused', async () => {
    const other = await stage.newDeployer()
    await run(stage, other)
    const mine = loadManifest(CHAIN_ID, complete.folder).contracts
    const theirs = loadManifest(CHAIN_ID, other.folder).contracts
    for (const name of ['claimRegistry', 'vaultRegistry', 'financingRouter'] as const) {
      const result = await stage.client.getCode({ address: theirs[name] })
      const { code } = await failureOver(complete, ({ method, params }) =>
        method === 'eth_getCode' && params[0] === mine[name] ? { result } : undefined,
      )
      expect(code).toBe('CODE_DIFFERS')
    }
  })

  it('whose administrator or roles have changed is refused with each difference', async () => {
    const deployer = await stage.newDeployer()
    await run(stage, deployer)
    const { stranger } = wellKnownParties()
    const { address: account } = deployer.signer
    const role = keccak256(toHex('ISSUER_MANAGER_ROLE'))
    const abi = issuerRegistryAbi
    const { issuerRegistry: to } = loadManifest(CHAIN_ID, deployer.folder).contracts
    await stage.client.impersonateAccount({ address: account })
    for (const data of [
      encodeFunctionData({ abi, functionName: 'renounceRole', args: [role, account] }),
      encodeFunctionData({ abi, functionName: 'beginDefaultAdminTransfer', args: [stranger.address] }),
    ]) {
      const hash = await stage.client.sendTransaction({ account, to, data, chain: null })
      await stage.client.waitForTransactionReceipt({ hash })
    }
    const before = filesOf(deployer)
    const { code, message } = await failure(run(stage, deployer, { signer: 'none' }))
    expect(code).toBe('WIRING_DIFFERS')
    expect(message).toContain(`issuerRegistry.pendingDefaultAdmin() is ${stranger.address}, expected 0x0000`)
    expect(message).toContain(
      `issuerRegistry.hasRole(ISSUER_MANAGER_ROLE, ${account}) is false, expected true`,
    )
    expect(filesOf(deployer)).toEqual(before)
  })

  it('whose deployer has a role of somebody else is refused', async () => {
    const deployer = await stage.newDeployer()
    const request = { roles: { issuerManager: lowercase(wellKnownParties().stranger.address) } }
    await run(stage, deployer, { request })
    const { address: account } = deployer.signer
    const { issuerRegistry: to } = loadManifest(CHAIN_ID, deployer.folder).contracts
    const args = [keccak256(toHex('ISSUER_MANAGER_ROLE')), account] as const
    const data = encodeFunctionData({ abi: issuerRegistryAbi, functionName: 'grantRole', args })
    await stage.client.impersonateAccount({ address: account })
    const hash = await stage.client.sendTransaction({ account, to, data, chain: null })
    await stage.client.waitForTransactionReceipt({ hash })
    const { code, message } = await failure(run(stage, deployer, { signer: 'none', request }))
    expect(code).toBe('WIRING_DIFFERS')
    expect(message).toContain(`hasRole(ISSUER_MANAGER_ROLE, ${account}) is true, expected false`)
  })
})
